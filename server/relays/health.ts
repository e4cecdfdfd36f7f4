import type { Outcome } from '../mail/relay.ts'

/** How a relay has been lately. */
export interface Health {
  /** Milliseconds since 1970; null: it may be asked. */
  restingUntilMs: number | null
  /** Rests in a row. */
  failures: number
  /** Its last failure was that it does not take mail from us. */
  refused: boolean
  /** In its own words. */
  answer: string | null
}

export const well: Health = { restingUntilMs: null, failures: 0, refused: false, answer: null }

const LONGEST_REST_SECONDS = 300
const MAX_ANSWER = 500

/** Seconds a relay is left alone after so many failures in a row: 1, 2, 4 … 300. */
const restSeconds = (failures: number): number =>
  Math.min(LONGEST_REST_SECONDS, 2 ** Math.min(Math.max(failures, 1) - 1, 10))

/** Whether nothing of the message left, so that another relay may be asked at once. */
export const nothingLeft = (outcome: Outcome): boolean =>
  outcome.kind === 'unreachable' ||
  outcome.kind === 'refused' ||
  (outcome.kind === 'broken' && !outcome.written) ||
  (outcome.kind === 'answered' && outcome.code === 421)

export const isResting = ({ restingUntilMs }: Health, nowMs: number): boolean =>
  restingUntilMs !== null && restingUntilMs > nowMs

/** One failure more; those of the same moment are one. A relay that says how long it wants to rest gets that. */
export function afterFailure(health: Health, outcome: Outcome, nowMs: number): Health {
  if (isResting(health, nowMs)) return health
  const failures = health.failures + 1
  const asked = outcome.kind === 'answered' ? (outcome.retryAfterMs ?? 0) : 0
  return {
    restingUntilMs: nowMs + Math.max(asked, restSeconds(failures) * 1000),
    failures,
    refused: outcome.kind === 'refused',
    answer: shortened(outcome.text),
  }
}

export const shortened = (answer: string): string => answer.slice(0, MAX_ANSWER)

/**
 * What to say when all of them rest: until when the first does, whether none would take mail from us, and why.
 * @param all not empty
 */
export function restOf(all: readonly Health[]): { untilMs: number; refused: boolean; answer: string | null } {
  const [first = well] = all.toSorted((a, b) => (a.restingUntilMs ?? 0) - (b.restingUntilMs ?? 0))
  return { untilMs: first.restingUntilMs ?? 0, refused: all.every(({ refused }) => refused), answer: first.answer }
}
