import { passkeyClient } from '@better-auth/passkey/client'
import { createAuthClient } from 'better-auth/client'
import { anonymousClient, magicLinkClient } from 'better-auth/client/plugins'
import { ApiError } from '../api.ts'
import { currentLanguage } from '../language.ts'

/** The client of better-auth's API below /api/auth. Who is signed in comes from /api/me instead. */
export const auth = createAuthClient({
  plugins: [anonymousClient(), magicLinkClient(), passkeyClient()],
  fetchOptions: {
    onRequest: (context) => {
      context.headers.set('accept-language', currentLanguage())
      return context
    },
  },
})

interface AuthResult {
  data: unknown
  error: {
    code?: string | undefined
    message?: string | undefined
    status: number
    /** An error of our own, thrown before better-auth was asked; its message is in the caller's language. */
    error?: { code: string; message: string; fields?: Record<string, string> }
  } | null
}

/** The error codes of better-auth that belong to one field of a form. */
const fieldOf: Record<string, string> = {
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
  INVALID_EMAIL: 'email',
}

export type AuthErrorText = (code: string) => string

/**
 * Waits for an answer of better-auth and returns its data.
 *
 * @param errorText the sentence for an error code of better-auth, whose own messages are in English only.
 * @throws {ApiError} with a field error where the code belongs to a field
 */
export async function authResult<A extends AuthResult>(
  asked: Promise<A>,
  errorText: AuthErrorText,
): Promise<NonNullable<A['data']>> {
  const { data, error } = await asked.catch(() => {
    throw new ApiError('offline', '')
  })
  if (!error) return data as NonNullable<A['data']>
  if (error.error) {
    const { code, message, fields } = error.error
    throw new ApiError(code, message, { status: error.status, fields })
  }
  const code = error.code ?? (error.status === 429 ? 'TOO_MANY_REQUESTS' : 'unanswered')
  const words = errorText(code)
  const field = fieldOf[code]
  throw new ApiError(code.toLowerCase(), words, { fields: field ? { [field]: words } : {}, status: error.status })
}
