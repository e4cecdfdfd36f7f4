import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** The answer of DNS for one name and type. `failed`: no server answered in time, or it reported a failure. */
export type Answer<T> = { kind: 'found'; records: T[] } | { kind: 'none' } | { kind: 'failed' }

export interface MailExchange {
  exchange: string
  priority: number
}

/** The questions that the checks ask. No call throws. Aliases (CNAME) are followed. */
export interface Dns {
  txt(name: string): Promise<Answer<string>>
  mx(name: string): Promise<Answer<MailExchange>>
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<Answer<string>>
  /** The names of an address (PTR). */
  namesOf(address: string): Promise<Answer<string>>
}

/** For one question. It is asked twice, so that one lost packet does not look like silence. */
const QUESTION_MS = 1_000
/** For all questions of one check together. */
const CHECK_MS = 8_000

/** For one check: an owner can write records that lead to any number of others. */
const MAX_QUESTIONS = 150

/** Answers can have any length too; records that matter for mail stay below these. */
const MAX_TEXT = 4_096
const MAX_RECORDS = 32

/** A name without records and a name that does not exist are treated alike. */
const NOTHING = new Set<unknown>(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Runs `check` with name servers to ask. Questions that are not answered in time count as failed.
 *
 * @param servers addresses, each with its port unless that is 53; an empty list means those of the operating system
 */
export async function withDns<T>(servers: readonly string[], check: (dns: Dns) => Promise<T>): Promise<T> {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const ends = new AbortController()
  const timer = setTimeout(() => {
    ends.abort()
    resolver.cancel()
  }, CHECK_MS)
  try {
    return await check(dnsOf(resolver, ends.signal))
  } finally {
    clearTimeout(timer)
  }
}

function dnsOf(resolver: Resolver, ends: AbortSignal): Dns {
  let asked = 0
  const ask = async <R>(question: () => Promise<R[]>): Promise<Answer<R>> => {
    asked += 1
    if (ends.aborted || asked > MAX_QUESTIONS) return { kind: 'failed' }
    try {
      const records = (await question()).slice(0, MAX_RECORDS)
      return records.length > 0 ? { kind: 'found', records } : { kind: 'none' }
    } catch (error) {
      return { kind: error instanceof Error && 'code' in error && NOTHING.has(error.code) ? 'none' : 'failed' }
    }
  }
  return {
    txt: (name) => ask(async () => (await resolver.resolveTxt(name)).map(joinStrings)),
    mx: (name) => ask(() => resolver.resolveMx(name)),
    namesOf: (address) => ask(() => resolver.resolvePtr(reverseName(address))),
    async addresses(name) {
      if (isIP(name)) return { kind: 'found', records: [name] }
      const [four, six] = await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))])
      return merge(four, six)
    },
  }
}

const joinStrings = (strings: string[]): string => strings.join('').slice(0, MAX_TEXT)

/** The name under which DNS keeps the names of an address (RFC 1035 section 3.5, RFC 3596 section 2.5). */
function reverseName(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = [head, tail].map((part) => part.split(':').filter(Boolean))
  const [left = [], right = []] = groups
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  const digits = all.map((group) => group.padStart(4, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}

/** Records that were found count, even when the other question failed. */
function merge<T>(one: Answer<T>, other: Answer<T>): Answer<T> {
  if (one.kind === 'found' && other.kind === 'found') {
    return { kind: 'found', records: [...one.records, ...other.records] }
  }
  if (one.kind === 'found') return one
  if (other.kind === 'found') return other
  return one.kind === 'failed' ? one : other
}

/** The records that were found; an empty list when there are none. */
export const recordsOf = <T>(answer: Answer<T>): T[] => (answer.kind === 'found' ? answer.records : [])
