import { Button, PasswordInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { auth, authResult } from './auth.ts'
import { useAuthErrorText } from './use-auth-error-text.ts'

/** Changes the password, and signs other devices out. */
export function PasswordSection() {
  const { t } = useTranslation()
  const authErrorText = useAuthErrorText()
  const queries = useQueryClient()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { currentPassword: '', password: '' } },
    async ({ currentPassword, password }) => {
      const asked = auth.changePassword({ currentPassword, newPassword: password, revokeOtherSessions: true })
      await authResult(asked, authErrorText)
      form.reset()
      notifications.show({ message: t('identity.profile.changed') })
      await queries.invalidateQueries({ queryKey: ['sessions'] })
    },
  )
  const toggle = { 'aria-label': t('identity.showPassword'), tabIndex: 0 }
  return (
    <Section title={t('identity.profile.password')}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 12 }}>
        <PasswordInput
          label={t('identity.profile.current')}
          autoComplete="current-password"
          visibilityToggleButtonProps={toggle}
          required
          withAsterisk={false}
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label={t('identity.profile.new')}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
          minLength={8}
          required
          withAsterisk={false}
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
