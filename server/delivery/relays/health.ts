import type { Outcome } from '../relay.ts'

/** How a relay has been lately. */
export interface Health {
  /** Milliseconds since 1970; null: it may be asked. */
  restingUntilMs: number | null
  /** Rests in a row. */
  failures: number
  /** Its last failure was that it does not take mail from us. */
  refused: boolean
  answer: string | null
}

export const well: Health = { restingUntilMs: null, failures: 0, refused: false, answer: null }

const LONGEST_REST_SECONDS = 300

/** Seconds a relay is left alone after so many failures in a row: 1, 2, 4 … 300. */
export const restSeconds = (failures: number): number =>
  Math.min(LONGEST_REST_SECONDS, 2 ** Math.min(Math.max(failures, 1) - 1, 10))

/** Whether nothing of the message left, so that another relay may be asked at once. */
export const nothingLeft = (outcome: Outcome): boolean =>
  outcome.kind === 'unreachable' ||
  outcome.kind === 'refused' ||
  (outcome.kind === 'broken' && !outcome.written) ||
  (outcome.kind === 'answered' && outcome.code === 421)

export const isResting = ({ restingUntilMs }: Health, nowMs: number): boolean =>
  restingUntilMs !== null && restingUntilMs > nowMs

/** One failure more; several at the same moment are one. */
export function afterFailure(health: Health, outcome: Outcome, nowMs: number): Health {
  if (isResting(health, nowMs)) return health
  const failures = health.failures + 1
  const restMs = restSeconds(failures) * 1000
  return { restingUntilMs: nowMs + restMs, failures, refused: outcome.kind === 'refused', answer: outcome.text }
}
