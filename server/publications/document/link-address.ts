const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** Characters that browsers drop from an address or read as others. With them `java\nscript:` would pass a check. */
const unsafe = /[\p{Cc}\p{Cf}\s"<>\\^`{|}]/u

/** True for an address that a publication may link to: a complete http, https, mailto or tel address. */
export function isLinkAddress(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > 2000 || unsafe.test(address)) return false
  const url = URL.parse(address)
  if (!url || !linkProtocols.has(url.protocol)) return false
  return url.protocol.startsWith('http') ? url.hostname !== '' && /^https?:\/\//i.test(address) : url.pathname !== ''
}

/** True for an address that a picture may come from: http, https, or a path on this server. */
export function isPictureAddress(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > 2000 || unsafe.test(address)) return false
  return /^\/(?!\/)/.test(address) || (isLinkAddress(address) && /^https?:/i.test(address))
}
