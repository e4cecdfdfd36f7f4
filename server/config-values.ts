import { isIP } from 'node:net'

/** An IP address, with a port unless that is 53. An IPv6 address with a port is in brackets. */
export function isNameServer(text: string): boolean {
  const [, bracketed, plain, port] = text.match(/^(?:\[([^\]]+)\]|([^:]+|[^\]]*:[^\]]*:[^\]]*))(?::(\d{1,5}))?$/) ?? []
  return isIP(bracketed ?? plain ?? '') !== 0 && Number(port ?? 53) <= 65_535
}

/** `Name <address>`, where the name may be in quotes, or the address alone. Null for anything else. */
export function readSender(text: string): { name: string; address: string } | null {
  const [, named = '', bracketed, bare] = text.match(/^(?:([^<>]*)<([^<>]+)>|([^<>]+))$/) ?? []
  const name = named.trim().replace(/^"(.*)"$/, '$1')
  const address = (bracketed ?? bare ?? '').trim()
  const isAddress =
    /^[^\s@<>()[\]\\,;:"]{1,64}@(?=.{4,253}$)([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u.test(
      address,
    )
  return isAddress && name.length <= 100 && !/\p{Cc}/u.test(name) ? { name: name || 'Tirage', address } : null
}
