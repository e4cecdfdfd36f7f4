import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** What DNS says of one name and type. `failed`: no server answered in time, or the one that did could not. */
export type Answer<T> = { kind: 'found'; records: T[] } | { kind: 'none' } | { kind: 'failed' }

export interface MailExchange {
  exchange: string
  priority: number
}

/** What the checks ask. No call throws. Names end where an alias (CNAME) leads. */
export interface Dns {
  txt(name: string): Promise<Answer<string>>
  mx(name: string): Promise<Answer<MailExchange>>
  /** IPv4 and IPv6. */
  addresses(name: string): Promise<Answer<string>>
  /** The names that an address has been given (PTR). */
  namesOf(address: string): Promise<Answer<string>>
}

/** For one question; asked twice, so that one lost packet is not taken for silence. */
const QUESTION_MS = 1_000
/** For all questions of one look together. */
const LOOK_MS = 8_000

/** For one look: what owners' records lead to may be made to be long. */
const QUESTIONS = 150

/** Answers are of any length as well; what means something for mail is shorter than this, or there are fewer of it. */
const MAX_TEXT = 4_096
const MAX_RECORDS = 32

/** A name without records and a name that does not exist are the same to us. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Runs `look` with name servers to ask, and gives up on what they have not answered in time.
 *
 * @param servers addresses, each with its port when that is not 53; none: those of the operating system
 */
export async function withDns<T>(servers: readonly string[], look: (dns: Dns) => Promise<T>): Promise<T> {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const ends = new AbortController()
  const timer = setTimeout(() => {
    ends.abort()
    resolver.cancel()
  }, LOOK_MS)
  try {
    return await look(dnsOf(resolver, ends.signal))
  } finally {
    clearTimeout(timer)
  }
}

function dnsOf(resolver: Resolver, ends: AbortSignal): Dns {
  let asked = 0
  const ask = async <R>(question: () => Promise<R[]>): Promise<Answer<R>> => {
    asked += 1
    if (ends.aborted || asked > QUESTIONS) return { kind: 'failed' }
    try {
      const records = (await question()).slice(0, MAX_RECORDS)
      return records.length > 0 ? { kind: 'found', records } : { kind: 'none' }
    } catch (error) {
      return { kind: NOTHING.has((error as NodeJS.ErrnoException).code ?? '') ? 'none' : 'failed' }
    }
  }
  return {
    txt: (name) => ask(async () => (await resolver.resolveTxt(name)).map(textOf)),
    mx: (name) => ask(() => resolver.resolveMx(name)),
    namesOf: (address) => ask(() => resolver.resolvePtr(reverseName(address))),
    async addresses(name) {
      if (isIP(name)) return { kind: 'found', records: [name] }
      const [four, six] = await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))])
      return together(four, six)
    },
  }
}

const textOf = (strings: string[]): string => strings.join('').slice(0, MAX_TEXT)

/** Where the names of an address are (RFC 1035 section 3.5, RFC 3596 section 2.5). */
function reverseName(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = [head, tail].map((part) => part.split(':').filter(Boolean))
  const [left = [], right = []] = groups
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  const digits = all.map((group) => group.padStart(4, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}

/** What was found counts, even when the other half failed. */
function together<T>(one: Answer<T>, other: Answer<T>): Answer<T> {
  if (one.kind === 'found' && other.kind === 'found') {
    return { kind: 'found', records: [...one.records, ...other.records] }
  }
  if (one.kind === 'found') return one
  if (other.kind === 'found') return other
  return one.kind === 'failed' ? one : other
}

/** The records, when any were found. */
export const recordsOf = <T>(answer: Answer<T>): T[] => (answer.kind === 'found' ? answer.records : [])
