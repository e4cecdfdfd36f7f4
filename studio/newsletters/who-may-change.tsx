import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Permission, may as roleMay } from '../../server/permissions.ts'
import { useNewsletter } from '../shell/newsletter.tsx'

/** Says, to whoever may not change what is below, who can. */
export function WhoMayChange({ need }: { need: Permission }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  if (may(need)) return null
  return (
    <Alert color="ocre" mb="md">
      {t(roleMay('editor', need) ? 'newsletters.writersOnly' : 'newsletters.ownersOnly')}
    </Alert>
  )
}
