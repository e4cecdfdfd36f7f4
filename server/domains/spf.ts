import { BlockList, isIP } from 'node:net'
import { type Dns, recordsOf } from './dns.ts'
import { isSpf, type Mechanism, parseSpf, type Qualifier } from './spf-record.ts'

/** RFC 7208 section 4.6.4: a receiver that needs more gives up, and the record helps nobody. */
export const MAX_LOOKUPS = 10
export const MAX_VOID_LOOKUPS = 2
const MAX_EXCHANGES = 10
/** Counted so far, so that the owner hears how many too many; then it ends. */
const COUNTED = 25

/** A record with what its terms lead to. */
export interface SpfNode {
  domain: string
  terms: SpfTerm[]
  /** Where nothing matched, this record decides. */
  redirect: SpfNode | 'unknown' | null
}

interface SpfTerm extends Pick<Mechanism, 'qualifier' | 'name' | 'cidr4' | 'cidr6'> {
  /** Of `ip4`, `ip6`, `a` and `mx`. */
  addresses: string[]
  /** Of `include`. */
  included: SpfNode | null
  /** Whether it matches depends on more than the sender's address. */
  unknown: boolean
}

export type SpfReading =
  | { kind: 'failed' | 'none' }
  | { kind: 'several'; records: string[] }
  | { kind: 'syntax'; record: string; term: string; domain: string }
  | { kind: 'include_none'; record: string; domain: string }
  | { kind: 'read'; record: string; node: SpfNode; lookups: number; voids: number }

class Stop extends Error {
  constructor(
    readonly reading: { kind: 'failed' } | { kind: 'include_none' | 'syntax'; domain: string; term: string },
  ) {
    super(reading.kind)
  }
}

/** Reads a domain's record and everything that it leads to. */
export async function readSpf(dns: Dns, domain: string): Promise<SpfReading> {
  const answer = await dns.txt(domain)
  if (answer.kind !== 'found') return { kind: answer.kind }
  const records = answer.records.filter(isSpf)
  const [record] = records
  if (record === undefined) return { kind: 'none' }
  if (records.length > 1) return { kind: 'several', records }
  const walk = new Walk(dns)
  try {
    const node = await walk.read(domain, record)
    return { kind: 'read', record, node, lookups: walk.lookups, voids: walk.voids }
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop
    return stop.reading.kind === 'failed' ? { kind: 'failed' } : { record, ...stop.reading }
  }
}

class Walk {
  lookups = 0
  voids = 0

  constructor(private readonly dns: Dns) {}

  /** @throws Stop where a receiver would stop, too */
  async read(domain: string, text: string): Promise<SpfNode> {
    const parsed = parseSpf(text)
    if (parsed.kind === 'syntax') throw new Stop({ kind: 'syntax', domain, term: parsed.term })
    const { mechanisms, redirect, macroRedirect } = parsed.record
    const terms = await Promise.all(mechanisms.map((mechanism) => this.#follow(domain, mechanism)))
    // What follows an `all` is never looked at, and a redirect beside one is ignored (RFC 7208 section 6.1).
    const decided = redirect === null || mechanisms.some(({ name }) => name === 'all')
    return { domain, terms, redirect: decided ? null : await this.#redirected(redirect, macroRedirect) }
  }

  async #redirected(target: string, macro: boolean): Promise<SpfNode | 'unknown'> {
    const counted = this.#count()
    return macro || !counted ? 'unknown' : this.#other(target)
  }

  async #follow(domain: string, { name, qualifier, value, cidr4, cidr6, macro }: Mechanism): Promise<SpfTerm> {
    const term: SpfTerm = { name, qualifier, cidr4, cidr6, addresses: [], included: null, unknown: false }
    if (name === 'all') return term
    if (name === 'ip4' || name === 'ip6') return { ...term, addresses: value === null ? [] : [value] }
    const counted = this.#count()
    if (macro || !counted || name === 'ptr' || name === 'exists') return { ...term, unknown: true }
    const target = value ?? domain
    if (name === 'include') return { ...term, included: await this.#other(target) }
    return { ...term, addresses: name === 'a' ? await this.#addresses(target) : await this.#exchanges(target) }
  }

  async #other(domain: string): Promise<SpfNode> {
    const answer = await this.dns.txt(domain)
    if (answer.kind === 'failed') throw new Stop({ kind: 'failed' })
    const [record, second] = recordsOf(answer).filter(isSpf)
    // One that leads to no record, or to several, spoils the whole (RFC 7208 sections 5.2 and 6.1).
    if (record === undefined || second !== undefined) throw new Stop({ kind: 'include_none', domain, term: '' })
    return this.read(domain, record)
  }

  async #addresses(name: string, counts = true): Promise<string[]> {
    const answer = await this.dns.addresses(name)
    if (answer.kind === 'failed') throw new Stop({ kind: 'failed' })
    if (answer.kind === 'none' && counts) this.voids += 1
    return recordsOf(answer)
  }

  async #exchanges(name: string): Promise<string[]> {
    const answer = await this.dns.mx(name)
    if (answer.kind === 'failed') throw new Stop({ kind: 'failed' })
    if (answer.kind === 'none') this.voids += 1
    const hosts = recordsOf(answer).slice(0, MAX_EXCHANGES)
    return (await Promise.all(hosts.map(({ exchange }) => this.#addresses(exchange, false)))).flat()
  }

  /** Whether there is still one to spend. */
  #count(): boolean {
    this.lookups += 1
    return this.lookups <= COUNTED
  }
}

export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'unknown'
const resultOf: Record<Qualifier, SpfResult> = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' }

/**
 * What a receiver makes of mail from this address (RFC 7208 section 4.6); `unknown` where that depends on the mail.
 * A term that cannot be known is passed over as long as a later one lets the address through.
 */
export function spfResult(node: SpfNode, address: string): SpfResult {
  let unknown = false
  for (const term of node.terms) {
    const matches = matchesOf(term, address)
    if (matches === true) return unknown && term.qualifier !== '+' ? 'unknown' : resultOf[term.qualifier]
    unknown ||= matches === 'unknown'
  }
  const last = lastWord(node.redirect, address)
  return unknown && last !== 'pass' ? 'unknown' : last
}

function lastWord(redirect: SpfNode['redirect'], address: string): SpfResult {
  if (redirect === null) return 'neutral'
  return redirect === 'unknown' ? 'unknown' : spfResult(redirect, address)
}

function matchesOf(term: SpfTerm, address: string): boolean | 'unknown' {
  if (term.name === 'all') return true
  if (term.unknown) return 'unknown'
  if (!term.included) return covers(term, address)
  const result = spfResult(term.included, address)
  return result === 'unknown' ? 'unknown' : result === 'pass'
}

/** Making one costs more than asking it, and a record may be asked about many addresses. */
const networks = new WeakMap<SpfTerm, { ipv4: BlockList; ipv6: BlockList }>()

function covers(term: SpfTerm, address: string): boolean {
  const version = isIP(address)
  if (version === 0) return false
  const known = networks.get(term) ?? networksOf(term)
  networks.set(term, known)
  const family = version === 4 ? 'ipv4' : 'ipv6'
  return known[family].check(address, family)
}

function networksOf({ addresses, cidr4, cidr6 }: SpfTerm) {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const address of addresses) {
    const version = isIP(address)
    if (version === 4) lists.ipv4.addSubnet(address, cidr4 ?? 32, 'ipv4')
    else if (version === 6) lists.ipv6.addSubnet(address, cidr6 ?? 128, 'ipv6')
  }
  return lists
}

/** Whether mail is let through wherever `domain`'s record lets it through. */
export function includes(node: SpfNode, domain: string): boolean {
  if (node.domain === domain) return true
  const { terms, redirect } = node
  if (redirect !== null && redirect !== 'unknown' && includes(redirect, domain)) return true
  return terms.some(({ qualifier, included }) => included && qualifier === '+' && includes(included, domain))
}
