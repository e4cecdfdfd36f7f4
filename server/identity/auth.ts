import { betterAuth } from 'better-auth'
import { anonymous, genericOAuth, magicLink } from 'better-auth/plugins'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Caller, User } from '../http/scope.ts'
import { findKey } from '../newsletters/api-keys.ts'
import { keepEverything } from './keep-everything.ts'
import { mailSignInLink } from './sign-in-mail.ts'

const MIN_PASSWORD = 10
const LINK_SECONDS = 15 * 60
/** Set from what Fastify trusts; whatever a client sends under this name is replaced. */
const IP_HEADER = 'x-tirage-ip'
/** The id of the one OpenID provider that an instance may have. */
export const OIDC = 'oidc'

export interface Auth {
  findCaller(request: FastifyRequest): Promise<Caller | null>
  /** Answers a call below /api/auth. */
  answer(request: FastifyRequest): Promise<Response>
}

/** Who may sign in, how, and who calls. Sessions are better-auth's; API keys are ours. */
export function createAuth(context: Context): Auth {
  const identity = createIdentity(context)
  return {
    answer: (request) => identity.handler(webRequest(context.config, request)),
    async findCaller(request) {
      const bearer = request.headers.authorization
      if (bearer?.startsWith('Bearer ')) {
        const key = await findKey(context.db, bearer.slice(7).trim(), context.now())
        return key && { user: null, key }
      }
      if (!request.headers.cookie) return null
      const session = await identity.api.getSession({
        headers: webHeaders(request),
        query: { disableRefresh: true },
      })
      return session && { user: asUser(session.user), key: null }
    },
  }
}

function createIdentity(context: Context) {
  const { config, db } = context
  return betterAuth({
    appName: 'Tirage',
    baseURL: `${config.publicUrl}/api/auth`,
    secret: config.secret,
    telemetry: { enabled: false },
    logger: { level: 'error', log: (level, message) => context.log[level === 'error' ? 'error' : 'debug'](message) },
    database: { db, type: 'postgres', transaction: true },
    trustedOrigins: (request) => originsOf(config, request),
    user: { fields: { emailVerified: 'email_verified', ...times } },
    session: {
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...times,
      },
      expiresIn: 30 * 24 * 3600,
      updateAge: 24 * 3600,
    },
    account: {
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
      encryptOAuthTokens: true,
    },
    // Nothing here asks for an ID token again, and the library would keep it as it came.
    databaseHooks: { account: { create: { before: withoutIdToken }, update: { before: withoutIdToken } } },
    verification: { fields: { expiresAt: 'expires_at', ...times }, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, url }, request) =>
        mailSignInLink(context, 'reset', { email: user.email, userId: user.id, url }, request?.headers),
    },
    emailVerification: {
      sendOnSignUp: true,
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user, url }, request) =>
        mailSignInLink(context, 'verify', { email: user.email, userId: user.id, url }, request?.headers),
    },
    socialProviders: {
      ...(config.google && { google: config.google }),
      ...(config.github && { github: config.github }),
    },
    plugins: [
      magicLink({
        expiresIn: LINK_SECONDS,
        storeToken: 'hashed',
        sendMagicLink: ({ email, url }, call) =>
          mailSignInLink(context, 'link', { email, userId: null, url }, call?.headers),
      }),
      anonymous({
        schema: { user: { fields: { isAnonymous: 'is_anonymous' } } },
        emailDomainName: 'guest.invalid',
        generateName: () => '',
        onLinkAccount: ({ anonymousUser, newUser }) => keepEverything(db, anonymousUser.user.id, newUser.user.id),
      }),
      genericOAuth({ config: openIdProviders(config) }),
    ],
    advanced: {
      cookiePrefix: 'tirage',
      useSecureCookies: config.publicUrl.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [IP_HEADER] },
      // Explicit, for the library drops both checks when it believes that it is being tested.
      disableCSRFCheck: false,
      disableOriginCheck: false,
    },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 120,
      customRules: {
        '/sign-in/email': { window: 60, max: 20 },
        '/sign-in/magic-link': { window: 60, max: 10 },
        '/sign-in/anonymous': { window: 60, max: 20 },
        '/sign-up/email': { window: 60, max: 20 },
        '/request-password-reset': { window: 60, max: 10 },
        '/get-session': false,
      },
    },
  })
}

const withoutIdToken = async <T extends object>(account: T) => ({ data: { ...account, idToken: null } })

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

function openIdProviders({ oidc }: Config) {
  if (!oidc) return []
  return [
    {
      providerId: OIDC,
      name: oidc.name,
      clientId: oidc.clientId,
      clientSecret: oidc.clientSecret,
      discoveryUrl: `${oidc.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
      requireIdTokenVerification: true,
      pkce: true,
      scopes: ['openid', 'email', 'profile'],
      mapProfileToUser: (profile: Record<string, unknown>) => ({
        name: String(profile.name ?? profile.preferred_username ?? profile.email ?? ''),
        emailVerified: profile.email_verified === true,
      }),
    },
  ]
}

/** Until somebody sets PUBLIC_URL, the instance also answers under whatever name this machine was reached by. */
function originsOf({ publicUrl, port }: Config, request: Request | undefined): string[] {
  const host = request?.headers.get('host')
  const unset = publicUrl === `http://localhost:${port}`
  return [new URL(publicUrl).origin, ...(unset && host ? [`http://${host}`] : [])]
}

/** A parsed body goes on as JSON; only JSON comes this far, so no form of another site is turned into it. */
function webRequest({ publicUrl }: Config, request: FastifyRequest): Request {
  const headers = webHeaders(request)
  const hasBody = request.method !== 'GET' && request.body !== undefined && request.body !== null
  return new Request(`${publicUrl}${request.url}`, {
    method: request.method,
    headers,
    ...(hasBody && { body: JSON.stringify(request.body) }),
  })
}

function webHeaders(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !name.startsWith(':')) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  headers.delete('content-length')
  headers.set(IP_HEADER, request.ip)
  return headers
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
