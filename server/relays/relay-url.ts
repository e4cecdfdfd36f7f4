import { relayAddress } from '../mail/smtp/address.ts'

/**
 * A relay as one address: `smtps://user:password@host`, `smtp://…` (STARTTLS; none on this machine, or with
 * `?security=none`), `ses://KEY:SECRET@region?configuration-set=name`, `postmark://TOKEN@stream`,
 * `mailgun://KEY@domain?region=eu`, `resend://KEY@`.
 *
 * Null when it is none of these; what the parts may be is the contract's to say.
 */
export function relayOfUrl(text: string): { way: unknown; secret: string | null } | null {
  const parts = partsOf(text)
  if (!parts) return null
  const { user, password, host, query } = parts
  switch (parts.protocol) {
    case 'smtp':
    case 'smtps':
      return smtp(text, query)
    case 'ses': {
      const configurationSet = query.get('configuration-set')
      return { way: { kind: 'ses', region: host, accessKeyId: user, configurationSet }, secret: password }
    }
    case 'postmark':
      return { way: { kind: 'postmark', messageStream: host || 'broadcast' }, secret: user }
    case 'mailgun':
      return { way: { kind: 'mailgun', domain: host, region: query.get('region') ?? 'us' }, secret: user }
    case 'resend':
      return { way: { kind: 'resend' }, secret: user }
    default:
      return null
  }
}

/** By hand: URL makes small letters of a host in some schemes and wants one in all. */
function partsOf(text: string) {
  const found = /^([a-z]+):\/\/(?:([^:@/]*)(?::([^@]*))?@)?([^/?]*)\/?(\?.*)?$/.exec(text)
  if (!found) return null
  const [, protocol = '', user, password, host = '', query] = found
  const plain = (part: string | undefined) => (part ? decodeURIComponent(part) : null)
  return { protocol, user: plain(user), password: plain(password), host, query: new URLSearchParams(query) }
}

function smtp(text: string, query: URLSearchParams) {
  if (!URL.canParse(text)) return null
  const { host, port, secure, credentials } = relayAddress(text)
  const local = ['localhost', '127.0.0.1', '::1'].includes(host)
  const security = query.get('security') ?? (secure ? 'tls' : local ? 'none' : 'starttls')
  const way = { kind: 'smtp' as const, host, port, security, username: credentials?.user ?? null }
  return { way, secret: credentials?.secret || null }
}
