import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import type { Context } from '../context.ts'
import { mergeGuest } from '../personal-data/merge.ts'

const DAY_SECONDS = 24 * 3600

const cookieOf = (call: GenericEndpointContext) => call.context.createAuthCookie('guest', { maxAge: DAY_SECONDS })

/** Whether a new session still needs the code of the second factor. */
export const awaitsCode = ({ session }: { session: Record<string, unknown> }): boolean => session.awaitsCode === true

/**
 * Keeps in the browser, signed, which guest signs in to an account with two-factor. Until the code is there, nothing of the guest may
 * reach the account.
 */
export async function keepGuest(call: GenericEndpointContext, guestId: string): Promise<void> {
  const { name, attributes } = cookieOf(call)
  await call.setSignedCookie(name, guestId, call.context.secret, attributes)
}

/** Merges such a guest as soon as somebody has signed in completely in the same browser. */
export const waitingGuests = ({ db }: Pick<Context, 'db'>) =>
  ({
    id: 'waiting-guests',
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (call) => {
            const { newSession } = call.context
            if (!newSession || awaitsCode(newSession)) return
            const { name, attributes } = cookieOf(call)
            const guestId = await call.getSignedCookie(name, call.context.secret)
            if (!guestId) return
            if (!newSession.user.isAnonymous) await mergeGuest(db, guestId, newSession.user.id)
            call.setCookie(name, '', { ...attributes, maxAge: 0 })
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin
