import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { networkOf, SharedLimit } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import { refuseCrossSite } from '../http/scope.ts'
import type { WithRelays } from '../relays/relays.ts'
import type { Auth } from './auth.ts'
import { authRoute } from './auth-route.ts'
import { confirmOwn, findConfirmation, spendConfirmation } from './confirmation.ts'
import {
  confirmAddress,
  getMe,
  giveCode,
  listProviders,
  resetPassword,
  showConfirmation,
  showReset,
  signInByLink,
  updateProfile,
} from './contract.ts'
import { recordEvent } from './events.ts'
import { ownRoutes } from './own-routes.ts'
import { passkeyOrigin } from './passkeys.ts'
import { changeProfile, findProfile, presentUser } from './profile.ts'
import * as setPassword from './set-password.ts'
import { OIDC } from './sign-in-methods.ts'
import { takeBack } from './take-back.ts'
import { TwoFactor } from './two-factor.ts'

const TOKENS_A_MINUTE = 20

export function identityRoutes(context: WithRelays, auth: Auth): Route[] {
  const { db, config } = context
  const twoFactor = new TwoFactor(context)
  const tokens = new SharedLimit(context.pool, { name: 'token', points: TOKENS_A_MINUTE, seconds: 60 })
  /** For calls that change who is signed in. Another site must not sign its visitors in to an account of its own. */
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseCrossSite(request, config.publicUrl)
    await tokens.take(networkOf(request.ip))
    reply.header('cache-control', 'no-store')
  }
  const providers = [
    ...(config.google ? [{ id: 'google', name: 'Google' }] : []),
    ...(config.github ? [{ id: 'github', name: 'GitHub' }] : []),
    ...(config.oidc ? [{ id: OIDC, name: config.oidc.name }] : []),
  ]
  return [
    authRoute(context, auth),
    ...ownRoutes(context, auth, twoFactor),
    on(listProviders, async () => ({
      providers,
      magicLink: true,
      mailIsCaught: await context.relays.caught(null),
      passkeyOrigin: passkeyOrigin(config),
    })),
    on(getMe, async ({ caller, request, reply }) => {
      reply.header('cache-control', 'no-store')
      if (!caller?.user) {
        const waiting = caller === null ? await auth.findWaiting(request) : null
        return { user: null, profile: null, awaitsCode: waiting !== null }
      }
      const profile = await findProfile(db, caller.user.id)
      return { user: presentUser(caller.user), profile, awaitsCode: false }
    }),
    on(signInByLink, async ({ body, request, reply }) => {
      await begin(request, reply)
      const { outcome, passwordRemoved, response } = await auth.useLink(request, body.token)
      if (outcome === null) {
        await recordEvent(context, { event: 'sign_in_failed', reason: 'link_used' })
        throw new AppError('link_used')
      }
      reply.header('set-cookie', response.headers.getSetCookie())
      return { event: outcome, passwordRemoved }
    }),
    on(giveCode, async ({ body, request, reply }) => {
      await begin(request, reply)
      const waiting = await auth.findWaiting(request)
      if (!waiting) throw new AppError('unauthenticated')
      await twoFactor.use(waiting.userId, body.code).catch(async (refusal: unknown) => {
        await recordEvent(context, { event: 'sign_in_failed', reason: 'wrong_code', userId: waiting.userId })
        throw refusal
      })
      await auth.startSession(request, reply, waiting)
      return { done: true as const }
    }),
    on(showConfirmation, async ({ body, request, reply }) => {
      await begin(request, reply)
      const { email } = await findConfirmation(db, body.token)
      return { email }
    }),
    on(confirmAddress, async ({ body, caller, request, reply }) => {
      await begin(request, reply)
      const confirm = new Confirmation(context, auth)
      const { userId } = await confirm.by(body, caller?.user?.id ?? null)
      if (userId) await auth.startSession(request, reply, { userId, method: 'link' })
      return { takenBack: userId !== null }
    }),
    on(showReset, async ({ body, request, reply }) => {
      await begin(request, reply)
      return { email: await setPassword.addressOfReset(context, auth, body.token) }
    }),
    on(resetPassword, async ({ body, request, reply }) => {
      await begin(request, reply)
      await setPassword.resetPassword(context, auth, body)
      return { done: true as const }
    }),
    on(updateProfile, ({ user, body }) => changeProfile(db, user.id, body)),
  ]
}

interface Given {
  token: string
  password?: string | undefined
  takeBack?: true | undefined
}

/**
 * Confirms the address of an account. The mail alone does not show that its reader opened the account: anybody can sign up with
 * anybody's address. So its reader is signed in to it, knows its password, or takes it back.
 */
class Confirmation {
  readonly #guesses: SharedLimit

  constructor(
    private readonly context: Context,
    private readonly auth: Auth,
  ) {
    this.#guesses = new SharedLimit(context.pool, { name: 'confirmation', points: 10, seconds: 3600 })
  }

  /**
   * @returns the user who took the account back and is to be signed in, or null
   * @throws AppError link_used, not_the_opener, wrong_proof, too_many_requests
   */
  async by({ token, password, takeBack: takes }: Given, callerId: string | null): Promise<{ userId: string | null }> {
    const { db } = this.context
    const { userId } = await findConfirmation(db, token)
    if (takes) {
      await spendConfirmation(db, token)
      if (!(await takeBack(db, userId))) return { userId: null }
      await recordEvent(this.context, { event: 'account_taken_back', userId })
      return { userId }
    }
    if (callerId !== userId) await this.#requirePassword(userId, password)
    await confirmOwn(db, { userId, token })
    await recordEvent(this.context, { event: 'address_proven', userId })
    return { userId: null }
  }

  async #requirePassword(userId: string, password: string | undefined): Promise<void> {
    if (password === undefined) throw new AppError('not_the_opener')
    await this.#guesses.take(userId)
    if (!(await this.auth.isPassword(userId, password))) throw new AppError('wrong_proof', { field: 'password' })
  }
}
