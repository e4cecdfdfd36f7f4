import { saysAddressIsGone } from '../mail/enhanced-status.ts'
import type { FeedbackRule } from '../relays/providers/provider.ts'
import { feedbackRulesOf } from '../relays/registry.ts'
import { type FeedbackSource, MAX_COMPLAINT_RATE } from './contract.ts'

export type Kind = 'hard' | 'soft' | 'complaint'

/** What somebody reports, in their own words made lower case. */
export interface Fact {
  source: FeedbackSource
  /** The action of a bounce, the type of a complaint, the name of a provider's event. */
  event: string
  /** What the event adds: how lasting a provider takes it to be. */
  detail?: string | null
  /** RFC 3463, such as 5.1.1. */
  status: string | null
}

/** The rules for reports by mail. Those for webhooks are in the providers' files, and all are in docs/feedback.md. */
const mailRules: Record<'dsn' | 'arf', readonly FeedbackRule[]> = {
  dsn: [{ events: ['failed'], means: 'by status' }],
  arf: [
    { events: ['abuse', 'fraud', 'virus', 'other', 'opt-out', 'opt-out-list'], means: 'complaint' },
    { events: ['forwarded'], means: 'complaint' },
  ],
}

const rulesOf = (source: FeedbackSource): readonly FeedbackRule[] =>
  source === 'dsn' || source === 'arf' ? mailRules[source] : feedbackRulesOf(source)

/** What a report means; an event that no rule names is ignored. */
export function judge({ source, event, detail = null, status }: Fact): Kind | 'ignore' {
  const rule = rulesOf(source).find(
    ({ events, details }) => events.includes(event) && (!details || details.includes(detail ?? '')),
  )
  if (rule?.means !== 'by status') return rule?.means ?? 'ignore'
  return status !== null && saysAddressIsGone(status) ? 'hard' : 'soft'
}

/** So many soft bounces in so many days count as a hard one; how many, the newsletter says. */
export const SOFT_BOUNCE_DAYS = 90

export const tooManyComplaints = (complaints: number, accepted: number): boolean =>
  complaints > accepted * MAX_COMPLAINT_RATE
