import type { DomainKind, Finding, Overall } from './contract.ts'

/** What Gmail and Yahoo have asked since 2024 of whoever sends 5,000 mails a day; the one-click leaving every mail has. */
const ASKED = ['spf', 'dkim', 'dmarc'] as const

/** One judgement of all findings. */
export function overallOf(kind: DomainKind, findings: Finding[]): Overall {
  if (kind !== 'own') return { state: kind, lacking: [] }
  const asked = findings.filter(({ check }) => ASKED.some((each) => each === check))
  const lacking = asked.filter(({ state }) => state === 'missing' || state === 'wrong').map(({ check }) => check)
  if (asked.some(({ reason }) => reason === 'dmarc_refuses')) return { state: 'refused', lacking }
  if (lacking.length > 0) return { state: 'lacking', lacking }
  return { state: asked.every(({ state }) => state === 'good') ? 'ready' : 'unsure', lacking }
}
