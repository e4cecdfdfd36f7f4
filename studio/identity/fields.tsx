import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const large = { size: 'lg' as const }

export function EmailField(props: TextInputProps) {
  const { t } = useTranslation()
  return <TextInput {...large} type="email" label={t('identity.email')} autoComplete="username" required {...props} />
}

export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  const toggle = { 'aria-label': t('identity.showPassword'), tabIndex: 0 }
  return (
    <PasswordInput
      {...large}
      label={t('identity.password')}
      autoComplete="current-password"
      required
      {...props}
      visibilityToggleButtonProps={toggle}
    />
  )
}

/** A code of an authenticator app, a recovery code, or one from a mail. */
export function CodeField(props: TextInputProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      {...large}
      label={t('identity.code.label')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      required
      descriptionProps={{ mb: 4 }}
      {...props}
    />
  )
}
