import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../shell/newsletter.tsx'
import type { Detail } from '../subscribers/subscriber-parts.tsx'

/** How often somebody gets mail now, and what they chose where the newsletter no longer offers it. */
export function PaceOf({ pace }: Pick<Detail, 'pace'>) {
  const { t } = useTranslation()
  const { digests } = useNewsletter()
  if (digests || pace === 'every') return t(`digests.pace.${pace}`)
  return (
    <>
      {t('digests.pace.every')} <small>{t(`digests.chose.${pace}`)}</small>
    </>
  )
}
