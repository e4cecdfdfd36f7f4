import { type Answer, type Dns, recordsOf } from './dns.ts'
import { readTags } from './key-record.ts'
import { organisationOf, suffixOf } from './names.ts'

type Policy = 'none' | 'quarantine' | 'reject'

export type DmarcReading =
  | { kind: 'failed' | 'none' }
  | { kind: 'several' | 'unreadable'; at: string; records: string[] }
  | { kind: 'read'; at: string; record: string; policy: Policy; reports: boolean; strictSpf: boolean }

/** The version comes first, and is written so (RFC 7489 section 6.3). */
const isDmarc = (text: string): boolean => /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text)

/**
 * Finds the policy that holds for a domain: its own record, else that of the registered domain (RFC 7489 section 6.6.3),
 * else that of the public suffix where its keeper publishes one (RFC 9091 section 3.5).
 */
export async function readDmarc(dns: Dns, domain: string): Promise<DmarcReading> {
  const organisation = organisationOf(domain)
  const suffix = suffixOf(domain)
  for (const place of new Set([domain, organisation, ...(suffix ? [suffix] : [])])) {
    const reading = readAnswer(place, await dns.txt(`_dmarc.${place}`), place !== domain)
    if (reading.kind === 'none') continue
    // Below a suffix everybody is somebody else: only a keeper who says so speaks for all.
    if (place === suffix && reading.kind === 'read' && !/(^|;)\s*psd\s*=\s*y/i.test(reading.record)) continue
    return reading
  }
  return { kind: 'none' }
}

/** @param inherited whether the record is of a domain above, whose `sp` is then meant */
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

/** A record whose policy cannot be read counts as `none` when it asks for reports, else not at all (section 6.6.3). */
function policyOf(tags: Map<string, string> | null, inherited: boolean, reports: boolean): Policy | null {
  const text = ((inherited ? tags?.get('sp') : undefined) ?? tags?.get('p'))?.toLowerCase()
  if (text === 'none' || text === 'quarantine' || text === 'reject') return text
  return reports ? 'none' : null
}

/** Whether an envelope’s domain counts for a sender’s (section 3.1.2). */
export const isAligned = (envelope: string, sender: string, strict: boolean): boolean =>
  strict ? envelope === sender : organisationOf(envelope) === organisationOf(sender)
