import { saysAddressIsGone } from '../mail/enhanced-status.ts'
import { MAX_COMPLAINT_RATE } from './contract.ts'

export type Source = 'dsn' | 'arf' | 'ses' | 'postmark' | 'mailgun' | 'resend'
export type Kind = 'hard' | 'soft' | 'complaint'

/** What somebody reports, in their own words made lower case. */
export interface Fact {
  source: Source
  /** The action of a bounce, the type of a complaint, the name of a provider's event. */
  event: string
  /** What the event adds: how lasting a provider takes it to be. */
  detail?: string | null
  /** RFC 3463, such as 5.1.1. */
  status: string | null
}

interface Rule {
  source: Source
  events: readonly string[]
  /** Any when it is not named. */
  details?: readonly string[]
  means: Kind | 'ignore' | 'by status'
}

/** The rule table of docs/feedback.md, in its order: the first that fits decides, and what fits none is left alone. */
const rules: readonly Rule[] = [
  { source: 'dsn', events: ['failed'], means: 'by status' },
  { source: 'arf', events: ['abuse', 'fraud', 'virus', 'other', 'opt-out', 'opt-out-list'], means: 'complaint' },
  { source: 'arf', events: ['forwarded'], means: 'complaint' },
  { source: 'ses', events: ['bounce'], details: ['permanent'], means: 'hard' },
  { source: 'ses', events: ['bounce'], means: 'soft' },
  { source: 'ses', events: ['complaint'], details: ['not-spam'], means: 'ignore' },
  { source: 'ses', events: ['complaint'], means: 'complaint' },
  {
    source: 'postmark',
    events: ['bounce'],
    details: ['hardbounce', 'bademailaddress', 'manuallydeactivated'],
    means: 'hard',
  },
  { source: 'postmark', events: ['bounce'], details: ['spamcomplaint'], means: 'complaint' },
  {
    source: 'postmark',
    events: ['bounce'],
    details: ['softbounce', 'transient', 'dnserror', 'blocked', 'spamnotification', 'undeliverable', 'dmarcpolicy'],
    means: 'soft',
  },
  { source: 'postmark', events: ['spamcomplaint'], means: 'complaint' },
  { source: 'mailgun', events: ['failed'], details: ['suppress-bounce'], means: 'hard' },
  { source: 'mailgun', events: ['failed'], details: ['suppress-complaint'], means: 'complaint' },
  { source: 'mailgun', events: ['failed'], details: ['permanent'], means: 'by status' },
  { source: 'mailgun', events: ['complained'], means: 'complaint' },
  { source: 'resend', events: ['email.bounced'], details: ['permanent'], means: 'hard' },
  { source: 'resend', events: ['email.bounced'], means: 'soft' },
  { source: 'resend', events: ['email.suppressed'], means: 'hard' },
  { source: 'resend', events: ['email.complained'], means: 'complaint' },
]

/** What a report means. A failure is hard only when its status says that the address itself is wrong. */
export function judge({ source, event, detail = null, status }: Fact): Kind | 'ignore' {
  const rule = rules.find(
    (one) =>
      one.source === source && one.events.includes(event) && (!one.details || one.details.includes(detail ?? '')),
  )
  if (rule?.means !== 'by status') return rule?.means ?? 'ignore'
  return status !== null && saysAddressIsGone(status) ? 'hard' : 'soft'
}

/** So many soft bounces in so many days count as a hard one; how many, the newsletter says. */
export const SOFT_BOUNCE_DAYS = 90

export const tooManyComplaints = (complaints: number, accepted: number): boolean =>
  complaints > accepted * MAX_COMPLAINT_RATE
