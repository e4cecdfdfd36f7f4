import type { Finding } from './contract.ts'
import type { Answer, MailExchange } from './dns.ts'
import { finding } from './finding.ts'

export interface Mailboxes {
  domain: string
  mx: Answer<MailExchange>
  /** Of the exchanges all together; of the domain itself where it has none. */
  addresses: Answer<string>
}

type Reading = 'receives' | 'none' | 'implicit' | 'null' | 'lost' | 'failed'

/** Whether mail to the domain arrives somewhere (RFC 5321 section 5.1). */
function readMailboxes({ mx, addresses }: Mailboxes): Reading {
  if (mx.kind === 'failed') return 'failed'
  if (mx.kind === 'none') return addresses.kind === 'found' ? 'implicit' : addresses.kind
  // RFC 7505: a single dot says that the domain takes no mail.
  if (mx.records.every(({ exchange }) => exchange === '' || exchange === '.')) return 'null'
  if (addresses.kind === 'failed') return 'failed'
  return addresses.kind === 'found' ? 'receives' : 'lost'
}

const states: Record<Reading, Finding['state']> = {
  receives: 'good',
  none: 'missing',
  implicit: 'missing',
  null: 'wrong',
  lost: 'wrong',
  failed: 'unknown',
}

/** MX: answers to the sender arrive, and so do bounces where they go to a domain of their own. */
export function checkMx(sender: Mailboxes, bounces: Mailboxes | null): Finding {
  const found = [sender, ...(bounces ? [bounces] : [])].flatMap(exchanges)
  const reading = readMailboxes(sender)
  const values = { domain: sender.domain }
  if (states[reading] !== 'good' || !bounces) return finding('mx', states[reading], `mx_${reading}`, { values, found })
  const back = readMailboxes(bounces)
  if (back === 'receives' || back === 'implicit') return finding('mx', 'good', 'mx_receives', { values, found })
  const lost = { values: { domain: bounces.domain }, found }
  return back === 'failed'
    ? finding('mx', 'unknown', 'mx_failed', lost)
    : finding('mx', states[back], 'mx_bounces', lost)
}

const exchanges = ({ domain, mx }: Mailboxes): Finding['found'] =>
  mx.kind === 'found'
    ? mx.records
        .toSorted((a, b) => a.priority - b.priority)
        .map(({ exchange, priority }) => ({ name: domain, type: 'MX', value: `${priority} ${exchange || '.'}` }))
    : []
