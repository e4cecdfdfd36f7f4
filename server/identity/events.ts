import { addAccountLine } from '../audit/lines.ts'
import type { AccountAct } from '../audit-acts.ts'
import type { Context } from '../context.ts'
import { requestOrigin } from '../http/request-origin.ts'
import type { SignInFailure } from './contract.ts'

/** What happens to an account. Nothing in it is secret. */
export type IdentityEvent =
  | { event: 'signed_in' | 'signed_up'; userId: string; method: string }
  | { event: 'sign_in_failed'; reason: SignInFailure; userId?: string | null }
  | { event: Exclude<AccountAct, 'signed_in' | 'signed_up' | 'sign_in_failed'>; userId: string }

/**
 * The one place through which everything passes that happens to an account: into its list, and as JSON into the log. An event that
 * could not be stored is only in the log, because what it tells of has happened.
 */
export async function recordEvent(context: Pick<Context, 'db' | 'log'>, event: IdentityEvent): Promise<void> {
  const how = 'method' in event ? event.method : 'reason' in event ? event.reason : null
  await addAccountLine(context, {
    userId: event.userId ?? null,
    act: event.event,
    outcome: event.event === 'sign_in_failed' ? 'refused' : 'done',
    method: how,
    network: requestOrigin()?.network ?? null,
    device: requestOrigin()?.device ?? null,
  }).catch((error: unknown) => context.log.error({ err: error }, 'an event of an account could not be stored'))
}

/**
 * Records a failed sign-in to an address, which may have no account. It is not waited for: storing it takes time only where there is
 * an account, and the time of an answer must not tell.
 */
export function recordFailure(context: Pick<Context, 'db' | 'log'>, email: string, reason: SignInFailure): void {
  const user = context.db.selectFrom('user').select('id').where('email', '=', email.trim().toLowerCase())
  void user
    .executeTakeFirst()
    .then((found) => recordEvent(context, { event: 'sign_in_failed', reason, userId: found?.id ?? null }))
    .catch((error: unknown) => context.log.error({ err: error }, 'a failed sign-in could not be stored'))
}
