import { isIP } from 'node:net'
import type { Relay } from '../../mail/relay.ts'
import { greetingName, relayAddress } from '../../mail/smtp/address.ts'
import { SmtpRelay } from '../../mail/smtp/smtp-relay.ts'
import { isPublic, NotPublic, publicLookup } from '../../net/public-address.ts'
import type { ConfigOf, MailService, RelayType, RelayUrl } from './provider.ts'

export const smtp: RelayType<'smtp'> = {
  fromUrl,
  accountField: 'username',
}

interface SmtpOptions {
  /** The password. */
  secret: string | null
  connections: number
  /** The address of this server. Its host is the name in EHLO. */
  publicUrl: string
  /** Whether its host may be in a private network. */
  mayBePrivate: boolean
}

/** Connects when the first message is sent. */
export function openSmtp(config: ConfigOf<'smtp'>, options: SmtpOptions): Relay {
  const { host, port, security, username } = config
  const { secret, connections, publicUrl, mayBePrivate } = options
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

/** Replaces a relay that cannot be opened. Its outcome for every message is the reason. */
export const refusing = (text: string): Relay => ({
  capacity: 1,
  send: async () => ({ kind: 'refused', text }),
  close: () => {},
})

/** `smtp://` means STARTTLS, or no encryption for this machine and with `?security=none`. */
function fromUrl({ text, query }: RelayUrl) {
  const { host, port, secure, credentials } = relayAddress(text)
  const local = ['localhost', '127.0.0.1', '::1'].includes(host)
  const security = query.get('security') ?? (secure ? 'tls' : local ? 'none' : 'starttls')
  const way = { kind: 'smtp' as const, host, port, security, username: credentials?.user ?? null }
  return { way, secret: credentials?.secret || null }
}

const ownEnvelope = { signing: 'also', ownEnvelope: true } as const
const keepsEnvelope = { signing: 'also', ownEnvelope: false } as const

/** Well-known services that take mail by SMTP, and what each asks its customers to include in SPF. */
export const smtpServices: readonly MailService[] = [
  { name: 'SendGrid', smtpHosts: /(^|\.)sendgrid\.net$/, spfInclude: 'sendgrid.net', ...ownEnvelope },
  { name: 'Brevo', smtpHosts: /(^|\.)(brevo|sendinblue)\.com$/, spfInclude: 'spf.brevo.com', ...ownEnvelope },
  { name: 'Mailjet', smtpHosts: /(^|\.)mailjet\.com$/, spfInclude: 'spf.mailjet.com', ...ownEnvelope },
  { name: 'Mandrill', smtpHosts: /(^|\.)mandrillapp\.com$/, spfInclude: 'spf.mandrillapp.com', ...ownEnvelope },
  { name: 'SMTP2GO', smtpHosts: /(^|\.)smtp2go\.com$/, spfInclude: 'spf.smtp2go.com', ...ownEnvelope },
  { name: 'Scaleway', smtpHosts: /(^|\.)tem\.scaleway\.com$/, spfInclude: '_spf.tem.scaleway.com', ...keepsEnvelope },
  {
    name: 'Google Workspace',
    smtpHosts: /(^|\.)(gmail|google)\.com$/,
    spfInclude: '_spf.google.com',
    ...keepsEnvelope,
  },
  {
    name: 'Microsoft 365',
    smtpHosts: /(^|\.)(office365|outlook)\.com$/,
    spfInclude: 'spf.protection.outlook.com',
    ...keepsEnvelope,
  },
  {
    name: 'Fastmail',
    smtpHosts: /(^|\.)(fastmail|messagingengine)\.com$/,
    spfInclude: 'spf.messagingengine.com',
    ...keepsEnvelope,
  },
  { name: 'Infomaniak', smtpHosts: /(^|\.)infomaniak\.(com|ch)$/, spfInclude: 'spf.infomaniak.ch', ...keepsEnvelope },
  { name: 'OVHcloud', smtpHosts: /(^|\.)ovh\.net$/, spfInclude: 'mx.ovh.com', ...keepsEnvelope },
  { name: 'Gandi', smtpHosts: /(^|\.)gandi\.net$/, spfInclude: '_mailcust.gandi.net', ...keepsEnvelope },
]
