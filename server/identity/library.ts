import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { createAuthEndpoint, isAPIError } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { cookiePrefix } from '../http/cookie-prefix.ts'
import { recordEvent } from './events.ts'
import type { KnownDevices } from './guessing.ts'
import { newSession } from './new-session.ts'
import type { passkeys } from './passkey-plugin.ts'
import type { PasswordHashes } from './password-hashes.ts'
import { IDLE_DAYS } from './sessions.ts'
import { SignInMailer } from './sign-in-mail.ts'
import { guests, linksByMail, openIdConnect, passwords, socialProviders, verification } from './sign-in-methods.ts'
import { accountFields, ownSessionFields, sessionFields, userFields, verificationFields } from './tables.ts'
import { takeBack } from './take-back.ts'
import { waitingGuests } from './waiting-guests.ts'
import { IP_HEADER } from './web-request.ts'

const DAY_SECONDS = 24 * 3600
const NAME_LENGTH = 120

export type IdentityLibrary = ReturnType<typeof createLibrary>

interface Parts {
  context: Context
  /** Its own connections, because what we do within its transactions needs others (docs/decisions/connections-of-the-identity-library.md). */
  ownDb: Context['db']
  devices: KnownDevices
  hashes: PasswordHashes
  passkeyPlugin: ReturnType<typeof passkeys> | null
}

/** Sets better-auth up: it keeps users, sessions, passwords, passkeys and the accounts at providers. */
export function createLibrary({ context, ownDb, devices, hashes, passkeyPlugin }: Parts) {
  const { config, db, log } = context
  const mailer = new SignInMailer(context)
  const secure = config.publicUrl.startsWith('https:')
  return betterAuth({
    appName: 'Tirage',
    baseURL: `${config.publicUrl}/api/auth`,
    secret: config.secret,
    telemetry: { enabled: false },
    logger: { level: 'error', log: (level, message) => log[level === 'error' ? 'error' : 'debug'](message) },
    database: { db: ownDb, type: 'postgres', transaction: true },
    onAPIError: {
      errorURL: `${config.publicUrl}/login`,
      // The library would answer 500 and hide why.
      onError: (error) => {
        if (!isAPIError(error)) throw error
      },
    },
    trustedOrigins: (request) => originsOf(config, request),
    user: { fields: userFields },
    session: {
      fields: sessionFields,
      additionalFields: ownSessionFields,
      expiresIn: IDLE_DAYS * DAY_SECONDS,
      // Its use is stored once a day.
      updateAge: DAY_SECONDS,
      // What needs a fresh proof asks for ours (`http/fresh-proof.ts`).
      freshAge: 0,
    },
    account: {
      fields: accountFields,
      encryptOAuthTokens: true,
      // The library links only where the provider has proven the address; an unproven account is taken back first (below).
      accountLinking: { requireLocalEmailVerified: false },
    },
    verification: { fields: verificationFields, storeIdentifier: 'hashed' },
    databaseHooks: {
      user: { create: { before: presentable }, update: { before: presentable } },
      session: { create: { before: newSession(context, devices) } },
      account: {
        create: {
          before: async (account) => {
            if (account.providerId !== 'credential' && (await takeBack(db, account.userId)))
              await recordEvent(context, { event: 'account_taken_back', userId: account.userId })
            return withoutIdToken(account)
          },
        },
        update: { before: withoutIdToken },
      },
    },
    emailAndPassword: passwords(config, mailer, hashes),
    emailVerification: verification(context, mailer),
    socialProviders: socialProviders(config),
    plugins: [
      linksByMail(config, mailer),
      guests(context),
      openIdConnect(config),
      sessionStarter,
      waitingGuests(context),
      ...(passkeyPlugin ? [passkeyPlugin] : []),
    ],
    advanced: {
      cookiePrefix: cookiePrefix(config),
      // The library would add a prefix of its own.
      useSecureCookies: false,
      defaultCookieAttributes: { secure, path: '/' },
      ipAddress: { ipAddressHeaders: [IP_HEADER] },
      // Set explicitly, because the library skips both checks when it detects a test.
      disableCSRFCheck: false,
      disableOriginCheck: false,
    },
    // Ours are shared by all processes (`auth-paths.ts`, `guessing.ts`).
    rateLimit: { enabled: false },
  })
}

const ToStart = z.object({ userId: z.string(), method: z.string() })

/** Starts a session for a user whom our own endpoints have recognised. It has no address on the web. */
const sessionStarter = {
  id: 'session-starter',
  endpoints: {
    startSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: ToStart, requireHeaders: true },
      async (call) => {
        const { userId, method } = call.body
        const user = await call.context.internalAdapter.findUserById(userId)
        if (!user) throw new AppError('unauthenticated')
        const { name } = call.context.authCookies.dontRememberToken
        const forget = (await call.getSignedCookie(name, call.context.secret)) === 'true'
        const own = { method, awaitsCode: false }
        const session = await call.context.internalAdapter.createSession(userId, forget, own)
        await setSessionCookie(call, { session, user }, forget)
        return { started: true }
      },
    ),
  },
} satisfies BetterAuthPlugin

// We never use the ID token again, and the library would store it unencrypted.
const withoutIdToken = async <T extends object>(account: T) => ({ data: { ...account, idToken: null } })

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
