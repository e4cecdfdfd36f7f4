import { z } from 'zod'
import { Done, endpoint, line } from '../http/endpoint.ts'
import { languages } from '../languages.ts'

/** What is longer is no password or code of ours. */
const MAX_GIVEN = 200
const NewPassword = z.string().max(MAX_GIVEN)
const Code = z.string().min(6).max(40)
const Token = z.string().min(1).max(200)

/** The rest of signing in is better-auth's own API below /api/auth. */
const Provider = z.object({ id: z.string(), name: z.string() })

export const listProviders = endpoint('GET /api/identity/providers', {
  access: 'public',
  summary: 'The ways to sign in that this instance offers beside email and password',
  reply: z.object({
    providers: z.array(Provider),
    magicLink: z.boolean(),
    mailIsCaught: z.boolean(),
    /** The one address at which passkeys work, or null where they cannot. */
    passkeyOrigin: z.string().nullable(),
  }),
})

export const Profile = z.object({
  mode: z.enum(['auto', 'light', 'dark']),
  language: z.enum(languages).nullable(),
  currency: z.enum(['eur', 'usd']).nullable(),
  timezone: z.string().max(64).nullable(),
  /** Whether shortcuts of a single key work. */
  singleKeys: z.boolean(),
})

export const CurrentUser = z.object({
  uid: z.string(),
  displayName: z.string(),
  email: z.string(),
  photoURL: z.string().nullable(),
  emailVerified: z.boolean(),
  anonymous: z.boolean(),
})

export const getMe = endpoint('GET /api/me', {
  access: 'public',
  summary: 'Who is signed in, or null',
  reply: z.object({
    user: CurrentUser.nullable(),
    profile: Profile.nullable(),
    /** Somebody has signed in and still owes the code of the second factor. */
    awaitsCode: z.boolean(),
  }),
})

export const updateProfile = endpoint('PATCH /api/me/profile', {
  access: 'user',
  summary: 'Change colour scheme, language, currency, timezone or shortcuts',
  body: Profile.partial(),
  reply: Profile,
  errors: ['invalid'],
})

export const signInByLink = endpoint('POST /api/identity/sign-in-link', {
  access: 'public',
  summary: 'Sign in with the token of a mailed link. It works once, and never by merely opening an address',
  body: z.object({ token: Token }),
  reply: z.object({
    event: z.enum(['sign_up', 'login']),
    /** The address was proven only now. A password that was set before, and all sessions, were removed. */
    passwordRemoved: z.boolean(),
  }),
  errors: ['link_used', 'unauthenticated', 'too_many_requests'],
})

export const giveCode = endpoint('POST /api/identity/second-factor', {
  access: 'public',
  summary: 'Finish signing in with a code of the authenticator app, or with a recovery code',
  body: z.object({ code: Code }),
  reply: Done,
  errors: ['unauthenticated', 'wrong_code', 'too_many_requests'],
})

export const showConfirmation = endpoint('POST /api/identity/confirmation/address', {
  access: 'public',
  summary: 'Which address the token of a mail confirms',
  body: z.object({ token: Token }),
  reply: z.object({ email: z.string() }),
  errors: ['link_used', 'too_many_requests'],
})

export const confirmAddress = endpoint('POST /api/identity/confirmation', {
  access: 'public',
  summary: 'Confirm the address of an account with the token of its mail',
  body: z.object({
    token: Token,
    /** In a browser that is not signed in to the account: its password, which shows that the same person opened it. */
    password: z.string().max(MAX_GIVEN).optional(),
    /** Without that password: end everything that was prepared in the account, and sign in. */
    takeBack: z.literal(true).optional(),
  }),
  reply: z.object({ takenBack: z.boolean() }),
  errors: ['link_used', 'not_the_opener', 'wrong_proof', 'unauthenticated', 'too_many_requests'],
})

export const showReset = endpoint('POST /api/identity/reset/address', {
  access: 'public',
  summary: 'Whose password the token of a mail sets',
  body: z.object({ token: Token }),
  reply: z.object({ email: z.string() }),
  errors: ['link_used', 'too_many_requests'],
})

export const resetPassword = endpoint('POST /api/identity/reset', {
  access: 'public',
  summary: 'Set a new password with the token of a mail. Sessions, passkeys and API keys of the account end',
  body: z.object({ token: Token, password: NewPassword }),
  reply: Done,
  errors: ['link_used', 'invalid', 'too_many_requests'],
})

export const changePassword = endpoint('PUT /api/me/password', {
  access: 'user',
  summary: 'Set a password. All other sessions end',
  freshProof: true,
  body: z.object({ password: NewPassword }),
  reply: Done,
  errors: ['invalid', 'address_unproven', 'proof_needed'],
})

export const showDeletion = endpoint('GET /api/me/deletion', {
  access: 'user',
  summary: 'The newsletters that nobody else owns: while there is one, the account cannot be deleted',
  reply: z.object({ soleOwnerOf: z.array(z.object({ id: z.string(), name: z.string() })) }),
})

export const deleteMe = endpoint('DELETE /api/me', {
  access: 'user',
  summary: 'Delete the signed-in account; refused while it is the last owner of a newsletter',
  freshProof: true,
  reply: Done,
  errors: ['last_owner', 'proof_needed'],
})

/** How somebody can sign in; providers by their id. */
export const signInMeans = ['password', 'link', 'passkey', 'guest', 'google', 'github', 'oidc', 'unknown'] as const
export type SignInMeans = (typeof signInMeans)[number]

/** Why somebody could not. */
export const signInFailures = [
  'no_match',
  'unproven_address',
  'too_many_guesses',
  'wrong_code',
  'link_used',
  'refused',
] as const
export type SignInFailure = (typeof signInFailures)[number]

const Session = z.object({
  id: z.string(),
  /** Whether it is the caller's own. */
  here: z.boolean(),
  userAgent: z.string().nullable(),
  /** `password`, `link`, `passkey`, `guest`, or the id of a provider. */
  method: z.string().nullable(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
})

export const listSessions = endpoint('GET /api/me/sessions', {
  access: 'user',
  summary: 'Where the caller is signed in',
  reply: z.object({ sessions: z.array(Session) }),
})

export const endOtherSessions = endpoint('DELETE /api/me/sessions', {
  access: 'user',
  summary: 'Sign out everywhere else',
  reply: Done,
})

export const endSession = endpoint('DELETE /api/me/sessions/:sessionId', {
  access: 'user',
  summary: 'Sign out in one place',
  params: z.object({ sessionId: z.string() }),
  reply: Done,
  errors: ['not_found'],
})

const ProofMethod = z.enum(['passkey', 'code', 'password', 'mail'])

export const getProofMethods = endpoint('GET /api/me/proof', {
  access: 'user',
  summary: 'What the caller can prove with that it is them. A passkey proves by signing in with it again',
  reply: z.object({ methods: z.array(ProofMethod) }),
})

export const giveProof = endpoint('POST /api/me/proof', {
  access: 'user',
  summary: 'Prove afresh who the caller is. It counts for ten minutes, in this session',
  body: z.object({ method: ProofMethod, secret: z.string().min(1).max(MAX_GIVEN) }),
  reply: Done,
  errors: ['wrong_proof', 'wrong_code', 'other_proof', 'too_many_requests'],
})

export const mailProof = endpoint('POST /api/me/proof/mail', {
  access: 'user',
  summary: 'Mail a code to prove with, for who has neither a password nor two-factor',
  reply: Done,
  errors: ['other_proof', 'too_many_requests'],
})

const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})

export const getSecurity = endpoint('GET /api/me/security', {
  access: 'user',
  summary: 'Password, two-factor and passkeys of the caller, without their secrets',
  reply: z.object({
    password: z.boolean(),
    twoFactor: z.object({ since: z.iso.datetime(), recoveryCodes: z.int() }).nullable(),
    passkeys: z.array(Passkey),
  }),
})

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const prepareTwoFactor = endpoint('POST /api/me/two-factor', {
  access: 'user',
  summary: 'Make the secret of an authenticator app. It counts once a code has confirmed it',
  freshProof: true,
  /** `qr` is an SVG image. */
  reply: z.object({ secret: z.string(), qr: z.string() }),
  errors: ['two_factor_on', 'address_unproven', 'proof_needed'],
})

export const confirmTwoFactor = endpoint('POST /api/me/two-factor/confirmation', {
  access: 'user',
  summary: 'Turn two-factor on with a code of the app. The recovery codes are shown once',
  freshProof: true,
  body: z.object({ code: Code }),
  reply: RecoveryCodes,
  errors: ['wrong_code', 'two_factor_on', 'address_unproven', 'proof_needed', 'too_many_requests'],
})

export const turnOffTwoFactor = endpoint('DELETE /api/me/two-factor', {
  access: 'user',
  summary: 'Turn two-factor off; its recovery codes end',
  freshProof: true,
  reply: Done,
  errors: ['proof_needed'],
})

export const renewRecoveryCodes = endpoint('POST /api/me/recovery-codes', {
  access: 'user',
  summary: 'Make new recovery codes; the old ones end',
  freshProof: true,
  reply: RecoveryCodes,
  errors: ['two_factor_off', 'proof_needed'],
})

export const renamePasskey = endpoint('PATCH /api/me/passkeys/:passkeyId', {
  access: 'user',
  summary: 'Give a passkey another name',
  params: z.object({ passkeyId: z.string() }),
  body: z.object({ name: line(60) }),
  reply: Done,
  errors: ['not_found'],
})

export const removePasskey = endpoint('DELETE /api/me/passkeys/:passkeyId', {
  access: 'user',
  summary: 'Remove a passkey',
  freshProof: true,
  params: z.object({ passkeyId: z.string() }),
  reply: Done,
  errors: ['not_found', 'proof_needed'],
})
