import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { type CountryResponse, Reader } from 'mmdb-lib'
import type { Config } from '../config.ts'
import { messageOf, StartError } from '../start-error.ts'

const CACHED_COUNTRIES = 20_000

/** A range of addresses as numbers of 128 bits, both ends included. */
interface Range {
  first: bigint
  last: bigint
}

/**
 * What the files of the operator say of the networks from which links are followed: a database of countries in MaxMind's format, and a list of
 * the networks of data centres. Both may be missing. They are read once, at the start.
 */
export class Networks {
  readonly #countries: Reader<CountryResponse> | null
  readonly #dataCentres: Range[]

  /** @throws StartError when a file cannot be read, naming its variable and what is wrong in it */
  constructor({ countryDatabase, dataCentreNetworks }: Pick<Config, 'countryDatabase' | 'dataCentreNetworks'>) {
    this.#countries = countryDatabase === null ? null : openCountries(countryDatabase)
    this.#dataCentres = dataCentreNetworks === null ? [] : readNetworks(dataCentreNetworks)
  }

  /** Whether there is anything to ask, for whoever would have to find out an address first. */
  get knowsCountries(): boolean {
    return this.#countries !== null
  }

  get knowsDataCentres(): boolean {
    return this.#dataCentres.length > 0
  }

  /** ISO 3166-1, or null when it is not known. */
  countryOf(address: string): string | null {
    if (!this.#countries || !ipaddr.isValid(address)) return null
    const found = this.#countries.get(ipaddr.process(address).toString())
    const code = found?.country?.iso_code ?? found?.registered_country?.iso_code ?? ''
    return /^[A-Z]{2}$/.test(code) ? code : null
  }

  isDataCentre(address: string): boolean {
    const ranges = this.#dataCentres
    if (ranges.length === 0 || !ipaddr.isValid(address)) return false
    const wanted = numberOf(ipaddr.parse(address))
    let [from, to] = [0, ranges.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((ranges[middle] as Range).last < wanted) from = middle + 1
      else to = middle
    }
    const range = ranges[from]
    return range !== undefined && range.first <= wanted
  }
}

function openCountries(path: string): Reader<CountryResponse> {
  try {
    return new Reader<CountryResponse>(readFileSync(path), { cache: new LRUCache({ max: CACHED_COUNTRIES }) })
  } catch (error) {
    throw new StartError(`COUNTRY_DATABASE cannot be read as a database in MaxMind's format: ${messageOf(error)}`)
  }
}

/** One network in CIDR notation a line (RFC 4632); what follows a `#` is a comment. */
function readNetworks(path: string): Range[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`DATA_CENTRE_NETWORKS cannot be read: ${messageOf(error)}`)
  }
  const ranges = text.split('\n').flatMap((line, index) => {
    const network = line.replace(/#.*/, '').trim()
    return network === '' ? [] : rangeOf(network, index + 1)
  })
  return joined(ranges)
}

function rangeOf(network: string, line: number): Range {
  const cidr = network.includes('/') ? network : `${network}/${network.includes(':') ? 128 : 32}`
  if (!ipaddr.isValidCIDR(cidr)) {
    const example = 'a network such as 192.0.2.0/24 or 2001:db8::/32'
    throw new StartError(`DATA_CENTRE_NETWORKS has “${network.slice(0, 60)}” in line ${line}, which is not ${example}.`)
  }
  const [address, bits] = ipaddr.parseCIDR(cidr)
  const free = BigInt((address.kind() === 'ipv4' ? 32 : 128) - bits)
  const first = (numberOf(address) >> free) << free
  return { first, last: first + (1n << free) - 1n }
}

/** In order, and without overlaps. */
function joined(ranges: Range[]): Range[] {
  const result: Range[] = []
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = result.at(-1)
    if (!before || range.first > before.last) result.push({ ...range })
    else if (range.last > before.last) before.last = range.last
  }
  return result
}

/** IPv4 addresses are taken as those of IPv6 that stand for them (RFC 4291, section 2.5.5.2). */
function numberOf(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  const six = address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address
  return six.toByteArray().reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n)
}
