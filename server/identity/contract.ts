import { z } from 'zod'
import { Done, endpoint } from '../http/endpoint.ts'
import { languages } from '../languages.ts'

/** The rest of signing in is better-auth's own API below /api/auth. */
const Provider = z.object({ id: z.string(), name: z.string() })

export const listProviders = endpoint('GET /api/identity/providers', {
  access: 'public',
  summary: 'The ways to sign in that this instance offers beside email and password',
  reply: z.object({ providers: z.array(Provider), magicLink: z.boolean(), mailIsCaught: z.boolean() }),
})

export const Profile = z.object({
  mode: z.enum(['auto', 'light', 'dark']),
  language: z.enum(languages).nullable(),
  currency: z.enum(['eur', 'usd']).nullable(),
  timezone: z.string().max(64).nullable(),
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
  reply: z.object({ user: CurrentUser.nullable(), profile: Profile.nullable() }),
})

export const updateProfile = endpoint('PATCH /api/me/profile', {
  access: 'user',
  summary: 'Change colour scheme, language, currency or timezone',
  body: Profile.partial(),
  reply: Profile,
  errors: ['invalid'],
})

export const signInByLink = endpoint('POST /api/identity/sign-in-link', {
  access: 'public',
  summary: 'Sign in with the token of a mailed link. It works once, and never by merely opening an address',
  body: z.object({ token: z.string().min(1).max(200) }),
  reply: z.object({
    event: z.enum(['sign_up', 'login']),
    /** The address was proven only now. A password that was set before, and all sessions, were removed. */
    passwordRemoved: z.boolean(),
  }),
  errors: ['link_used', 'too_many_requests'],
})

export const confirmAddress = endpoint('POST /api/identity/confirmation', {
  access: 'public',
  summary: 'Confirm the address of an account with the token of its mail',
  body: z.object({ token: z.string().min(1).max(2000) }),
  reply: Done,
  errors: ['link_used', 'too_many_requests'],
})

export const deleteMe = endpoint('DELETE /api/me', {
  access: 'user',
  summary: 'Delete the signed-in account; refused while it is the last owner of a newsletter',
  reply: Done,
  errors: ['last_owner'],
})
