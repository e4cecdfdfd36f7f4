import { readAnswer } from '../mail/answers/read-answer.ts'
import type { Outcome } from '../mail/relay.ts'
import { failsForAll, speaksOfUs } from '../relays/health.ts'

/** What an attempt means for its delivery, for the others and for the subscriber. */
export type Verdict =
  | { kind: 'accepted' }
  /** Kept on this machine, because there is no relay. */
  | { kind: 'caught' }
  | { kind: 'deferred'; delaySeconds: number }
  | { kind: 'failed'; gone: boolean }
  /** It is not known whether it arrived, so only its owner can have it sent again. */
  | { kind: 'uncertain' }
  /** It was not sent: it goes back to the queue, and the relay rests. */
  | { kind: 'returned' }

/** Seconds until the next attempt: 1 minute to 12 hours, about a day and a half in all. */
export const retryDelays = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, 43_200] as const

/**
 * An answer to one recipient that is about the relay or the sender is tried again, like one that asks to wait: a relay may
 * say so of a single odd address. When it says so of everybody, it rests.
 *
 * @param attempts how often it was tried before
 */
export function verdictOn(outcome: Outcome, attempts: number): Verdict {
  // Another relay may take it.
  if (failsForAll(outcome)) return { kind: 'returned' }
  if (outcome.kind !== 'answered') return { kind: 'uncertain' }
  const { code, command, text } = outcome
  if (code < 400) return { kind: outcome.caught ? 'caught' : 'accepted' }
  if (code >= 500 && !speaksOfUs(outcome)) {
    return { kind: 'failed', gone: readAnswer({ stage: command, code, text }).gone }
  }
  const delaySeconds = retryDelays[attempts]
  return delaySeconds === undefined ? { kind: 'failed', gone: false } : { kind: 'deferred', delaySeconds }
}
