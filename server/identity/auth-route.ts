import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { line } from '../http/endpoint.ts'
import { requireFreshProof } from '../http/fresh-proof.ts'
import { networkOf, SharedLimit } from '../http/limits.ts'
import type { Route } from '../http/routes.ts'
import { refuseCrossSite } from '../http/scope.ts'
import { textFields } from '../http/text-fields.ts'
import { noticeMail } from './account-mail.ts'
import type { Auth } from './auth.ts'
import { refuseWrongFields } from './auth-forms.ts'
import { authPath } from './auth-paths.ts'
import type { SignInMeans } from './contract.ts'
import { recordEvent, recordFailure } from './events.ts'
import { PasswordGuesses } from './guessing.ts'
import { GuestLimits } from './guest-limits.ts'
import { screenFor } from './mailed-link.ts'
import { requireRoomForPasskey } from './passkeys.ts'
import { refuseForeignReturn } from './return-address.ts'

/** The calls of better-auth's own API that exist here, behind our limits. The library itself refuses other sites. */
export function authRoute(context: Context, auth: Auth): Route {
  const { config } = context
  const calls = new AuthCalls(context, auth)
  return {
    method: 'GET, POST',
    path: '/api/auth/*',
    access: 'public',
    register: (app) =>
      app.route({
        method: ['GET', 'POST'],
        url: '/api/auth/*',
        schema: { hide: true },
        handler: async (request, reply) => {
          const screen = request.method === 'GET' ? screenFor(config, request.url) : null
          if (screen) return reply.header('cache-control', 'no-store').redirect(screen, 302)
          const type = request.headers['content-type']
          if (type && !type.startsWith('application/json')) throw new AppError('unsupported_media_type')
          refuseCrossSite(request, config.publicUrl)
          refuseForeignReturn(request)
          return pass(await calls.answer(request), reply)
        },
      }),
  }
}

/** How somebody signs up, by the call. */
const signUps: Readonly<Record<string, SignInMeans>> = {
  'POST /sign-up/email': 'password',
  'POST /sign-in/anonymous': 'guest',
}
const NewUser = z.object({ user: z.object({ id: z.string() }) })

class AuthCalls {
  readonly #guesses: PasswordGuesses
  readonly #guests: GuestLimits
  readonly #limits = new Map<number, SharedLimit>()

  constructor(
    private readonly context: Context,
    private readonly auth: Auth,
  ) {
    this.#guesses = new PasswordGuesses(context, auth.devices)
    this.#guests = new GuestLimits(context)
  }

  /** @throws AppError not_found, too_many_requests, and what the call needs */
  async answer(request: FastifyRequest): Promise<Response> {
    const call = authPath(request.method, request.url)
    if (!call) throw new AppError('not_found')
    await this.#limitOf(call.perMinute).take(`${call.name} ${networkOf(request.ip)}`)
    const { email = '', password = '', name = '' } = textFields(request.body)
    refuseWrongFields(call.name, { email, password, name })
    if (call.needs) await this.#admit(request, call.needs)
    if (call.name === 'POST /sign-in/anonymous') await this.#guests.require(request.ip)
    if (call.name === 'POST /sign-in/email') return this.#signIn(request, { email, password })
    if (call.name === 'POST /passkey/verify-registration') {
      if (!line(60).safeParse(name).success) throw new AppError('invalid', { fields: { name: 'wrong' } })
      return this.#addPasskey(request)
    }
    const response = await this.auth.answer(request)
    await this.#noteSignUp(call.name, response)
    if (call.name === 'POST /passkey/verify-authentication' && !response.ok) this.#failed(request, 'refused')
    return response
  }

  /** Only now: while the library makes the account, no other connection sees it. */
  async #noteSignUp(name: string, response: Response): Promise<void> {
    const method = signUps[name]
    if (!method || !response.ok) return
    const { user } = NewUser.parse(await response.clone().json())
    await recordEvent(this.context, { event: 'signed_up', userId: user.id, method })
  }

  async #signIn(request: FastifyRequest, { email, password }: { email: string; password: string }): Promise<Response> {
    const cookie = request.cookies[this.auth.devices.cookieName]
    const succeeded = await this.#guesses.begin(email, cookie).catch((refusal: unknown) => {
      this.#failed(request, 'too_many_guesses')
      throw refusal
    })
    const response = await this.auth.answer(request)
    if (response.ok) await this.auth.hashes.renew(email, password)
    // A right password of an unproven address is refused with another status.
    if (response.ok || response.status === 403) await succeeded()
    else this.#failed(request, 'no_match')
    return response
  }

  async #addPasskey(request: FastifyRequest): Promise<Response> {
    const caller = await this.auth.findCaller(request, null)
    const response = await this.auth.answer(request)
    if (response.ok && caller?.user) {
      const { id: userId, email } = caller.user
      await recordEvent(this.context, { event: 'passkey_added', userId })
      await noticeMail(this.context.db, { userId, email }, 'passkey_added')
    }
    return response
  }

  async #admit(request: FastifyRequest, needs: 'session' | 'passkey'): Promise<void> {
    const caller = await this.auth.findCaller(request, null)
    if (!caller?.user) throw new AppError('unauthenticated')
    if (needs === 'session') return
    await requireRoomForPasskey(this.context.db, caller.user)
    requireFreshProof(caller, this.context.now())
  }

  #failed(request: FastifyRequest, reason: 'no_match' | 'too_many_guesses' | 'refused'): void {
    recordFailure(this.context, textFields(request.body).email ?? '', reason)
  }

  #limitOf(points: number): SharedLimit {
    const limit = this.#limits.get(points) ?? new SharedLimit(this.context.pool, { name: 'auth', points, seconds: 60 })
    this.#limits.set(points, limit)
    return limit
  }
}

/** Each cookie stays a header of its own. Cookies that are joined by commas cannot be separated again. */
async function pass(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status).header('cache-control', 'no-store')
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return reply.serializer((text: string) => text).send(await response.text())
}
