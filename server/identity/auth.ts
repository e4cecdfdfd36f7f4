import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { bearerOf, type Caller, type User } from '../http/scope.ts'
import { findKey } from '../newsletters/api-keys.ts'
import { type Connections, openConnections } from './connections.ts'
import { recordEvent } from './events.ts'
import { KnownDevices } from './guessing.ts'
import { createLibrary, type IdentityLibrary } from './library.ts'
import { linkIdentifier } from './link-identifier.ts'
import { PasswordHashes } from './password-hashes.ts'
import { absoluteEnd } from './sessions.ts'
import { takeBack } from './take-back.ts'
import { webHeaders, webRequest } from './web-request.ts'

/** The result of a link from a mail. */
export interface LinkResult {
  /** Null when the link was used, has expired or was never sent. */
  outcome: 'login' | 'sign_up' | null
  /** Whether a password was removed that somebody had set before the address was proven. */
  passwordRemoved: boolean
  /** The library's answer, whose cookies are passed on. */
  response: Response
}

/** A session that the second factor is still missing to. */
interface WaitingSession {
  userId: string
  method: string
}

/** Signs people in and finds callers. better-auth keeps the sessions, and we keep the API keys. */
export class Auth {
  readonly devices: KnownDevices
  readonly hashes: PasswordHashes
  readonly #library: IdentityLibrary
  readonly #connections: Connections
  #withPasskeys: Promise<IdentityLibrary> | null = null

  constructor(private readonly context: Context) {
    this.devices = new KnownDevices(context.signer, context.config, context.now)
    this.hashes = new PasswordHashes(context.db)
    this.#connections = openConnections(context)
    this.#library = this.#createLibrary(null)
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  /** Finds the caller. A session that is used lasts longer, and its new cookie is set on `reply` when there is one. */
  async findCaller(request: FastifyRequest, reply: FastifyReply | null): Promise<Caller | null> {
    const bearer = bearerOf(request)
    if (bearer !== null) {
      const key = await findKey(this.context.db, bearer, { now: this.context.now(), ip: request.ip })
      return key && { user: null, key, session: null }
    }
    const found = await this.#findSession(request, reply)
    if (!found || found.session.awaitsCode) return null
    const { id, provenAt, createdAt } = found.session
    return { user: asUser(found.user), key: null, session: { id, provenAt: provenAt ?? createdAt } }
  }

  /** The session of a user who has signed in and owes the code of the second factor, or null. */
  async findWaiting(request: FastifyRequest): Promise<WaitingSession | null> {
    const found = await this.#findSession(request, null)
    if (!found?.session.awaitsCode) return null
    return { userId: found.user.id, method: found.session.method ?? 'unknown' }
  }

  /** Answers a call below /api/auth. */
  async answer(request: FastifyRequest): Promise<Response> {
    const library = request.url.startsWith('/api/auth/passkey/') ? await this.#loadPasskeys() : this.#library
    const response = await library
      .handler(webRequest(this.context.config, request, await this.#headersOf(request)))
      .catch((failure) => this.#explain(failure))
    return response.status >= 500 ? this.#explain(new AppError('internal')) : response
  }

  /** Signs in by the token of a link. Somebody else's preparations in the account end first. */
  async useLink(request: FastifyRequest, token: string): Promise<LinkResult> {
    const takenBack = await this.#takeBackByLink(token)
    const query = new URLSearchParams({ token, callbackURL: '/login', newUserCallbackURL: '/sign_up' })
    const address = `${this.context.config.publicUrl}/api/auth/magic-link/verify?${query}`
    const response = await this.#library
      .handler(new Request(address, { headers: await this.#headersOf(request) }))
      .catch((failure) => this.#explain(failure))
    if (response.status >= 500) await this.#explain(new AppError('internal'))
    const outcome = outcomes.find((each) => response.headers.get('location')?.endsWith(`/${each}`)) ?? null
    return { outcome, passwordRemoved: takenBack?.passwordRemoved ?? false, response }
  }

  /** Starts a session in place of the request's own, with its cookies on the reply. */
  async startSession(request: FastifyRequest, reply: FastifyReply, body: WaitingSession): Promise<void> {
    const asked = { body, headers: await this.#headersOf(request), returnHeaders: true } as const
    const { headers } = await this.#library.api.startSession(asked).catch((failure) => this.#explain(failure))
    reply.header('set-cookie', headers.getSetCookie())
  }

  /** Whose password a mailed token may set, or null. The token is not used up. */
  async findReset(token: string): Promise<string | null> {
    const { internalAdapter } = await this.#library.$context
    const kept = await internalAdapter.findVerificationValue(`reset-password:${token}`)
    return kept && kept.expiresAt > this.context.now() ? kept.value : null
  }

  /** Uses the token of a mail up: of several requests at the same moment one gets the user. */
  async spendReset(token: string): Promise<string | null> {
    const { internalAdapter } = await this.#library.$context
    return (await internalAdapter.consumeVerificationValue(`reset-password:${token}`))?.value ?? null
  }

  async isPassword(userId: string, password: string): Promise<boolean> {
    const { internalAdapter } = await this.#library.$context
    const account = await internalAdapter.findCredentialAccount(userId)
    return account?.password ? this.hashes.verify({ hash: account.password, password }) : false
  }

  #createLibrary(passkeyPlugin: Parameters<typeof createLibrary>[0]['passkeyPlugin']): IdentityLibrary {
    const { context, devices, hashes } = this
    return createLibrary({ context, ownDb: this.#connections.db, devices, hashes, passkeyPlugin })
  }

  /** WebAuthn takes 10 MB of memory, so it is loaded by the first call that needs it. */
  #loadPasskeys(): Promise<IdentityLibrary> {
    this.#withPasskeys ??= import('./passkey-plugin.ts').then(({ passkeys }) =>
      this.#createLibrary(passkeys(this.context)),
    )
    return this.#withPasskeys
  }

  async #takeBackByLink(token: string) {
    const { internalAdapter } = await this.#library.$context
    const kept = await internalAdapter.findVerificationValue(linkIdentifier(token))
    if (!kept || kept.expiresAt < this.context.now()) return null
    const { email } = JSON.parse(kept.value) as { email: string }
    const user = await internalAdapter.findUserByEmail(email)
    const takenBack = user && (await takeBack(this.context.db, user.user.id))
    if (takenBack) await recordEvent(this.context, { event: 'account_taken_back', userId: user.user.id })
    return takenBack
  }

  /**
   * Without the cookie of a session that has ended: the library would answer it with an empty one, which takes the place of the cookie of
   * a session that begins with the same answer.
   */
  async #headersOf(request: FastifyRequest): Promise<Headers> {
    const headers = webHeaders(request)
    const cookies = headers.get('cookie')
    if (cookies === null || (await this.#findSession(request, null))) return headers
    const { name } = (await this.#library.$context).authCookies.sessionToken
    headers.set(
      'cookie',
      cookies
        .split(/; */)
        .filter((pair) => !pair.startsWith(`${name}=`))
        .join('; '),
    )
    return headers
  }

  async #findSession(request: FastifyRequest, reply: FastifyReply | null) {
    if (!request.headers.cookie) return null
    const asked = { headers: webHeaders(request), ...(reply === null && { query: { disableRefresh: true } }) }
    const { response, headers } = await this.#library.api
      .getSession({ ...asked, returnHeaders: true })
      .catch((failure) => this.#explain(failure))
    if (!response || absoluteEnd(response.session.createdAt) <= this.context.now()) return null
    if (reply) for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie)
    return response
  }

  /** The library hides why it failed. A query of our own throws when the database is away. */
  async #explain(failure: unknown): Promise<never> {
    await sql`select`.execute(this.context.db)
    throw isOfNobody(failure) ? new AppError('unauthenticated') : failure
  }
}

/** Whether a session could not begin because its user was deleted meanwhile. */
const isOfNobody = (failure: unknown): boolean =>
  failure instanceof pg.DatabaseError && failure.constraint === 'session_user_id_fkey'

const outcomes = ['login', 'sign_up'] as const

interface SessionUser {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image?: string | null | undefined
  isAnonymous?: boolean | null | undefined
}

const asUser = ({ id, name, email, emailVerified, image, isAnonymous }: SessionUser): User => ({
  id,
  name,
  email,
  emailVerified,
  image: image ?? null,
  isAnonymous: isAnonymous ?? false,
})
