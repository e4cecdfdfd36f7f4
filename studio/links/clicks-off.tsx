import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../shell/newsletter.tsx'

/** Says of a newsletter that keeps no clicks that its links count none: a 0 would say that nobody clicked. */
export function ClicksOff() {
  const { t } = useTranslation()
  const { clickPrivacy } = useNewsletter()
  return (
    clickPrivacy === 'off' && (
      <Alert color="ocre" mb="md">
        {t('links.off')}
      </Alert>
    )
  )
}
