import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../../shell/newsletter.tsx'

/** Opens the public page of plans. */
export function PlansLink() {
  const { t } = useTranslation()
  const { id, handle } = useNewsletter()
  return (
    <Anchor href={`/plans/${handle ?? id}`} target="_blank" rel="noopener">
      {t('charge.steps.look.action')}
    </Anchor>
  )
}
