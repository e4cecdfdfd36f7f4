import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/** A domain in lower case and A-labels (RFC 5890), without a dot at the end; null when the text is not a domain. */
export function dnsName(text: string): string | null {
  const name = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase()
  if (name === '' || name.length > 253 || isIP(name)) return null
  return name.split('.').every((label) => LABEL.test(label)) ? name : null
}

/** A domain in the letters that people read: `café.example`, not `xn--caf-dma.example`. */
export const readableName = (name: string): string => domainToUnicode(name) || name

/**
 * The organisational domain, found with the public suffix list (RFC 7489 section 3.2): `example.co.uk` for
 * `news.example.co.uk`. A public suffix, or a name under no known suffix, is returned as it is.
 */
export const organisationOf = (domain: string): string => names(domain).domain ?? domain

/** The public suffix of a domain. Its operator may publish a policy for all domains below it (RFC 9091). */
export const suffixOf = (domain: string): string | null => names(domain).publicSuffix

const names = (domain: string) => parse(domain, { allowPrivateDomains: true, validateHostname: false })

/** Whether a name exists only inside private networks (RFC 6761, RFC 6762, and ICANN's reserved names). */
export const isLocal = (domain: string): boolean =>
  !domain.includes('.') || /\.(localdomain|localhost|local|internal|home\.arpa|lan)$/.test(domain)

const freeMail = new Set(
  `gmail.com googlemail.com yahoo.com yahoo.fr yahoo.co.uk yahoo.de yahoo.es yahoo.it ymail.com rocketmail.com aol.com
  outlook.com outlook.fr hotmail.com hotmail.fr hotmail.co.uk live.com live.fr msn.com icloud.com me.com mac.com
  proton.me protonmail.com pm.me gmx.com gmx.net gmx.de gmx.fr web.de mail.com mail.ru yandex.com yandex.ru zoho.com
  orange.fr wanadoo.fr free.fr sfr.fr neuf.fr laposte.net bbox.fr numericable.fr libero.it t-online.de bluewin.ch
  skynet.be telenet.be videotron.ca sympatico.ca comcast.net verizon.net att.net btinternet.com fastmail.com hey.com
  tutanota.com tuta.com qq.com 163.com 126.com naver.com`.split(/\s+/),
)

/** Whether a domain belongs to a provider of mailboxes, who alone can allow servers to send for it. */
export const isFreeMail = (domain: string): boolean => freeMail.has(domain)
