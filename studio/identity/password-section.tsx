import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changePassword } from '../../server/identity/contract.ts'
import { call } from '../api.ts'
import { useUser } from '../shell/client.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { useProof } from './proof.tsx'

/** Sets a password, and signs other devices out. */
export function PasswordSection() {
  const { t } = useTranslation()
  const user = useUser()
  const queries = useQueryClient()
  const withProof = useProof()
  const { form, error, busy, submit } = useServerForm({ initialValues: { password: '' } }, async ({ password }) => {
    await withProof(() => call(changePassword, { body: { password } }))
    form.reset()
    notifications.show({ message: t('identity.profile.changed') })
    await queries.invalidateQueries({ queryKey: ['sessions'] })
    await queries.invalidateQueries({ queryKey: ['security'] })
  })
  return (
    <Section title={t('identity.profile.password')}>
      <form onSubmit={submit} noValidate style={{ display: 'grid', gap: 12 }}>
        <NewPasswordField
          size="sm"
          label={t('identity.profile.new')}
          known={[user.email, user.displayName]}
          {...form.getInputProps('password')}
        />
        <ErrorNotice error={error} />
        <Button type="submit" loading={busy} justify="center" style={{ justifySelf: 'start' }}>
          {t('identity.profile.change')}
        </Button>
      </form>
    </Section>
  )
}
