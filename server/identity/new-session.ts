import { APIError, type GenericEndpointContext } from 'better-auth'
import type { Context } from '../context.ts'
import type { SignInMeans } from './contract.ts'
import { recordEvent } from './events.ts'
import type { KnownDevices } from './guessing.ts'

const CODE_SECONDS = 10 * 60

interface NewSession {
  userId: string
  expiresAt: Date
  method?: string | null
  awaitsCode?: boolean | null
}

/**
 * The one place that every new session passes, however its user signed in. It refuses a password whose address is not proven, lets
 * the session of an account with two-factor wait for a code, ends the session that it replaces, and remembers the device.
 */
export const newSession =
  (context: Pick<Context, 'db' | 'log' | 'now'>, devices: KnownDevices) =>
  async <S extends NewSession>(session: S, call: GenericEndpointContext | null) => {
    const { db, now } = context
    const user = await db
      .selectFrom('user')
      .leftJoin('two_factor', (join) =>
        join.onRef('two_factor.user_id', '=', 'user.id').on('two_factor.confirmed_at', 'is not', null),
      )
      .select(['user.email', 'user.email_verified', 'user.is_anonymous', 'two_factor.user_id as second_factor'])
      .where('user.id', '=', session.userId)
      .executeTakeFirst()
    if (call?.path === '/sign-in/email' && user && !user.email_verified) {
      await recordEvent(context, { event: 'sign_in_failed', reason: 'unproven_address', userId: session.userId })
      throw new APIError('FORBIDDEN', { code: 'EMAIL_NOT_VERIFIED' })
    }
    const method = session.method ?? methodOf(call)
    const awaitsCode = session.awaitsCode ?? (method !== 'passkey' && user?.second_factor != null)
    if (call) await endReplaced(context, call, session.userId)
    if (!awaitsCode) {
      await recordEvent(context, { event: 'signed_in', userId: session.userId, method: method ?? 'unknown' })
      if (call && user?.email_verified && !user.is_anonymous) rememberDevice(devices, call, user.email)
    }
    const expiresAt = awaitsCode ? new Date(now().getTime() + CODE_SECONDS * 1000) : session.expiresAt
    return { data: { ...session, method, awaitsCode, expiresAt, provenAt: now() } }
  }

const methods: Record<string, SignInMeans> = {
  '/sign-in/email': 'password',
  '/sign-up/email': 'password',
  '/sign-in/anonymous': 'guest',
  '/magic-link/verify': 'link',
  '/passkey/verify-authentication': 'passkey',
}

/** How somebody signed in: one of the above, or the id of a provider. */
const methodOf = (call: GenericEndpointContext | null): string | null =>
  (call && (methods[call.path] ?? (call.path.startsWith('/callback') ? String(call.params?.id ?? '') : null))) || null

/** The same user's session in this browser ends, so that no session lives on under a new cookie. */
async function endReplaced({ db }: Pick<Context, 'db'>, call: GenericEndpointContext, userId: string): Promise<void> {
  const { name } = call.context.authCookies.sessionToken
  const token = await call.getSignedCookie(name, call.context.secret)
  if (token) await db.deleteFrom('session').where('token', '=', token).where('user_id', '=', userId).execute()
}

function rememberDevice(devices: KnownDevices, call: GenericEndpointContext, email: string): void {
  const known = devices.find(email, call.getCookie(devices.cookieName))
  if (!known) call.setCookie(devices.cookieName, devices.issue(email), devices.cookieOptions)
}
