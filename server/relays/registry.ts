import { isIP } from 'node:net'
import type { Relay } from '../mail/relay.ts'
import { greetingName } from '../mail/smtp/address.ts'
import { SmtpRelay } from '../mail/smtp/smtp-relay.ts'
import { isPublic, NotPublic, publicLookup } from '../net/public-address.ts'
import type { RelayConfig, RelayKind } from './contract.ts'
import { HttpRelay } from './providers/http-relay.ts'
import { mailgun } from './providers/mailgun.ts'
import { postmark } from './providers/postmark.ts'
import type { Provider } from './providers/provider.ts'
import { resend } from './providers/resend.ts'
import { ses } from './providers/ses.ts'

export interface Opening {
  secret: string | null
  connections: number
  /** Ours, as SMTP servers and `greetingName` want it. */
  publicUrl: string
  /** In the place of every provider; null: the providers themselves. */
  gateway: string | null
  /** Whether it may be in a private network: what the operator set up may. */
  mayBePrivate: boolean
}

type Way<K extends RelayKind> = Extract<RelayConfig, { kind: K }>
type Open<K extends RelayKind> = (way: Way<K>, opening: Opening) => Relay

/** THE LIST of what a relay can be. */
const kinds: { [K in RelayKind]: Open<K> } = {
  smtp: openSmtp,
  ses: (way, opening) => overHttp(ses(way, opening.secret ?? ''), opening),
  postmark: (way, opening) => overHttp(postmark(way, opening.secret ?? ''), opening),
  mailgun: (way, opening) => overHttp(mailgun(way, opening.secret ?? ''), opening),
  resend: (_way, opening) => overHttp(resend(opening.secret ?? ''), opening),
}

/** Connects only when the first message is sent. */
export function openRelay<K extends RelayKind>(way: Way<K>, opening: Opening): Relay {
  const open = kinds[way.kind as K] as Open<K>
  return open(way, opening)
}

const overHttp = (provider: Provider, { connections, gateway }: Opening) =>
  new HttpRelay(provider, { connections, gateway })

function openSmtp(way: Way<'smtp'>, { secret, connections, publicUrl, mayBePrivate }: Opening): Relay {
  const { host, port, security, username } = way
  // A literal address is never looked up.
  if (!mayBePrivate && isIP(host) && !isPublic(host)) return refusing(new NotPublic(host).message)
  const credentials = username === null ? null : { user: username, secret: secret ?? '', kind: 'password' as const }
  const address = {
    host,
    port,
    secure: security === 'tls',
    requireTls: security === 'starttls',
    plain: security === 'none',
    credentials,
    ...(!mayBePrivate && { lookup: publicLookup }),
  }
  return new SmtpRelay(address, { connections, name: greetingName(publicUrl) })
}

/** Stands where no relay can be. */
export const refusing = (text: string): Relay => ({
  capacity: 1,
  send: async () => ({ kind: 'refused', text }),
  close: () => {},
})
