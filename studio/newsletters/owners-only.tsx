import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Permission } from '../../server/permissions.ts'
import { useNewsletter } from '../shell/newsletter.tsx'

/** Says, to whoever may not change what is below, who can. */
export function OwnersOnly({ need }: { need: Permission }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  if (may(need)) return null
  return (
    <Alert color="ocre" mb="md">
      {t('newsletters.ownersOnly')}
    </Alert>
  )
}
