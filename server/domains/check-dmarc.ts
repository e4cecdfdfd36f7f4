import type { Finding } from './contract.ts'
import { type DmarcReading, isAligned } from './dmarc.ts'
import { finding, txtRecord, txtRecords } from './finding.ts'

interface MailFacts {
  /** The domain of the sender’s address. */
  domain: string
  /** The domain of the envelope sender, which SPF is about; null where a provider replaces it. */
  envelope: string | null
  /** The address for the reports of a suggested policy. */
  reportsTo: string
  spf: Finding
  /** Whether receivers can verify the signature; null when DNS did not tell. */
  signed: boolean | null
}

/** DMARC (RFC 7489): there is a policy, and mail passes it with a signature or an envelope of the sender’s domain. */
export function checkDmarc(reading: DmarcReading, mail: MailFacts): Finding {
  const { domain, reportsTo } = mail
  switch (reading.kind) {
    case 'failed':
      return finding('unknown', 'dmarc_failed', { values: { domain } })
    case 'none': {
      const set = [txtRecord(`_dmarc.${domain}`, `v=DMARC1; p=none; rua=mailto:${reportsTo}`)]
      return finding('missing', 'dmarc_none', { values: { domain }, set })
    }
    case 'several':
    case 'unreadable': {
      const { at, records } = reading
      return finding('wrong', `dmarc_${reading.kind}`, {
        values: { name: at, count: records.length },
        found: txtRecords(at, records),
      })
    }
    case 'read': {
      const { at, record, policy } = reading
      const detail = { values: { policy, name: at }, found: txtRecords(at, [record]) }
      if (policy === 'none') return finding('good', 'dmarc_watches', detail)
      const passing = passes(reading, mail)
      if (passing === null) return finding('unknown', 'dmarc_unclear', detail)
      return passing ? finding('good', 'dmarc_passes', detail) : finding('wrong', 'dmarc_refuses', detail)
    }
  }
}

/** SPF or DKIM is enough. Null when one of them is unknown and the other does not pass. */
function passes({ strictSpf }: { strictSpf: boolean }, { domain, envelope, spf, signed }: MailFacts): boolean | null {
  const aligned = envelope === null ? null : isAligned(envelope, domain, strictSpf)
  if (signed || (aligned && spf.state === 'good')) return true
  const unclear = signed === null || aligned === null || (aligned && spf.state === 'unknown')
  return unclear ? null : false
}
