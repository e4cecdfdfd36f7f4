import { betterAuth } from 'better-auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Caller, User } from '../http/scope.ts'
import { findKey } from '../newsletters/api-keys.ts'
import { SignInMailer } from './sign-in-mail.ts'
import { guests, linksByMail, openIdConnect, passwords, socialProviders, verification } from './sign-in-methods.ts'
import { accountFields, sessionFields, userFields, verificationFields } from './tables.ts'
import { IP_HEADER, webHeaders, webRequest } from './web-request.ts'

const DAY_SECONDS = 24 * 3600

/** The result of a link from a mail. */
export interface LinkResult {
  /** Null when the link was used, has expired or was never sent. */
  outcome: 'login' | 'sign_up' | null
  /** Whether a password was removed that somebody had set before the address was proven. */
  passwordRemoved: boolean
  /** The library's answer, whose cookies are passed on. */
  response: Response
}

export interface Auth {
  /** Finds the caller. A session that is used lasts longer, and its new cookie is set on `reply` when there is one. */
  findCaller(request: FastifyRequest, reply: FastifyReply | null): Promise<Caller | null>
  /** Answers a call below /api/auth. */
  answer(request: FastifyRequest): Promise<Response>
  /** Signs in by the token of a link. */
  useLink(request: FastifyRequest, token: string): Promise<LinkResult>
  /** Confirms an address by the token of its mail. */
  confirmAddress(request: FastifyRequest, token: string): Promise<LinkResult>
}

/** Signs people in and finds callers. better-auth keeps the sessions, and we keep the API keys. */
export function createAuth(context: Context): Auth {
  const passwordsRemoved = new WeakSet<Request>()
  const identity = createIdentity(context, (request) => passwordsRemoved.add(request))
  /** The library hides why it failed. A query of our own throws when the database is away. */
  const explain = async (failure: unknown): Promise<never> => {
    await sql`select`.execute(context.db)
    throw failure
  }
  const spendToken = async (
    request: FastifyRequest,
    path: string,
    query: Record<string, string>,
  ): Promise<LinkResult> => {
    const address = `${context.config.publicUrl}/api/auth/${path}?${new URLSearchParams(query)}`
    const asked = new Request(address, { headers: webHeaders(request) })
    const response = await identity.handler(asked)
    if (response.status >= 500) await explain(new AppError('internal'))
    const outcome = outcomes.find((each) => response.headers.get('location')?.endsWith(`/${each}`)) ?? null
    return { outcome, passwordRemoved: passwordsRemoved.has(asked), response }
  }
  return {
    async answer(request) {
      const response = await identity.handler(webRequest(context.config, request))
      return response.status >= 500 ? explain(new AppError('internal')) : response
    },
    useLink: (request, token) =>
      spendToken(request, 'magic-link/verify', { token, callbackURL: '/login', newUserCallbackURL: '/sign_up' }),
    confirmAddress: (request, token) => spendToken(request, 'verify-email', { token, callbackURL: '/login' }),
    async findCaller(request, reply) {
      const bearer = request.headers.authorization
      if (bearer?.startsWith('Bearer ')) {
        const key = await findKey(context.db, bearer.slice(7).trim(), { now: context.now(), ip: request.ip })
        return key && { user: null, key }
      }
      if (!request.headers.cookie) return null
      const asked = { headers: webHeaders(request), ...(reply === null && { query: { disableRefresh: true } }) }
      const { response, headers } = await identity.api.getSession({ ...asked, returnHeaders: true }).catch(explain)
      if (reply && response) for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie)
      return response && { user: asUser(response.user), key: null }
    },
  }
}

const outcomes = ['login', 'sign_up'] as const

function createIdentity(context: Context, onPasswordRemoved: (request: Request) => void) {
  const { config, db, log } = context
  const mailer = new SignInMailer(context)
  return betterAuth({
    appName: 'Tirage',
    baseURL: `${config.publicUrl}/api/auth`,
    secret: config.secret,
    telemetry: { enabled: false },
    logger: { level: 'error', log: (level, message) => log[level === 'error' ? 'error' : 'debug'](message) },
    database: { db, type: 'postgres', transaction: true },
    onAPIError: { errorURL: `${config.publicUrl}/login` },
    trustedOrigins: (request) => originsOf(config, request),
    user: { fields: userFields },
    // A session ends 30 days after its last use. Its use is stored once a day.
    session: { fields: sessionFields, expiresIn: 30 * DAY_SECONDS, updateAge: DAY_SECONDS },
    account: { fields: accountFields, encryptOAuthTokens: true },
    verification: { fields: verificationFields, storeIdentifier: 'hashed' },
    databaseHooks: {
      user: { create: { before: presentable }, update: { before: presentable } },
      account: {
        // We never use the ID token again, and the library would store it unencrypted.
        create: { before: withoutIdToken },
        update: { before: withoutIdToken },
        delete: {
          after: async ({ providerId }, call) => {
            if (providerId === 'credential' && call?.request) onPasswordRemoved(call.request)
          },
        },
      },
    },
    emailAndPassword: passwords(context, mailer),
    emailVerification: verification(config, mailer),
    socialProviders: socialProviders(config),
    plugins: [linksByMail(config, mailer), guests(context), openIdConnect(config)],
    advanced: {
      cookiePrefix: 'tirage',
      useSecureCookies: config.publicUrl.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [IP_HEADER] },
      // Set explicitly, because the library skips both checks when it detects a test.
      disableCSRFCheck: false,
      disableOriginCheck: false,
    },
    rateLimit,
  })
}

/** The number of calls that one network may make in `window` seconds. */
const rateLimit = {
  enabled: true,
  window: 60,
  max: 120,
  customRules: {
    '/sign-in/email': { window: 60, max: 20 },
    '/sign-in/magic-link': { window: 60, max: 10 },
    '/magic-link/verify': { window: 60, max: 20 },
    '/sign-in/anonymous': { window: 60, max: 20 },
    '/sign-up/email': { window: 60, max: 20 },
    '/request-password-reset': { window: 60, max: 10 },
    '/send-verification-email': { window: 60, max: 10 },
    '/get-session': false,
  },
} as const

const withoutIdToken = async <T extends object>(account: T) => ({ data: { ...account, idToken: null } })

const NAME_LENGTH = 120

/** Names are shown in mails to others, and pictures are loaded by other people's browsers. */
const presentable = async <T extends { name?: unknown; image?: unknown }>(user: T) => ({
  data: {
    ...user,
    ...(typeof user.name === 'string' && { name: plainLine(user.name) }),
    ...(typeof user.image === 'string' && !/^https:\/\/\S{1,2000}$/i.test(user.image) && { image: null }),
  },
})

const plainLine = (text: string): string =>
  text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH)
    .toWellFormed()

/** Without PUBLIC_URL, the instance also answers under any name that this machine is reached by. */
function originsOf({ publicUrl, port }: Config, request: Request | undefined): string[] {
  const host = request?.headers.get('host')
  const unset = publicUrl === `http://localhost:${port}`
  return [new URL(publicUrl).origin, ...(unset && host ? [`http://${host}`] : [])]
}

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
