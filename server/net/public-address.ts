import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

/** Networks that are not part of the public internet (RFC 6890 and the IANA registries that followed it). */
const notPublic = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4')
}
/**
 * Of IPv6 only global unicast is public, without the parts of it that hold an IPv4 address or are not routed: Teredo
 * (RFC 4380), 6to4 (RFC 3056), documentation.
 */
const unicast = new BlockList()
unicast.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6')
}

/** Whether this is an IP address of the public internet, and so neither this machine nor its own network. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4')
  return isIP(address) === 6 && unicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} is an address of a private network, and this server asks only public ones`)
  }
}

interface FoundAddress {
  address: string
  family: number
}

/**
 * Resolves a host for a connection, and refuses it when any of its addresses is private. The connection goes to the very
 * addresses that were checked, so a name that resolves differently a moment later gains nothing.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  publicAddresses(hostname).then(
    (found) => lookupOf(found)(hostname, options, callback),
    (error: NodeJS.ErrnoException) => callback(error, ''),
  )
}

/** A lookup that answers these addresses for whatever host is asked about. */
export const lookupOf =
  (found: FoundAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = found
    if (all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }

/** Names of this machine (RFC 6761 section 6.3), and numbers that operating systems read as an IPv4 address. */
const NEVER_PUBLIC = /(^|\.)(localhost|\d+|0x[\da-f]*)\.?$/i

/**
 * Resolves a host to its addresses, all of them public.
 * @param servers name servers to ask, instead of the system's
 * @throws NotPublic when any address is private, or the error of DNS with its `code`
 */
export async function publicAddresses(host: string, servers?: string[]): Promise<FoundAddress[]> {
  const family = isIP(host)
  if (family === 0 && NEVER_PUBLIC.test(host)) throw new NotPublic(host)
  const found = family ? [{ address: host, family }] : await resolve(host, servers)
  if (!found.every(({ address }) => isPublic(address))) throw new NotPublic(host)
  return found
}

const QUERY_MS = 2_000

/**
 * Asks DNS on sockets of its own. The system's lookup runs in one of few threads, and names whose servers never answer
 * would occupy all of them.
 */
async function resolve(host: string, servers?: string[]): Promise<FoundAddress[]> {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: 2 })
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }))
  const failures: NodeJS.ErrnoException[] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason] : [],
  )
  const unanswered = failures.find(({ code }) => code !== 'ENOTFOUND' && code !== 'ENODATA')
  throw unanswered ?? Object.assign(new Error(`No server is called ${host}`), { code: 'ENOTFOUND' })
}
