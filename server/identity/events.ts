import type { Context } from '../context.ts'

/** What happens to an account. Nothing in it is secret. */
export type IdentityEvent =
  | { event: 'signed_in'; userId: string; method: string }
  | { event: 'sign_in_failed'; reason: SignInFailure; userId?: string }
  | { event: 'address_proven'; userId: string }
  | { event: 'account_taken_back'; userId: string }
  | { event: 'two_factor_on' | 'two_factor_off' | 'recovery_codes_made' | 'recovery_code_used'; userId: string }
  | { event: 'passkey_added' | 'passkey_removed'; userId: string; passkeyId: string }
  | { event: 'password_changed'; userId: string; by: 'reset' | 'owner' }
  | { event: 'session_ended'; userId: string; which: 'one' | 'others' | 'own' }
  | { event: 'account_deleted'; userId: string }

type SignInFailure = 'no_match' | 'unproven_address' | 'too_many_guesses' | 'wrong_code' | 'link_used' | 'refused'

/** The one place through which everything passes that happens to an account. */
export function recordEvent({ log }: Pick<Context, 'log'>, event: IdentityEvent, ip?: string): void {
  log.info({ identity: event, ...(ip && { ip }) }, event.event)
}
