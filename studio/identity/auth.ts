import type { passkey } from '@better-auth/passkey'
import type { betterAuth } from 'better-auth'
import type { anonymous, magicLink } from 'better-auth/plugins'
import { ApiError, addressOf, send } from '../api.ts'

/** What better-auth answers below /api/auth. Only types: its own client for browsers weighs fifteen times as much as this file. */
type Library = ReturnType<typeof betterAuth>['api'] &
  ReturnType<typeof anonymous>['endpoints'] &
  ReturnType<typeof magicLink>['endpoints'] &
  ReturnType<typeof passkey>['endpoints']
type Path = Library[keyof Library]['path'] & string
type EndpointAt<P extends Path> = Extract<Library[keyof Library], { path: P }>
type Given<P extends Path> = NonNullable<Parameters<EndpointAt<P>>[0]>
/** What a call takes as its body or query: nothing where the library names none. */
type Part<P extends Path, Name extends 'body' | 'query'> =
  Given<P> extends { [name in Name]?: infer V }
    ? [NonNullable<V>] extends [never]
      ? Record<never, never>
      : NonNullable<V>
    : Record<never, never>
type Answer<P extends Path> = Awaited<ReturnType<EndpointAt<P>>>

export type AuthErrorText = (code: string) => string

/**
 * Posts to better-auth's API. Who is signed in comes from /api/me instead.
 *
 * @param errorText the sentence for an error code of better-auth, whose own messages are in English only.
 * @throws {ApiError} with a field error where the code belongs to a field
 */
export function callAuth<P extends Path>(path: P, body: Part<P, 'body'>, errorText: AuthErrorText): Promise<Answer<P>> {
  return answered(send('POST', `/api/auth${path}`, body), errorText) as Promise<Answer<P>>
}

/** Gets from better-auth's API. Throws as `callAuth` does. */
export function askAuth<P extends Path>(
  path: P,
  query: Part<P, 'query'>,
  errorText: AuthErrorText,
): Promise<Answer<P>> {
  const address = addressOf({ path: `/api/auth${path}` }, {}, query)
  return answered(send('GET', address), errorText) as Promise<Answer<P>>
}

/** The code of an error of better-auth. What is refused before it is asked is an error of our own, in the caller's language. */
const codeOf = (error: unknown): string | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null

/** The error codes of better-auth that belong to one field of a form. */
const fieldOf: Record<string, string> = {
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
  INVALID_EMAIL: 'email',
}

async function answered(asked: Promise<unknown>, errorText: AuthErrorText): Promise<unknown> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unanswered') throw error
    const { status } = error
    throw authError(codeOf(error.detail) ?? (status === 429 ? 'TOO_MANY_REQUESTS' : 'unanswered'), {
      status,
      errorText,
    })
  }
}

/** The error for a code of better-auth, or of a browser that was asked for a passkey. */
export function authError(code: string, { status, errorText }: { status: number; errorText: AuthErrorText }): ApiError {
  const words = errorText(code)
  const field = fieldOf[code]
  return new ApiError(code.toLowerCase(), words, { fields: field ? { [field]: words } : {}, status })
}
