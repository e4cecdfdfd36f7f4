import type { DomainKind, Finding, Overall } from './contract.ts'

/** What Gmail and Yahoo require of bulk senders (5,000 mails a day), besides the one-click unsubscribe of every mail. */
const REQUIRED = ['spf', 'dkim', 'dmarc'] as const

/** The state of a domain, as all its findings together say. */
export function overallOf(kind: DomainKind, findings: Finding[]): Overall {
  if (kind !== 'own') return { state: kind, lacking: [] }
  const required = findings.filter(({ check }) => REQUIRED.some((each) => each === check))
  const lacking = required.filter(({ state }) => state === 'missing' || state === 'wrong').map(({ check }) => check)
  if (required.some(({ reason }) => reason === 'dmarc_refuses')) return { state: 'refused', lacking }
  if (lacking.length > 0) return { state: 'lacking', lacking }
  return { state: required.every(({ state }) => state === 'good') ? 'ready' : 'unsure', lacking }
}
