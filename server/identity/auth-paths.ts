/** What a call of the identity library needs, and how often one network may make it in a minute. */
interface AuthPath {
  perMinute: number
  /** A signed-in user; a proven address and a fresh proof as well for `passkey`. */
  needs?: 'session' | 'passkey'
}

/**
 * The calls of the identity library's own API that exist here. Everything else of it is 404. What the library would do without the
 * rules of ours (passwords, links from mails, two-factor, sessions) has an endpoint in `contract.ts` instead.
 */
const authPaths: Readonly<Record<string, AuthPath>> = {
  'POST /sign-up/email': { perMinute: 20 },
  'POST /sign-in/email': { perMinute: 20 },
  'POST /sign-in/social': { perMinute: 20 },
  'POST /sign-in/anonymous': { perMinute: 20 },
  'POST /sign-in/magic-link': { perMinute: 10 },
  'POST /request-password-reset': { perMinute: 10 },
  'POST /send-verification-email': { perMinute: 10 },
  'POST /sign-out': { perMinute: 60 },
  'POST /update-user': { perMinute: 30, needs: 'session' },
  'GET /callback/:provider': { perMinute: 60 },
  'POST /callback/:provider': { perMinute: 60 },
  'GET /passkey/generate-authenticate-options': { perMinute: 60 },
  'POST /passkey/verify-authentication': { perMinute: 20 },
  'GET /passkey/generate-register-options': { perMinute: 20, needs: 'passkey' },
  'POST /passkey/verify-registration': { perMinute: 20, needs: 'passkey' },
}

/** The call of the library at this address, such as `POST /sign-in/email`, with what it needs; or null. */
export function authPath(method: string, url: string): (AuthPath & { name: string }) | null {
  const { pathname } = new URL(url, 'http://here.invalid')
  const path = pathname.replace(/^\/api\/auth/, '').replace(/^\/callback\/[\w-]{1,40}$/, '/callback/:provider')
  const name = `${method} ${path}`
  const found = Object.hasOwn(authPaths, name) ? authPaths[name] : undefined
  return found ? { ...found, name } : null
}
