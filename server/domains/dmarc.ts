import { readTags } from './dkim-record.ts'
import { type Answer, type Dns, recordsOf } from './dns.ts'
import { organisationOf, suffixOf } from './domain-names.ts'

type Policy = 'none' | 'quarantine' | 'reject'

export type DmarcReading =
  | { kind: 'failed' | 'none' }
  | { kind: 'several' | 'unreadable'; at: string; records: string[] }
  | { kind: 'read'; at: string; record: string; policy: Policy; reports: boolean; strictSpf: boolean }

/** The version must come first and in this spelling (RFC 7489 section 6.3). */
const isDmarc = (text: string): boolean => /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text)

/**
 * Finds the policy of a domain: its own record, else that of the organisational domain (RFC 7489 section 6.6.3), else
 * that of the public suffix where its operator publishes one (RFC 9091 section 3.5).
 */
export async function readDmarc(dns: Dns, domain: string): Promise<DmarcReading> {
  const organisation = organisationOf(domain)
  const suffix = suffixOf(domain)
  for (const place of new Set([domain, organisation, ...(suffix ? [suffix] : [])])) {
    const reading = readAnswer(place, await dns.txt(`_dmarc.${place}`), place !== domain)
    if (reading.kind === 'none') continue
    // A record of a public suffix counts only when its operator says so with psd=y (RFC 9091 section 3.2).
    if (place === suffix && reading.kind === 'read' && !/(^|;)\s*psd\s*=\s*y/i.test(reading.record)) continue
    return reading
  }
  return { kind: 'none' }
}

/** @param inherited whether the record belongs to a parent domain, whose `sp` applies then */
function readAnswer(place: string, answer: Answer<string>, inherited: boolean): DmarcReading {
  if (answer.kind === 'failed') return { kind: 'failed' }
  const records = recordsOf(answer).filter(isDmarc)
  const [record] = records
  const at = `_dmarc.${place}`
  if (record === undefined) return { kind: 'none' }
  if (records.length > 1) return { kind: 'several', at, records }
  const tags = readTags(record)
  const reports = /^mailto:\S+@\S+/i.test(tags?.get('rua') ?? '')
  const policy = policyOf(tags, inherited, reports)
  if (!tags || !policy) return { kind: 'unreadable', at, records }
  return { kind: 'read', at, record, policy, reports, strictSpf: tags.get('aspf')?.toLowerCase() === 's' }
}

/** A record without a valid policy counts as `none` when it asks for reports, and not at all otherwise (section 6.6.3). */
function policyOf(tags: Map<string, string> | null, inherited: boolean, reports: boolean): Policy | null {
  const text = ((inherited ? tags?.get('sp') : undefined) ?? tags?.get('p'))?.toLowerCase()
  if (text === 'none' || text === 'quarantine' || text === 'reject') return text
  return reports ? 'none' : null
}

/** Whether the envelope domain is aligned with the sender's (section 3.1.2). */
export const isAligned = (envelope: string, sender: string, strict: boolean): boolean =>
  strict ? envelope === sender : organisationOf(envelope) === organisationOf(sender)
