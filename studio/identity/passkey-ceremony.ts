import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { type AuthErrorText, askAuth, authError, callAuth } from './auth.ts'

/**
 * Signs in with a passkey that the browser asks for.
 *
 * @param autoFill offers passkeys in the field for the address, instead of asking for one at once
 */
export async function signInWithPasskey(autoFill: boolean, errorText: AuthErrorText) {
  const optionsJSON = await askAuth('/passkey/generate-authenticate-options', {}, errorText)
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill: autoFill }).catch(
    refused('AUTH_CANCELLED', errorText),
  )
  return callAuth('/passkey/verify-authentication', { response }, errorText)
}

/** Has the browser make a passkey, and adds it to the account. */
export async function addPasskey(name: string, errorText: AuthErrorText) {
  const optionsJSON = await askAuth('/passkey/generate-register-options', { name }, errorText)
  const response = await startRegistration({ optionsJSON }).catch(refused('unanswered', errorText))
  return callAuth('/passkey/verify-registration', { response, name }, errorText)
}

/** @param otherwise the code where the browser does not say why */
const refused = (otherwise: string, errorText: AuthErrorText) => (error: unknown) => {
  throw authError(error instanceof WebAuthnError ? error.code : otherwise, { status: 400, errorText })
}
