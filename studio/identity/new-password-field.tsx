import type { PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { PasswordField } from './fields.tsx'
import classes from './identity.module.css'
import { MIN_PASSWORD, strengthOf } from './password-strength.ts'

/**
 * A new password, with a measure of its strength. It has a file of its own because the passwords that are tried first weigh 11 kB, which signing in has no need of.
 *
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
