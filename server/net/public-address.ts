import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

/** What is no place of the public internet (RFC 6890 and the registries that followed it). */
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
/** Of IPv6 only global unicast is public, and of that not what stands for something else: Teredo, 6to4, documentation. */
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

/** Whether an address is one of the public internet: not this machine, not the network that it stands in. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4')
  return isIP(address) === 6 && unicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} is an address of a private network, and this server asks only public ones`)
  }
}

/**
 * Looks a host up for a connection, and refuses it when any of its addresses is private. The connection is made to the
 * very addresses that were checked, so a name that answers otherwise the next moment gains nothing.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  publicAddresses(hostname).then(
    (found) => {
      const [first] = found
      if (options.all) callback(null, found)
      else callback(null, first?.address ?? '', first?.family ?? 4)
    },
    (error: NodeJS.ErrnoException) => callback(error, ''),
  )
}

/** Of this machine (RFC 6761 section 6.3), or a number in one of the ways in which systems read addresses. */
const NEVER_PUBLIC = /(^|\.)(localhost|\d+|0x[\da-f]*)\.?$/i

/** @throws NotPublic, or what DNS answers */
export async function publicAddresses(host: string, servers?: string[]) {
  const family = isIP(host)
  if (family === 0 && NEVER_PUBLIC.test(host)) throw new NotPublic(host)
  const found = family ? [{ address: host, family }] : await resolve(host, servers)
  if (!found.every(({ address }) => isPublic(address))) throw new NotPublic(host)
  return found
}

const QUESTION_MS = 2_000

/**
 * DNS is asked on sockets of our own: the system's lookup takes one of few threads, and names whose servers never answer
 * would keep all of them from everybody else.
 */
async function resolve(host: string, servers?: string[]) {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 })
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }))
  // A name with addresses of one family alone is there; one that nobody knows is not.
  const failures = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
  )
  const telling = failures.find(({ code }) => code !== 'ENOTFOUND' && code !== 'ENODATA')
  throw telling ?? Object.assign(new Error(`No server is called ${host}`), { code: 'ENOTFOUND' })
}
