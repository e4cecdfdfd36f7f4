import type { Relay } from '../mail/relay.ts'

/** The right to send so many messages through one relay. What is not used is given back. */
export interface Grant {
  relay: Relay
  /** Null: the relay of SMTP_URL, or the catcher. */
  relayId: string | null
  permits: number
  /** Milliseconds between messages; 0: no pace. */
  everyMs: number
}

export type Choice =
  | { kind: 'turn'; turn: Grant }
  | {
      kind: 'wait'
      /** Milliseconds since 1970: asking earlier is of no use. */
      untilMs: number
      reason: 'limit' | 'resting'
      /** With `resting`: every relay refuses us, so nothing will change until somebody changes it. */
      refused: boolean
      answer: string | null
    }
