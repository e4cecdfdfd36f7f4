import type { DeliveryKey } from './return-path.ts'

/** One message on its way: the envelope's two addresses and the whole of RFC 5322, lines ended by CRLF. */
export interface Message {
  from: string
  to: string
  raw: Buffer
  /** So that a provider’s webhook can name it. */
  delivery?: DeliveryKey
}

/**
 * What became of one attempt.
 *
 * - `answered`: the relay said yes (2xx) or no (4xx, 5xx) to this message, in its own words.
 * - `unreachable`: no connection could be had; nothing of the message left.
 * - `refused`: the relay does not take mail from us: login, TLS, greeting.
 * - `broken`: the connection ended without an answer. With `written` the body may have arrived.
 */
export type Outcome =
  | {
      kind: 'answered'
      code: number
      text: string
      command: string
      /** Until the relay wants more, when it says so. */
      retryAfterMs?: number
    }
  | { kind: 'unreachable'; text: string }
  | { kind: 'refused'; text: string }
  | { kind: 'broken'; written: boolean; text: string }

/** A way out for mail: a mail server, or a provider. */
export interface Relay {
  /** How many messages may be under way at once. */
  readonly capacity: number
  /**
   * Never throws: what went wrong is the answer. `begun` is called right before the first byte of the text leaves: from
   * then on it may arrive. When `begun` throws, nothing leaves.
   */
  send(message: Message, begun?: () => void): Promise<Outcome>
  /** Closes what is idle; what is in use closes when it is done. */
  close(): void
}
