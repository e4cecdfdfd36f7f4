import { type Reading, readAnswer } from '../mail/answers/read-answer.ts'
import type { FeedbackRule } from '../relays/providers/provider.ts'
import { feedbackRulesOf } from '../relays/registry.ts'
import type { FeedbackSource } from './contract.ts'

export type Kind = 'hard' | 'soft' | 'complaint'

/** What somebody reports, in their own words and in lower case. */
export interface FeedbackEvent {
  source: FeedbackSource
  /** The action of a bounce, the type of a complaint, the name of a provider's event. */
  event: string
  /** What the event adds, such as how permanent a provider takes a bounce to be. */
  detail?: string | null
  /** RFC 3463, such as 5.1.1. */
  status: string | null
  /** The answer of the recipient's server. */
  words: string
}

/** The rules for reports by mail. Those for webhooks are in the providers' files, and all are in docs/feedback.md. */
const mailRules: Record<'dsn' | 'arf', readonly FeedbackRule[]> = {
  dsn: [{ events: ['failed'], means: 'by answer' }],
  arf: [
    { events: ['abuse', 'fraud', 'virus', 'other', 'opt-out', 'opt-out-list'], means: 'complaint' },
    { events: ['forwarded'], means: 'complaint' },
  ],
}

const rulesOf = (source: FeedbackSource): readonly FeedbackRule[] =>
  source === 'dsn' || source === 'arf' ? mailRules[source] : feedbackRulesOf(source)

/**
 * Says what a report means. An event that no rule names is ignored. What a provider calls a hard bounce is soft when the
 * recipient's server spoke of the relay, the sender or the content.
 */
export function classify({ source, event, detail = null, ...answer }: FeedbackEvent): Kind | 'ignore' {
  const rule = rulesOf(source).find(
    ({ events, details }) => events.includes(event) && (!details || details.includes(detail ?? '')),
  )
  switch (rule?.means) {
    case 'by answer':
      return readingOf(answer).gone ? 'hard' : 'soft'
    case 'hard':
      return saysSomethingOfReader(answer) ? 'hard' : 'soft'
    default:
      return rule?.means ?? 'ignore'
  }
}

type Answer = Pick<FeedbackEvent, 'status' | 'words'>

/** docs/answers.md. The status comes first, because a diagnosis may leave it out. */
const readingOf = ({ status, words }: Answer): Reading =>
  readAnswer({ stage: 'report', code: null, text: status === null ? words : `${status} ${words}` })

/** Whether a bounce may count against its reader: not when it is the fault of the relay, the sender or the content. */
export const saysSomethingOfReader = (answer: Answer): boolean =>
  ['recipient', 'unknown'].includes(readingOf(answer).concerns)

/** Soft bounces within so many days count together as a hard one. The newsletter sets their number. */
export const SOFT_BOUNCE_DAYS = 90
