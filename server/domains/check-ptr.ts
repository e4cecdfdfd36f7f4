import { BlockList, isIP } from 'node:net'
import type { Finding } from './contract.ts'
import type { Answer } from './dns.ts'
import { finding } from './finding.ts'

/** An address that mail comes from, its names, and the addresses of each of these names. */
export interface ReverseName {
  address: string
  names: Answer<string>
  forward: Answer<string>[]
}

/**
 * PTR: each address has a name that leads back to it. Only the holder of an address can name it. So the check says
 * nothing about a provider's addresses, and of a relay whose holder is unknown it reports success only.
 */
export function checkPtr(place: string, whose: 'own' | 'provider' | 'unclear', reverse: ReverseName[]): Finding {
  if (whose === 'provider') return finding('unknown', 'ptr_provider', { values: { place } })
  const [worst] = reverse.toSorted((a, b) => rank[readReverse(b)] - rank[readReverse(a)])
  if (!worst) return finding('unknown', 'ptr_no_address', { values: { place } })
  const reading = readReverse(worst)
  const found = reverse.flatMap(namesFound)
  const values = { address: worst.address, place }
  if (reading === 'confirmed') return finding('good', 'ptr_confirmed', { values, found })
  if (reading === 'failed') return finding('unknown', 'ptr_failed', { values, found })
  if (whose === 'unclear') return finding('unknown', 'ptr_provider', { values, found })
  return finding(reading === 'none' ? 'missing' : 'wrong', `ptr_${reading}`, { values, found })
}

type Reading = 'confirmed' | 'none' | 'mismatch' | 'failed'
const rank: Record<Reading, number> = { confirmed: 0, failed: 1, mismatch: 2, none: 3 }

/** `confirmed`: a name of the address leads back to it (forward-confirmed reverse DNS, RFC 8601 section 3). */
function readReverse({ address, names, forward }: ReverseName): Reading {
  if (names.kind !== 'found') return names.kind
  if (forward.some((answer) => answer.kind === 'found' && answer.records.some((each) => sameAddress(each, address)))) {
    return 'confirmed'
  }
  return forward.some(({ kind }) => kind === 'failed') ? 'failed' : 'mismatch'
}

/** One IPv6 address can be written in many ways. */
function sameAddress(one: string, other: string): boolean {
  if (isIP(one) !== 6 || isIP(other) !== 6) return one === other
  const list = new BlockList()
  list.addAddress(one, 'ipv6')
  return list.check(other, 'ipv6')
}

const namesFound = ({ address, names }: ReverseName): Finding['found'] =>
  names.kind === 'found' ? names.records.map((value) => ({ name: address, type: 'PTR', value })) : []
