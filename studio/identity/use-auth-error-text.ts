import { useTranslation } from 'react-i18next'
import type en from '../../i18n/en/identity.ts'
import type { AuthErrorText } from './auth.ts'

type Known = keyof (typeof en)['auth']

const known: Record<string, Known> = {
  USER_ALREADY_EXISTS: 'emailTaken',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'emailTaken',
  INVALID_EMAIL: 'emailWrong',
  INVALID_EMAIL_OR_PASSWORD: 'noMatch',
  EMAIL_NOT_VERIFIED: 'unproven',
  TOO_MANY_REQUESTS: 'tooFast',
  PASSKEY_NOT_FOUND: 'passkeyUnknown',
  PASSKEY_UNCHECKED: 'passkeyUnchecked',
  AUTHENTICATION_FAILED: 'passkeyUnknown',
  AUTH_CANCELLED: 'passkeyCancelled',
  ERROR_CEREMONY_ABORTED: 'passkeyCancelled',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: 'passkeyCancelled',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'passkeyKnown',
}

/** Returns the sentence for an error code of better-auth, in the language on screen. */
export function useAuthErrorText(): AuthErrorText {
  const { t } = useTranslation()
  return (code) => {
    const key = known[code]
    return key ? t(`identity.auth.${key}`) : t('errors.bad_request')
  }
}
