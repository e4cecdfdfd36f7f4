import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProgressBar } from '../ui/progress-bar.tsx'
import classes from './identity.module.css'
import { MIN_PASSWORD, strengthOf } from './password-strength.ts'

const large = { size: 'lg' as const }

export function EmailField(props: TextInputProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      {...large}
      type="email"
      label={t('identity.email')}
      autoComplete="username"
      required
      {...props}
      withAsterisk={false}
    />
  )
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
      withAsterisk={false}
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
      withAsterisk={false}
    />
  )
}

/**
 * A new password, with a measure of its strength.
 * @param props.known what a stranger would try: the address and names
 */
export function NewPasswordField({ known = [], ...props }: PasswordInputProps & { value?: string; known?: string[] }) {
  const { t } = useTranslation()
  const strength = strengthOf(props.value ?? '', known)
  return (
    <>
      <PasswordField autoComplete="new-password" minLength={MIN_PASSWORD} {...props} />
      <div className={classes.strength}>
        <ProgressBar
          value={strength.share}
          of={100}
          height={10}
          state={strength.share < 40 ? 'paused' : 'sent'}
          label={t('identity.strength.label')}
        />
        {/* A refusal stands above and says the same. */}
        {!props.error && <p aria-live="polite">{t(`identity.strength.${strength.word}`)}</p>}
      </div>
    </>
  )
}
