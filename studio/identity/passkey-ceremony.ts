import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { type AuthErrorText, askAuth, authError, callAuth } from './auth.ts'

/**
 * Signs in with a passkey that the browser asks for.
 *
 * @param autoFill offers passkeys in the field for the address, instead of asking for one at once
 */
export async function signInWithPasskey(autoFill: boolean, errorText: AuthErrorText) {
  const optionsJSON = await askAuth('/passkey/generate-authenticate-options', {}, errorText)
  const asked = startAuthentication({ optionsJSON, useBrowserAutofill: autoFill })
  const response = await answerOf(asked, { ...optionsJSON, unanswered: 'PASSKEY_UNUSED', errorText })
  return callAuth('/passkey/verify-authentication', { response }, errorText)
}

/** Has the browser make a passkey, and adds it to the account. */
export async function addPasskey(name: string, errorText: AuthErrorText) {
  const optionsJSON = await askAuth('/passkey/generate-register-options', { name }, errorText)
  const asked = startRegistration({ optionsJSON })
  const response = await answerOf(asked, { ...optionsJSON, unanswered: 'PASSKEY_NOT_ADDED', errorText })
  return callAuth('/passkey/verify-registration', { response, name }, errorText)
}

interface Asked {
  /** Milliseconds until the browser stops to ask. */
  timeout?: number | undefined
  /** The code for a person who gave no passkey. */
  unanswered: string
  errorText: AuthErrorText
}

/** Browsers say the same of somebody who closed their question and of a time that ran out. */
const unansweredCodes: readonly string[] = ['ERROR_CEREMONY_ABORTED', 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY']
const USUAL_TIMEOUT = 60_000

async function answerOf<T>(asked: Promise<T>, { timeout = USUAL_TIMEOUT, unanswered, errorText }: Asked): Promise<T> {
  const since = performance.now()
  try {
    return await asked
  } catch (error) {
    throw authError(codeOf(error), { status: 400, errorText })
  }

  function codeOf(error: unknown): string {
    if (!(error instanceof WebAuthnError))
      return error instanceof Error && error.name === 'NotSupportedError' ? 'PASSKEY_UNSUPPORTED' : 'PASSKEY_FAILED'
    if (!unansweredCodes.includes(error.code)) return error.code
    return performance.now() - since < timeout ? unanswered : 'PASSKEY_TOO_LATE'
  }
}
