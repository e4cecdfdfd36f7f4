import { BlockList, isIP } from 'node:net'
import type { Finding } from './contract.ts'
import type { Answer } from './dns.ts'
import { finding } from './finding.ts'

/** An address that mail comes from, the names it has been given, and the addresses that each of these leads to. */
export interface ReverseName {
  address: string
  names: Answer<string>
  forward: Answer<string>[]
}

/**
 * PTR: each address has a name that leads back to it. Only who holds an address can name it: of a provider’s this says
 * nothing, and of a relay that may be anybody’s only the good news counts.
 */
export function checkPtr(place: string, whose: 'own' | 'provider' | 'unclear', reverse: ReverseName[]): Finding {
  if (whose === 'provider') return finding('ptr', 'unknown', 'ptr_provider', { values: { place } })
  const [worst] = reverse.toSorted((a, b) => rank[readReverse(b)] - rank[readReverse(a)])
  if (!worst) return finding('ptr', 'unknown', 'ptr_no_address', { values: { place } })
  const reading = readReverse(worst)
  const found = reverse.flatMap(namesFound)
  const values = { address: worst.address, place }
  if (reading === 'confirmed') return finding('ptr', 'good', 'ptr_confirmed', { values, found })
  if (reading === 'failed') return finding('ptr', 'unknown', 'ptr_failed', { values, found })
  if (whose === 'unclear') return finding('ptr', 'unknown', 'ptr_provider', { values, found })
  return finding('ptr', reading === 'none' ? 'missing' : 'wrong', `ptr_${reading}`, { values, found })
}

type Reading = 'confirmed' | 'none' | 'mismatch' | 'failed'
const rank: Record<Reading, number> = { confirmed: 0, failed: 1, mismatch: 2, none: 3 }

/** Forward-confirmed: a name of the address leads back to it. */
function readReverse({ address, names, forward }: ReverseName): Reading {
  if (names.kind !== 'found') return names.kind
  if (forward.some((answer) => answer.kind === 'found' && answer.records.some((each) => same(each, address)))) {
    return 'confirmed'
  }
  return forward.some(({ kind }) => kind === 'failed') ? 'failed' : 'mismatch'
}

/** IPv6 has many spellings of one address. */
function same(one: string, other: string): boolean {
  if (isIP(one) !== 6 || isIP(other) !== 6) return one === other
  const list = new BlockList()
  list.addAddress(one, 'ipv6')
  return list.check(other, 'ipv6')
}

const namesFound = ({ address, names }: ReverseName): Finding['found'] =>
  names.kind === 'found' ? names.records.map((value) => ({ name: address, type: 'PTR', value })) : []
