import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import type { NewsletterRow } from '../http/scope.ts'

/** Who a mail is from. `domain` is that of the address: Message-IDs are made in it. */
export interface MailIdentity {
  name: string
  address: string
  domain: string
  replyTo: string | null
}

/** The instance itself, for mail about accounts, and for newsletters whose owner has set no address yet. */
export function instanceMailIdentity({ publicUrl }: Pick<Config, 'publicUrl'>): MailIdentity {
  const domain = mailDomain(new URL(publicUrl).hostname)
  return { name: 'Tirage', address: `tirage@${domain}`, domain, replyTo: null }
}

/** A host as mail takes it: relays refuse names without a dot, and bare numbers are no domain (RFC 5321 section 2.3.5). */
export function mailDomain(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  if (isIP(bare)) return `${bare.replaceAll(/[.:]+/g, '-').replaceAll(/^-|-$/g, '') || '0'}.localdomain`
  return bare.includes('.') ? bare : `${bare}.localdomain`
}

/** A newsletter: its own name, and its own address or the instance's. */
export function mailIdentityOf(
  config: Pick<Config, 'publicUrl'>,
  newsletter: Pick<NewsletterRow, 'sender_name' | 'sender_address' | 'reply_to'>,
): MailIdentity {
  const address = newsletter.sender_address ?? instanceMailIdentity(config).address
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return { name: newsletter.sender_name, address, domain, replyTo: newsletter.reply_to }
}
