const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** The characters browsers drop or read as something else inside an address: how `java\nscript:` gets past a check. */
const unsafe = /[\p{Cc}\p{Cf}\s"<>\\^`{|}]/u

/** True for an address a publication may link to: http, https, mailto or tel, in full. */
export function isLinkAddress(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > 2000 || unsafe.test(address)) return false
  const url = URL.parse(address)
  if (!url || !linkProtocols.has(url.protocol)) return false
  return url.protocol.startsWith('http') ? url.hostname !== '' && /^https?:\/\//i.test(address) : url.pathname !== ''
}

/** True for an address a picture may come from: http, https, or a path on this server. */
export function isPictureAddress(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > 2000 || unsafe.test(address)) return false
  return /^\/(?!\/)/.test(address) || (isLinkAddress(address) && /^https?:/i.test(address))
}
