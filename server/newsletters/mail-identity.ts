import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import type { NewsletterRow } from '../http/scope.ts'

/** The sender of a mail. `domain` is the domain of the address, and Message-IDs are made in it. */
export interface MailIdentity {
  name: string
  address: string
  domain: string
  replyTo: string | null
}

/** The instance as a sender: of mail about accounts, and of newsletters without a sender address. */
export function instanceMailIdentity({ publicUrl, mailFrom }: Pick<Config, 'publicUrl' | 'mailFrom'>): MailIdentity {
  if (mailFrom) return { ...mailFrom, domain: domainIn(mailFrom.address), replyTo: null }
  const domain = mailDomain(new URL(publicUrl).hostname)
  return { name: 'Tirage', address: `tirage@${domain}`, domain, replyTo: null }
}

const domainIn = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** A host as a mail domain. Relays refuse names without a dot, and a bare IP address is no domain (RFC 5321 section 2.3.5). */
export function mailDomain(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  if (isIP(bare)) return `${bare.replaceAll(/[.:]+/g, '-').replaceAll(/^-|-$/g, '') || '0'}.localdomain`
  return bare.includes('.') ? bare : `${bare}.localdomain`
}

/** An address inside a text, as `support@bank.example` in the name of a sender. */
const INNER_ADDRESS = /(\S)\s*[@\uFE6B\uFF20]\s*(\S)/gu

export const hasAddress = (name: string): boolean => name.search(INNER_ADDRESS) >= 0

/** Mail programs show the name of a sender in place of the address, so it must not look like another address. */
const withoutAddress = (name: string): string => name.replaceAll(INNER_ADDRESS, '$1 at $2')

/** A newsletter as a sender: its own name, and its own address or else the instance's. */
export function mailIdentityOf(
  config: Pick<Config, 'publicUrl' | 'mailFrom'>,
  newsletter: Pick<NewsletterRow, 'sender_name' | 'sender_address' | 'reply_to'>,
): MailIdentity {
  const address = newsletter.sender_address ?? instanceMailIdentity(config).address
  return {
    name: withoutAddress(newsletter.sender_name),
    address,
    domain: domainIn(address),
    replyTo: newsletter.reply_to,
  }
}
