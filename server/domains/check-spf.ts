import type { Finding } from './contract.ts'
import { recordsOf } from './dns.ts'
import { finding, txtRecord, txtRecords } from './finding.ts'
import type { MailOrigin } from './mail-origins.ts'
import { includes, MAX_LOOKUPS, MAX_VOID_LOOKUPS, type SpfNode, type SpfReading, spfResult } from './spf.ts'
import { joinSpf } from './spf-record.ts'

/**
 * SPF (RFC 7208): there is one record, it is valid and within the limits, and it allows every origin of mail.
 *
 * @param domain the domain of the envelope sender, whose record receivers read
 */
export function checkSpf(domain: string, reading: SpfReading, origins: MailOrigin[]): Finding {
  const wanted = [...new Set(origins.flatMap(termsFor))]
  const set = (records: string[]) =>
    wanted.length > 0 || records.length > 1 ? [txtRecord(domain, joinSpf(records, wanted))] : []
  switch (reading.kind) {
    case 'failed':
      return finding('unknown', 'spf_failed', { values: { domain } })
    case 'none':
      return finding('missing', 'spf_none', { values: { domain }, set: set([]) })
    case 'several': {
      const { records } = reading
      const values = { domain, count: records.length }
      return finding('wrong', 'spf_several', { values, found: txtRecords(domain, records), set: set(records) })
    }
    case 'syntax':
    case 'include_none': {
      const values = { domain: reading.domain, ...('term' in reading && { term: reading.term }) }
      return finding('wrong', `spf_${reading.kind}`, { values, found: txtRecords(domain, [reading.record]) })
    }
    case 'read':
      return checkRecord(domain, reading, { origins, set: () => set([reading.record]) })
  }
}

function checkRecord(
  domain: string,
  { node, record, lookups, voids }: Extract<SpfReading, { kind: 'read' }>,
  { origins, set }: { origins: MailOrigin[]; set: () => Finding['set'] },
): Finding {
  const found = txtRecords(domain, [record])
  if (lookups > MAX_LOOKUPS) return finding('wrong', 'spf_lookups', { values: { count: lookups }, found })
  if (node.terms.some(({ name, qualifier }) => name === 'all' && qualifier === '+')) {
    return finding('wrong', 'spf_everybody', { found, set: set() })
  }
  if (voids > MAX_VOID_LOOKUPS) return finding('wrong', 'spf_voids', { values: { count: voids }, found })
  if (origins.length === 0) return finding('unknown', 'spf_no_relay', { found })
  const uncovered = origins.find((origin) => coverage(node, origin) === 'no')
  if (uncovered) {
    return finding('wrong', 'spf_not_covered', { values: { place: uncovered.place }, found, set: set() })
  }
  const unclear = origins.find((origin) => coverage(node, origin) === 'unclear')
  if (unclear?.ownEnvelope) {
    return finding('unknown', 'spf_provider', { values: { place: unclear.place }, found, set: set() })
  }
  if (unclear?.own) return finding('unknown', 'spf_unknown_address', { found })
  if (unclear) return finding('unknown', 'spf_cannot_tell', { values: { place: unclear.place }, found })
  return finding('good', 'spf_covers', { values: { place: origins.map(({ place }) => place).join(', ') }, found })
}

/** Addresses of one relay that are compared with the record. */
const MAX_ADDRESSES = 16

/**
 * Whether the record allows an origin. A relay may send from other addresses than those it listens at, so it is
 * `unclear` when the known ones are not allowed.
 */
function coverage(node: SpfNode, { include, own, ownEnvelope, addresses }: MailOrigin): 'yes' | 'no' | 'unclear' {
  if (include !== null && includes(node, include)) return 'yes'
  if (include !== null) return ownEnvelope ? 'unclear' : 'no'
  const results = recordsOf(addresses)
    .slice(0, MAX_ADDRESSES)
    .map((address) => spfResult(node, address))
  if (results.length > 0 && results.every((result) => result === 'pass')) return 'yes'
  return own && results.length > 0 && !results.includes('unknown') ? 'no' : 'unclear'
}

function termsFor({ include, own, addresses, place }: MailOrigin): string[] {
  if (include !== null) return [`include:${include}`]
  if (!own) return place.includes(':') ? [`ip6:${place}`] : [/^[\d.]+$/.test(place) ? `ip4:${place}` : `a:${place}`]
  return recordsOf(addresses).map((address) => `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`)
}
