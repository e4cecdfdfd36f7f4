import type { BetterAuthOptions } from 'better-auth'
import { anonymous, genericOAuth, magicLink } from 'better-auth/plugins'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { publicId } from '../database/ids.ts'
import { isScreen } from '../http/studio-paths.ts'
import { acceptedLanguage, defaultLanguage } from '../languages.ts'
import { mergeGuest } from '../personal-data/merge.ts'
import { makeConfirmation } from './confirmation.ts'
import { guestName } from './guest-name.ts'
import { linkIdentifier } from './link-identifier.ts'
import { confirmationAddress } from './mailed-link.ts'
import type { PasswordHashes } from './password-hashes.ts'
import { MAX_PASSWORD, MIN_PASSWORD } from './password-rules.ts'
import type { SignInMailer } from './sign-in-mail.ts'
import { awaitsCode, keepGuest } from './waiting-guests.ts'

const LINK_SECONDS = 15 * 60
/** The id of the one OpenID provider that an instance may have. */
export const OIDC = 'oidc'

export const passwords = (config: Config, mailer: SignInMailer, { hash, verify }: PasswordHashes) =>
  ({
    enabled: true,
    minPasswordLength: MIN_PASSWORD,
    maxPasswordLength: MAX_PASSWORD,
    password: { hash, verify },
    sendResetPassword: ({ user, token }, request) => {
      const url = confirmationAddress(config, 'reset', { token })
      return mailer.send('reset', { email: user.email, userId: user.id, url, headers: request?.headers })
    },
  }) satisfies BetterAuthOptions['emailAndPassword']

export const verification = ({ config, db }: Pick<Context, 'config' | 'db'>, mailer: SignInMailer) =>
  ({
    sendOnSignUp: true,
    autoSignInAfterVerification: false,
    // The library's own token works for an hour, as often as one likes.
    sendVerificationEmail: async ({ user, url }, request) => {
      const token = await makeConfirmation(db, user.email)
      const address = confirmationAddress(config, 'verify', { token, ...keptIn(url) })
      await mailer.send('verify', { email: user.email, userId: user.id, url: address, headers: request?.headers })
    },
  }) satisfies BetterAuthOptions['emailVerification']

export const linksByMail = (config: Config, mailer: SignInMailer) =>
  magicLink({
    expiresIn: LINK_SECONDS,
    storeToken: { type: 'custom-hasher', hash: async (token) => linkIdentifier(token) },
    sendMagicLink: ({ email, token, url }, call) => {
      const address = confirmationAddress(config, 'link', { token, ...keptIn(url) })
      return mailer.send('link', { email, userId: null, url: address, headers: call?.headers })
    },
  })

/** Passes on which product somebody signs up for, and which screen they wanted to see, until they are signed in. */
function keptIn(url: string): { product?: string; from?: string } {
  const after = new URL(url).searchParams.get('callbackURL') ?? ''
  const query = new URLSearchParams(after.split('?')[1])
  const product = query.get('product')
  const from = query.get('from')
  return { ...(product && { product }), ...(isScreen(from) && { from }) }
}

export const guests = ({ db }: Context) =>
  anonymous({
    schema: { user: { fields: { isAnonymous: 'is_anonymous' } } },
    // It is shown to the guest. The domain can never receive mail (RFC 2606 section 2).
    generateRandomEmail: () => `guest-${publicId(12).toLowerCase()}@guest.invalid`,
    // It stands beside what a guest did, in the members and in the audit.
    generateName: ({ headers }) =>
      guestName(acceptedLanguage(headers?.get('accept-language') ?? undefined, defaultLanguage)),
    // The merge deletes the guest, and only once the sign-in is complete.
    disableDeleteAnonymousUser: true,
    onLinkAccount: ({ anonymousUser, newUser, ctx }) => {
      const guestId = anonymousUser.user.id
      return awaitsCode(newUser) ? keepGuest(ctx, guestId) : mergeGuest(db, guestId, newUser.user.id)
    },
  })

export const socialProviders = ({ google, github }: Config): NonNullable<BetterAuthOptions['socialProviders']> => ({
  ...(google && { google }),
  ...(github && { github }),
})

export const openIdConnect = (config: Config) => genericOAuth({ config: openIdProviders(config) })

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
