import type { Finding } from './contract.ts'
import { type DmarcReading, isAligned } from './dmarc.ts'
import { finding, txtRecord, txts } from './finding.ts'

interface Sending {
  /** Of the sender’s address. */
  domain: string
  /** Of the envelope’s sender, whose SPF counts; null where a provider puts another in its place. */
  envelope: string | null
  /** Where the reports of a first policy go. */
  reportsTo: string
  spf: Finding
  /** Whether its signature holds; null when DNS left it open. */
  signed: boolean | null
}

/** DMARC (RFC 7489): a policy, and mail that passes it by a signature or an envelope of the sender’s own domain. */
export function checkDmarc(reading: DmarcReading, sending: Sending): Finding {
  const { domain, reportsTo } = sending
  switch (reading.kind) {
    case 'failed':
      return finding('dmarc', 'unknown', 'dmarc_failed', { values: { domain } })
    case 'none': {
      const set = [txtRecord(`_dmarc.${domain}`, `v=DMARC1; p=none; rua=mailto:${reportsTo}`)]
      return finding('dmarc', 'missing', 'dmarc_none', { values: { domain }, set })
    }
    case 'several':
    case 'unreadable': {
      const { at, records } = reading
      return finding('dmarc', 'wrong', `dmarc_${reading.kind}`, {
        values: { name: at, count: records.length },
        found: txts(at, records),
      })
    }
    case 'read': {
      const { at, record, policy } = reading
      const detail = { values: { policy, name: at }, found: txts(at, [record]) }
      if (policy === 'none') return finding('dmarc', 'good', 'dmarc_watches', detail)
      const passing = passes(reading, sending)
      if (passing === null) return finding('dmarc', 'unknown', 'dmarc_unclear', detail)
      return passing
        ? finding('dmarc', 'good', 'dmarc_passes', detail)
        : finding('dmarc', 'wrong', 'dmarc_refuses', detail)
    }
  }
}

/** One of the two is enough. What could not be known is not held against anybody. */
function passes({ strictSpf }: { strictSpf: boolean }, { domain, envelope, spf, signed }: Sending): boolean | null {
  const aligned = envelope === null ? null : isAligned(envelope, domain, strictSpf)
  if (signed || (aligned && spf.state === 'good')) return true
  const open = signed === null || aligned === null || (aligned && spf.state === 'unknown')
  return open ? null : false
}
