import { lookup as resolve } from 'node:dns'
import { request as overHttp, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const TIMEOUT_MS = 10_000

// Two lists, for one list would hold every IPv4 address against the range that maps them into IPv6.
const inside = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside.ipv4.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside.ipv6.addSubnet(net, bits, 'ipv6')

/** Whether an address belongs to this machine or its own network (RFC 6890). */
export function isInside(address: string): boolean {
  const version = isIP(address)
  if (version === 0) return true
  const family = version === 4 ? 'ipv4' : 'ipv6'
  return inside[family].check(address, family)
}

/** Looks a name up and refuses it when any of its addresses is inside, so what was checked is what is connected to. */
const publicLookup: LookupFunction = (host, options, done) =>
  resolve(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return done(error ?? new Error(`${host} has no address`), '')
    if (addresses.some(({ address }) => isInside(address)))
      return done(new Error(`${host} is not a public address`), '')
    return options.all ? done(null, addresses) : done(null, first.address, first.family)
  })

/**
 * Posts JSON to a public address; redirects are not followed and the answer is not read.
 * @throws Error when the address is inside, does not answer in ten seconds, or refuses
 */
export function postPublicly(address: string, body: unknown, headers: Record<string, string> = {}): Promise<void> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && isInside(host)) return Promise.reject(new Error(`${host} is not a public address`))
  const options: RequestOptions = {
    method: 'POST',
    lookup: publicLookup,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', ...headers },
  }
  return new Promise((resolved, reject) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, options, (response) => {
      response.resume()
      const status = response.statusCode ?? 0
      if (status >= 200 && status < 300) resolved()
      else reject(new Error(`${host} answered ${status}`))
    })
    request.on('error', reject).end(JSON.stringify(body))
  })
}
