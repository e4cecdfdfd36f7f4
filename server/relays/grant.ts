import type { Relay } from '../mail/relay.ts'

/** The right to send a number of messages through one relay. What is not used is returned. */
export interface Grant {
  relay: Relay
  /** Null: the relay of SMTP_URL, or the catcher. */
  relayId: string | null
  /** Its messages are kept on this machine and reach nobody. */
  caught: boolean
  permits: number
  /** Milliseconds between two messages; 0: no limit a second. */
  everyMs: number
}

export type Choice =
  | { kind: 'grant'; grant: Grant }
  | {
      kind: 'wait'
      /** Milliseconds since 1970: asking earlier is of no use. */
      untilMs: number
      reason: 'limit' | 'resting'
      /** With `resting`: every relay refuses us, so waiting alone will not help. */
      refused: boolean
      answer: string | null
    }
