import type { Finding } from './contract.ts'
import type { Answer, MailExchange } from './dns.ts'
import { finding } from './finding.ts'

export interface Mailboxes {
  domain: string
  mx: Answer<MailExchange>
  /** The addresses of all exchanges; those of the domain itself where it has none. */
  addresses: Answer<string>
}

type Reading = 'receives' | 'none' | 'implicit' | 'null' | 'lost' | 'failed'

/** Whether mail to the domain can be delivered (RFC 5321 section 5.1). */
function readMailboxes({ mx, addresses }: Mailboxes): Reading {
  if (mx.kind === 'failed') return 'failed'
  if (mx.kind === 'none') return addresses.kind === 'found' ? 'implicit' : addresses.kind
  // A single dot says that the domain takes no mail (RFC 7505).
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

/** MX: replies to the sender arrive, and so do bounces when they go to a domain of their own. */
export function checkMx(sender: Mailboxes, bounces: Mailboxes | null): Finding {
  const found = [sender, ...(bounces ? [bounces] : [])].flatMap(exchanges)
  const reading = readMailboxes(sender)
  const values = { domain: sender.domain }
  if (states[reading] !== 'good' || !bounces) return finding(states[reading], `mx_${reading}`, { values, found })
  const bounceReading = readMailboxes(bounces)
  if (bounceReading === 'receives' || bounceReading === 'implicit')
    return finding('good', 'mx_receives', { values, found })
  const lost = { values: { domain: bounces.domain }, ofServer: bounces.domain, found }
  return bounceReading === 'failed'
    ? finding('unknown', 'mx_failed', lost)
    : finding(states[bounceReading], 'mx_bounces', lost)
}

const exchanges = ({ domain, mx }: Mailboxes): Finding['found'] =>
  mx.kind === 'found'
    ? mx.records
        .toSorted((a, b) => a.priority - b.priority)
        .map(({ exchange, priority }) => ({ name: domain, type: 'MX', value: `${priority} ${exchange || '.'}` }))
    : []
