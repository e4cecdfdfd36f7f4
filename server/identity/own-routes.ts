import { AppError } from '../errors.ts'
import { on, type Route } from '../http/routes.ts'
import type { CallerSession, User } from '../http/scope.ts'
import type { WithRelays } from '../relays/relays.ts'
import type { Auth } from './auth.ts'
import {
  changePassword,
  confirmTwoFactor,
  deleteMe,
  endOtherSessions,
  endSession,
  getProofMethods,
  getSecurity,
  giveProof,
  listSessions,
  mailProof,
  prepareTwoFactor,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  showDeletion,
  turnOffTwoFactor,
} from './contract.ts'
import { recordEvent } from './events.ts'
import * as passkeys from './passkeys.ts'
import { deleteAccount, soleOwnerOf } from './profile.ts'
import { FreshProofs } from './proof.ts'
import * as sessions from './sessions.ts'
import * as setPassword from './set-password.ts'
import { securityOf, type TwoFactor } from './two-factor.ts'

const done = { done: true as const }

/** What users do with their own account. */
export function ownRoutes(context: WithRelays, auth: Auth, twoFactor: TwoFactor): Route[] {
  const { db, now } = context
  const proofs = new FreshProofs({ ...context, twoFactor, isPassword: (...given) => auth.isPassword(...given) })
  const own = ({ user, session }: { user: User; session: CallerSession }) => ({ userId: user.id, here: session.id })
  return [
    on(listSessions, async (call) => ({ sessions: await sessions.listSessions(db, own(call), now()) })),
    on(endOtherSessions, async (call) => {
      await sessions.endOtherSessions(context, own(call))
      return done
    }),
    on(endSession, async ({ user, params }) => {
      await sessions.endSession(context, user.id, params.sessionId)
      return done
    }),
    on(getProofMethods, async ({ user }) => ({ methods: await proofs.methodsOf(user) })),
    on(giveProof, async ({ user, session, body }) => {
      await proofs.prove({ user, sessionId: session.id }, body)
      return done
    }),
    on(mailProof, async ({ user, session }) => {
      await proofs.mailCode({ user, sessionId: session.id })
      return done
    }),
    on(getSecurity, async ({ user }) => ({
      password: await setPassword.hasPassword(db, user.id),
      twoFactor: await securityOf(db, user.id),
      passkeys: await passkeys.listPasskeys(db, user.id),
    })),
    on(changePassword, async ({ user, session, body }) => {
      await setPassword.changePassword(context, auth, { user, session, ...body })
      return done
    }),
    on(prepareTwoFactor, ({ user }) => twoFactor.prepare(proven(user))),
    on(confirmTwoFactor, async ({ user, body }) => ({
      recoveryCodes: await twoFactor.confirm(proven(user), body.code),
    })),
    on(turnOffTwoFactor, async ({ user }) => {
      await twoFactor.turnOff(user)
      return done
    }),
    on(renewRecoveryCodes, async ({ user }) => ({ recoveryCodes: await twoFactor.renewCodes(user.id) })),
    on(renamePasskey, async ({ user, params, body }) => {
      await passkeys.renamePasskey(db, { userId: user.id, id: params.passkeyId }, body.name)
      return done
    }),
    on(removePasskey, async ({ user, params }) => {
      await passkeys.removePasskey(context, user, params.passkeyId)
      return done
    }),
    on(showDeletion, async ({ user }) => ({ soleOwnerOf: await soleOwnerOf(db, user.id) })),
    on(deleteMe, async ({ user, reply }) => {
      await deleteAccount(db, user.id)
      await recordEvent(context, { event: 'account_deleted', userId: user.id })
      reply.header('clear-site-data', '"cookies"')
      return done
    }),
  ]
}

/** What somebody adds to an account before its address is proven would stay when the true owner comes. @throws AppError address_unproven */
function proven(user: User): User {
  if (user.isAnonymous || !user.emailVerified) throw new AppError('address_unproven')
  return user
}
