import { isPublic } from '../net/public-address.ts'
import type { RelayPlace } from '../relays/relay-set.ts'
import { type Answer, type Dns, recordsOf } from './dns.ts'

/** A place that mail is sent from, as receivers see it. */
export interface MailOrigin {
  /** The provider's name, or the relay's host. */
  place: string
  /** The domain that the provider asks its customers to include in SPF; null for an unknown relay. */
  include: string | null
  /**
   * Whose signature arrives: `ours`, the provider's too (`also`), or the provider's alone (`instead`), since it changes
   * what we signed (docs/decisions/dkim.md).
   */
  signing: 'ours' | 'also' | 'instead'
  /** The provider replaces the envelope sender, so receivers check SPF of another domain. */
  ownEnvelope: boolean
  /** Whether it is this server, whose public addresses are known. */
  own: boolean
  /** The addresses that it sends from if it is `own`; else those that it listens at, which are often different. */
  addresses: Answer<string>
}

interface Provider {
  name: string
  hosts: RegExp
  include: string
  /** It composes the mail anew, or puts its own Message-ID and Date. */
  rewrites?: boolean
  ownEnvelope?: boolean
}

/** What each asks its customers to include. */
const providers: Provider[] = [
  { name: 'Amazon SES', hosts: /(^|\.)amazonaws\.com$/, include: 'amazonses.com', rewrites: true, ownEnvelope: true },
  {
    name: 'Postmark',
    hosts: /(^|\.)(postmarkapp\.com|mtasv\.net)$/,
    include: 'spf.mtasv.net',
    rewrites: true,
    ownEnvelope: true,
  },
  { name: 'Mailgun', hosts: /(^|\.)mailgun\.org$/, include: 'mailgun.org', ownEnvelope: true },
  { name: 'Resend', hosts: /(^|\.)resend\.com$/, include: 'amazonses.com', rewrites: true, ownEnvelope: true },
  { name: 'SendGrid', hosts: /(^|\.)sendgrid\.net$/, include: 'sendgrid.net', ownEnvelope: true },
  { name: 'Brevo', hosts: /(^|\.)(brevo|sendinblue)\.com$/, include: 'spf.brevo.com', ownEnvelope: true },
  { name: 'Mailjet', hosts: /(^|\.)mailjet\.com$/, include: 'spf.mailjet.com', ownEnvelope: true },
  { name: 'Mandrill', hosts: /(^|\.)mandrillapp\.com$/, include: 'spf.mandrillapp.com', ownEnvelope: true },
  { name: 'SMTP2GO', hosts: /(^|\.)smtp2go\.com$/, include: 'spf.smtp2go.com', ownEnvelope: true },
  { name: 'Scaleway', hosts: /(^|\.)tem\.scaleway\.com$/, include: '_spf.tem.scaleway.com' },
  { name: 'Google Workspace', hosts: /(^|\.)(gmail|google)\.com$/, include: '_spf.google.com' },
  { name: 'Microsoft 365', hosts: /(^|\.)(office365|outlook)\.com$/, include: 'spf.protection.outlook.com' },
  { name: 'Fastmail', hosts: /(^|\.)(fastmail|messagingengine)\.com$/, include: 'spf.messagingengine.com' },
  { name: 'Infomaniak', hosts: /(^|\.)infomaniak\.(com|ch)$/, include: 'spf.infomaniak.ch' },
  { name: 'OVHcloud', hosts: /(^|\.)ovh\.net$/, include: 'mx.ovh.com' },
  { name: 'Gandi', hosts: /(^|\.)gandi\.net$/, include: '_mailcust.gandi.net' },
]

const byKind = { ses: 'Amazon SES', postmark: 'Postmark', mailgun: 'Mailgun', resend: 'Resend' } as const

/** Relays of one newsletter that are looked up. */
const MAX_RELAYS = 10

/** @param publicHost the host of PUBLIC_URL: a relay on this machine or in its network sends from there */
export async function mailOrigins(dns: Dns, places: RelayPlace[], publicHost: string): Promise<MailOrigin[]> {
  const origins = await Promise.all(places.slice(0, MAX_RELAYS).map((place) => mailOrigin(dns, place, publicHost)))
  return [...new Map(origins.map((origin) => [origin.place, origin])).values()]
}

async function mailOrigin(dns: Dns, relay: RelayPlace, publicHost: string): Promise<MailOrigin> {
  const known = providerOf(relay)
  if (known) return ofProvider(known)
  // Providers by API are all known.
  if (!('host' in relay)) throw new Error(`no provider ${relay.kind}`)
  const listening = await dns.addresses(relay.host)
  const isLocal = relay.host === publicHost || relay.host === 'localhost' || !recordsOf(listening).every(isPublic)
  if (!isLocal)
    return { place: relay.host, include: null, signing: 'ours', ownEnvelope: false, own: false, addresses: listening }
  const publicAddresses = relay.host === publicHost ? listening : await dns.addresses(publicHost)
  return {
    place: publicHost,
    include: null,
    signing: 'ours',
    ownEnvelope: false,
    own: true,
    addresses: onlyPublic(publicAddresses),
  }
}

const ofProvider = ({ name, include, rewrites = false, ownEnvelope = false }: Provider): MailOrigin => ({
  place: name,
  include,
  signing: rewrites ? 'instead' : 'also',
  ownEnvelope,
  own: false,
  addresses: { kind: 'none' },
})

function providerOf(relay: RelayPlace): Provider | undefined {
  if ('kind' in relay) return providers.find(({ name }) => name === byKind[relay.kind])
  return providers.find(({ hosts }) => hosts.test(relay.host))
}

function onlyPublic(answer: Answer<string>): Answer<string> {
  if (answer.kind !== 'found') return answer
  const records = answer.records.filter(isPublic)
  return records.length > 0 ? { kind: 'found', records } : { kind: 'none' }
}
