import { readAnswer } from '../mail/answers/read-answer.ts'
import type { Outcome } from '../mail/relay.ts'

/** Whether a relay may be used, and its last failure. */
export interface Health {
  /** Milliseconds since 1970; null: it may be used. */
  restingUntilMs: number | null
  /** Failures in a row. */
  failures: number
  /** Its last failure was that it does not take mail from us. */
  refused: boolean
  /** The relay's last answer. */
  answer: string | null
}

export const healthy: Health = { restingUntilMs: null, failures: 0, refused: false, answer: null }

const MAX_REST_SECONDS = 300
const MAX_ANSWER = 500

/** Seconds that a relay rests after this many failures in a row: 1, 2, 4 … 300. */
const restSeconds = (failures: number): number =>
  Math.min(MAX_REST_SECONDS, 2 ** Math.min(Math.max(failures, 1) - 1, 10))

/** Whether the relay takes no mail from us, whoever it is for: it rests at once. */
const refusesSender = (outcome: Outcome): boolean =>
  outcome.kind === 'answered' && outcome.code >= 500 && outcome.command === 'MAIL FROM'

/** Whether nothing of the message left for a reason that concerns every message: the relay rests at once. */
export const failsForAll = (outcome: Outcome): boolean =>
  outcome.kind === 'unreachable' ||
  outcome.kind === 'refused' ||
  (outcome.kind === 'broken' && !outcome.written) ||
  (outcome.kind === 'answered' && (outcome.code === 421 || refusesSender(outcome) || isLimitOfSession(outcome)))

/**
 * Whether a refusal of one message speaks of the relay or of its sender: relaying denied, a quota used up, a sender that is not
 * believed. Once it may be about an odd address; several in a row concern every message. A refusal for now (4xx) counts when
 * its words speak of something that stays: Postfix denies relaying with 454 unless told otherwise.
 */
export function speaksOfUs(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered' || outcome.code < 400) return false
  const { command: stage, code, text } = outcome
  const { concerns, session, stays } = readAnswer({ stage, code, text })
  return !session && (code >= 500 || stays) && (concerns === 'relay' || concerns === 'sender')
}

/**
 * Whether a relay puts a message off for a reason that may be its own. Whose words speak of a recipient, such as greylisting, or of too
 * much at once, means what it says: that one is tried again.
 */
export function turnsAway(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered' || outcome.code < 400 || outcome.code >= 500) return false
  const { concerns, rule } = readAnswer({ stage: outcome.command, code: outcome.code, text: outcome.text })
  return concerns !== 'recipient' && rule !== 'relay-busy'
}

/** Such a refusal for good: only the owner can mend its cause. For now, the relay may mend it by itself. */
const refusesUs = (outcome: Outcome): boolean =>
  outcome.kind === 'answered' && outcome.code >= 500 && speaksOfUs(outcome)

function isLimitOfSession({ code, text, command }: Extract<Outcome, { kind: 'answered' }>): boolean {
  return code >= 400 && readAnswer({ stage: command, code, text }).session
}

/** Whether another relay may be asked at once: nothing of the message left, and the reason is not its recipient. */
export const mayMove = (outcome: Outcome): boolean => failsForAll(outcome) || speaksOfUs(outcome)

export const isResting = ({ restingUntilMs }: Health, nowMs: number): boolean =>
  restingUntilMs !== null && restingUntilMs > nowMs

/**
 * The health after a failure. Failures while it rests count as one. A relay that says how long to wait rests at least that
 * long.
 */
export function afterFailure(health: Health, outcome: Outcome, nowMs: number): Health {
  if (isResting(health, nowMs)) return health
  const failures = health.failures + 1
  const asked = outcome.kind === 'answered' ? (outcome.retryAfterMs ?? 0) : 0
  return {
    restingUntilMs: nowMs + Math.max(asked, restSeconds(failures) * 1000),
    failures,
    refused: outcome.kind === 'refused' || refusesSender(outcome) || refusesUs(outcome),
    answer: shortened(outcome.text),
  }
}

export const shortened = (answer: string): string => answer.slice(0, MAX_ANSWER)

/**
 * Until when all of these relays rest, whether every one refuses us, and the answer of the first to be ready.
 * @param all not empty
 */
export function restOf(all: readonly Health[]): { untilMs: number; refused: boolean; answer: string | null } {
  const [first = healthy] = all.toSorted((a, b) => (a.restingUntilMs ?? 0) - (b.restingUntilMs ?? 0))
  return { untilMs: first.restingUntilMs ?? 0, refused: all.every(({ refused }) => refused), answer: first.answer }
}
