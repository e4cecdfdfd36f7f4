import { enhancedStatusIn, saysAddressIsGone } from '../mail/enhanced-status.ts'
import type { Outcome } from '../mail/relay.ts'

/** What an attempt means for its delivery, for the others and for the subscriber. */
export type Verdict =
  | { kind: 'accepted' }
  | { kind: 'deferred'; delaySeconds: number }
  | { kind: 'failed'; hardBounce: boolean }
  /** It is not known whether it arrived, so only its owner can have it sent again. */
  | { kind: 'uncertain' }
  /** It was not sent: it goes back to the queue, and the relay rests. */
  | { kind: 'returned' }
  /** It goes back to the queue, and the whole sending stops: every other message would have the same answer. */
  | { kind: 'stop' }

/** Seconds until the next attempt: 1 minute to 12 hours, about a day and a half in all. */
export const retryDelays = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, 43_200] as const

/** @param attempts how often it was tried before */
export function verdictOn(outcome: Outcome, attempts: number): Verdict {
  // Another relay may take it.
  if (outcome.kind === 'refused' || outcome.kind === 'unreachable') return { kind: 'returned' }
  if (outcome.kind === 'broken') return { kind: outcome.written ? 'uncertain' : 'returned' }
  const { code, command } = outcome
  if (code < 400) return { kind: 'accepted' }
  if (code === 421) return { kind: 'returned' }
  if (code >= 500) {
    // A sender that is refused is refused for everybody.
    if (command === 'MAIL FROM') return { kind: 'stop' }
    return { kind: 'failed', hardBounce: isHardBounce(outcome.code, outcome.text, command) }
  }
  const delaySeconds = retryDelays[attempts]
  return delaySeconds === undefined ? { kind: 'failed', hardBounce: false } : { kind: 'deferred', delaySeconds }
}

function isHardBounce(code: number, text: string, command: string): boolean {
  const enhanced = enhancedStatusIn(text)
  if (enhanced) return saysAddressIsGone(enhanced)
  return command === 'RCPT TO' && [550, 551, 553].includes(code)
}
