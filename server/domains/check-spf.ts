import type { Finding } from './contract.ts'
import { recordsOf } from './dns.ts'
import { finding, txtRecord, txts } from './finding.ts'
import type { MailOrigin } from './mail-origins.ts'
import { includes, MAX_LOOKUPS, MAX_VOID_LOOKUPS, type SpfNode, type SpfReading, spfResult } from './spf.ts'
import { joinSpf } from './spf-record.ts'

/**
 * SPF (RFC 7208): one record, readable, within the limits, and letting through where mail leaves by.
 *
 * @param domain of the envelope’s sender, whose record receivers look at
 */
export function checkSpf(domain: string, reading: SpfReading, ways: MailOrigin[]): Finding {
  const wanted = [...new Set(ways.flatMap(termsFor))]
  const set = (records: string[]) =>
    wanted.length > 0 || records.length > 1 ? [txtRecord(domain, joinSpf(records, wanted))] : []
  switch (reading.kind) {
    case 'failed':
      return finding('spf', 'unknown', 'spf_failed', { values: { domain } })
    case 'none':
      return finding('spf', 'missing', 'spf_none', { values: { domain }, set: set([]) })
    case 'several': {
      const { records } = reading
      const values = { domain, count: records.length }
      return finding('spf', 'wrong', 'spf_several', { values, found: txts(domain, records), set: set(records) })
    }
    case 'syntax':
    case 'include_none': {
      const values = { domain: reading.domain, ...('term' in reading && { term: reading.term }) }
      return finding('spf', 'wrong', `spf_${reading.kind}`, { values, found: txts(domain, [reading.record]) })
    }
    case 'read':
      return judge(domain, reading, ways, () => set([reading.record]))
  }
}

function judge(
  domain: string,
  { node, record, lookups, voids }: Extract<SpfReading, { kind: 'read' }>,
  ways: MailOrigin[],
  mended: () => Finding['set'],
): Finding {
  const found = txts(domain, [record])
  if (lookups > MAX_LOOKUPS) return finding('spf', 'wrong', 'spf_lookups', { values: { count: lookups }, found })
  if (node.terms.some(({ name, qualifier }) => name === 'all' && qualifier === '+')) {
    return finding('spf', 'wrong', 'spf_everybody', { found, set: mended() })
  }
  if (voids > MAX_VOID_LOOKUPS) return finding('spf', 'wrong', 'spf_voids', { values: { count: voids }, found })
  if (ways.length === 0) return finding('spf', 'unknown', 'spf_no_relay', { found })
  const uncovered = ways.find((way) => coverage(node, way) === 'no')
  if (uncovered) {
    return finding('spf', 'wrong', 'spf_not_covered', { values: { place: uncovered.place }, found, set: mended() })
  }
  const unclear = ways.find((way) => coverage(node, way) === 'unclear')
  if (unclear?.ownEnvelope) {
    return finding('spf', 'unknown', 'spf_provider', { values: { place: unclear.place }, found, set: mended() })
  }
  if (unclear?.own) return finding('spf', 'unknown', 'spf_unknown_address', { found })
  if (unclear) return finding('spf', 'unknown', 'spf_cannot_tell', { values: { place: unclear.place }, found })
  return finding('spf', 'good', 'spf_covers', { values: { place: ways.map(({ place }) => place).join(', ') }, found })
}

/** More than any relay has. */
const ADDRESSES = 16

/** A relay may send from other addresses than those it listens at: that these are not let through then says nothing. */
function coverage(node: SpfNode, { include, own, ownEnvelope, addresses }: MailOrigin): 'yes' | 'no' | 'unclear' {
  if (include !== null && includes(node, include)) return 'yes'
  if (include !== null) return ownEnvelope ? 'unclear' : 'no'
  const results = recordsOf(addresses)
    .slice(0, ADDRESSES)
    .map((address) => spfResult(node, address))
  if (results.length > 0 && results.every((result) => result === 'pass')) return 'yes'
  return own && results.length > 0 && !results.includes('unknown') ? 'no' : 'unclear'
}

function termsFor({ include, own, addresses, place }: MailOrigin): string[] {
  if (include !== null) return [`include:${include}`]
  if (!own) return place.includes(':') ? [`ip6:${place}`] : [/^[\d.]+$/.test(place) ? `ip4:${place}` : `a:${place}`]
  return recordsOf(addresses).map((address) => `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`)
}
