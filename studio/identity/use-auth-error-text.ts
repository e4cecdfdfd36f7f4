import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type en from '../../i18n/en/identity.ts'
import { signInOptionsQuery } from '../shell/sign-in-options.ts'
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
  PASSKEY_UNUSED: 'passkeyUnused',
  PASSKEY_NOT_ADDED: 'passkeyNotAdded',
  PASSKEY_TOO_LATE: 'passkeyTooLate',
  CHALLENGE_NOT_FOUND: 'passkeyTooLate',
  PASSKEY_UNSUPPORTED: 'passkeyUnsupported',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'passkeyUnsupported',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: 'passkeyUnsupported',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'passkeyUnsupported',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'passkeyKnown',
  ERROR_INVALID_DOMAIN: 'passkeyElsewhere',
  ERROR_INVALID_RP_ID: 'passkeyElsewhere',
  ERROR_AUTHENTICATOR_GENERAL_ERROR: 'passkeyFailed',
  FAILED_TO_VERIFY_REGISTRATION: 'passkeyFailed',
  PASSKEY_FAILED: 'passkeyFailed',
}

/** Returns the sentence for an error code of better-auth, in the language on screen. */
export function useAuthErrorText(): AuthErrorText {
  const { t } = useTranslation()
  const { data } = useQuery(signInOptionsQuery)
  return (code) => {
    const key = known[code]
    if (key === 'unproven' && data?.mailIsCaught)
      return t('identity.auth.unprovenCaught', { button: t('identity.login.link') })
    return key ? t(`identity.auth.${key}`) : t('errors.bad_request')
  }
}
