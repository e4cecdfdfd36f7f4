import { isIP } from 'node:net'
import { isPublic } from '../../net/public-address.ts'

/** Names that no resolver of the public internet answers (RFC 6761, RFC 6762, RFC 8375). */
const privateNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa|invalid|onion)$/

/** Whether readers anywhere can follow a web address: it is no private network, and hides nothing in front of an @. */
export function leadsReaders(target: string): boolean {
  const { hostname, username, password } = new URL(target)
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, '')
  if (username !== '' || password !== '') return false
  return isIP(host) > 0 ? isPublic(host) : host.includes('.') && !privateNames.test(host)
}
