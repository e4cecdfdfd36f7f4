import { BlockList, isIP } from 'node:net'
import { type Dns, recordsOf } from './dns.ts'
import { isSpf, type Mechanism, parseSpf, type Qualifier } from './spf-record.ts'

/** RFC 7208 section 4.6.4: a receiver that would need more reports a permanent error instead. */
export const MAX_LOOKUPS = 10
export const MAX_VOID_LOOKUPS = 2
const MAX_EXCHANGES = 10
/** Lookups beyond the limit are counted up to here, to tell the owner how many there are. */
const MAX_COUNTED = 25

/** A record with the records and addresses that its terms refer to. */
export interface SpfNode {
  domain: string
  terms: SpfTerm[]
  /** The record that decides when no term matches. */
  redirect: SpfNode | 'unknown' | null
}

interface SpfTerm extends Pick<Mechanism, 'qualifier' | 'name' | 'cidr4' | 'cidr6'> {
  /** For `ip4`, `ip6`, `a` and `mx`: the addresses, and their networks in a form that is quick to ask. */
  addresses: string[]
  networks: Networks | null
  /** For `include`. */
  included: SpfNode | null
  /** Whether a match depends on more than the sender's address. */
  unknown: boolean
}

export type SpfReading =
  | { kind: 'failed' | 'none' }
  | { kind: 'several'; records: string[] }
  | { kind: 'syntax'; record: string; term: string; domain: string }
  | { kind: 'include_none'; record: string; domain: string }
  | { kind: 'read'; record: string; node: SpfNode; lookups: number; voids: number }

class SpfFailure extends Error {
  constructor(
    readonly reading: { kind: 'failed' } | { kind: 'include_none' | 'syntax'; domain: string; term: string },
  ) {
    super(reading.kind)
  }
}

/** Reads a domain's record and everything that it refers to. */
export async function readSpf(dns: Dns, domain: string): Promise<SpfReading> {
  const answer = await dns.txt(domain)
  if (answer.kind !== 'found') return { kind: answer.kind }
  const records = answer.records.filter(isSpf)
  const [record] = records
  if (record === undefined) return { kind: 'none' }
  if (records.length > 1) return { kind: 'several', records }
  const reader = new SpfReader(dns)
  try {
    const node = await reader.read(domain, record)
    return { kind: 'read', record, node, lookups: reader.lookups, voids: reader.voids }
  } catch (failure) {
    if (!(failure instanceof SpfFailure)) throw failure
    return failure.reading.kind === 'failed' ? { kind: 'failed' } : { record, ...failure.reading }
  }
}

class SpfReader {
  lookups = 0
  voids = 0

  constructor(private readonly dns: Dns) {}

  /** @throws Stop where a receiver would stop too */
  async read(domain: string, text: string): Promise<SpfNode> {
    const parsed = parseSpf(text)
    if (parsed.kind === 'syntax') throw new SpfFailure({ kind: 'syntax', domain, term: parsed.term })
    const { mechanisms, redirect, macroRedirect } = parsed.record
    const terms = await Promise.all(mechanisms.map((mechanism) => this.#follow(domain, mechanism)))
    // Beside an `all`, a redirect is ignored (RFC 7208 section 6.1).
    const decided = redirect === null || mechanisms.some(({ name }) => name === 'all')
    return { domain, terms, redirect: decided ? null : await this.#readRedirect(redirect, macroRedirect) }
  }

  async #readRedirect(target: string, macro: boolean): Promise<SpfNode | 'unknown'> {
    const counted = this.#countLookup()
    return macro || !counted ? 'unknown' : this.#readOther(target)
  }

  async #follow(domain: string, { name, qualifier, value, cidr4, cidr6, macro }: Mechanism): Promise<SpfTerm> {
    const term: SpfTerm = {
      name,
      qualifier,
      cidr4,
      cidr6,
      addresses: [],
      networks: null,
      included: null,
      unknown: false,
    }
    if (name === 'all') return term
    if (name === 'ip4' || name === 'ip6') return withAddresses(term, value === null ? [] : [value])
    const counted = this.#countLookup()
    if (macro || !counted || name === 'ptr' || name === 'exists') return { ...term, unknown: true }
    const target = value ?? domain
    if (name === 'include') return { ...term, included: await this.#readOther(target) }
    return withAddresses(term, name === 'a' ? await this.#addresses(target) : await this.#exchanges(target))
  }

  async #readOther(domain: string): Promise<SpfNode> {
    const answer = await this.dns.txt(domain)
    if (answer.kind === 'failed') throw new SpfFailure({ kind: 'failed' })
    const [record, second] = recordsOf(answer).filter(isSpf)
    // A target with no record, or with several, is a permanent error (RFC 7208 sections 5.2 and 6.1).
    if (record === undefined || second !== undefined) throw new SpfFailure({ kind: 'include_none', domain, term: '' })
    return this.read(domain, record)
  }

  async #addresses(name: string, counts = true): Promise<string[]> {
    const answer = await this.dns.addresses(name)
    if (answer.kind === 'failed') throw new SpfFailure({ kind: 'failed' })
    if (answer.kind === 'none' && counts) this.voids += 1
    return recordsOf(answer)
  }

  async #exchanges(name: string): Promise<string[]> {
    const answer = await this.dns.mx(name)
    if (answer.kind === 'failed') throw new SpfFailure({ kind: 'failed' })
    if (answer.kind === 'none') this.voids += 1
    const hosts = recordsOf(answer).slice(0, MAX_EXCHANGES)
    return (await Promise.all(hosts.map(({ exchange }) => this.#addresses(exchange, false)))).flat()
  }

  /** @returns whether one more lookup may be made */
  #countLookup(): boolean {
    this.lookups += 1
    return this.lookups <= MAX_COUNTED
  }
}

export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'unknown'
const resultOf: Record<Qualifier, SpfResult> = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' }

/**
 * The result that a receiver gets for mail from this address (RFC 7208 section 4.6); `unknown` where it depends on the
 * mail. An unknown term is skipped when a later one allows the address.
 */
export function spfResult(node: SpfNode, address: string): SpfResult {
  let unknown = false
  for (const term of node.terms) {
    const matches = matchesOf(term, address)
    if (matches === true) return unknown && term.qualifier !== '+' ? 'unknown' : resultOf[term.qualifier]
    unknown ||= matches === 'unknown'
  }
  const last = redirectResult(node.redirect, address)
  return unknown && last !== 'pass' ? 'unknown' : last
}

function redirectResult(redirect: SpfNode['redirect'], address: string): SpfResult {
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

function covers({ networks }: SpfTerm, address: string): boolean {
  const version = isIP(address)
  if (version === 0 || networks === null) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  return networks[family].check(address, family)
}

interface Networks {
  ipv4: BlockList
  ipv6: BlockList
}

const withAddresses = (term: SpfTerm, addresses: string[]): SpfTerm => ({
  ...term,
  addresses,
  networks: networksOf({ ...term, addresses }),
})

function networksOf({ addresses, cidr4, cidr6 }: Pick<SpfTerm, 'addresses' | 'cidr4' | 'cidr6'>): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const address of addresses) {
    const version = isIP(address)
    if (version === 4) lists.ipv4.addSubnet(address, cidr4 ?? 32, 'ipv4')
    else if (version === 6) lists.ipv6.addSubnet(address, cidr6 ?? 128, 'ipv6')
  }
  return lists
}

/** Whether the record allows everything that the record of `domain` allows. */
export function includes(node: SpfNode, domain: string): boolean {
  if (node.domain === domain) return true
  const { terms, redirect } = node
  if (redirect !== null && redirect !== 'unknown' && includes(redirect, domain)) return true
  return terms.some(({ qualifier, included }) => included && qualifier === '+' && includes(included, domain))
}
