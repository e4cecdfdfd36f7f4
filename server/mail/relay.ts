import type { DeliveryKey } from './return-path.ts'

/** One message to send: the two addresses of its envelope, and all its text (RFC 5322) with CRLF line ends. */
export interface Message {
  from: string
  to: string
  raw: Buffer
  /** Given to a provider, so that its webhooks can name the delivery. */
  delivery?: DeliveryKey
  /** A person waits for it: it goes before the messages that wait for a connection. */
  urgent?: boolean
  /**
   * Asked before the first line of its envelope is sent, which may be long after it was given to the relay. When it says no,
   * nothing is sent, and the outcome is `broken` and not written.
   */
  wanted?: () => boolean
}

/**
 * The outcome of one attempt.
 *
 * - `answered`: the relay accepted (2xx) or refused (4xx, 5xx) this message. `text` is its answer.
 * - `unreachable`: there was no connection. Nothing of the message was sent.
 * - `refused`: the relay takes no mail from us, because of the login, TLS or the greeting.
 * - `broken`: the connection ended without an answer. With `written` the text may have arrived.
 */
export type Outcome =
  | {
      kind: 'answered'
      code: number
      text: string
      command: 'MAIL FROM' | 'RCPT TO' | 'DATA'
      /** How long the relay asks to wait, when it says so. */
      retryAfterMs?: number
      /** It was kept on this machine: no relay accepted it. */
      caught?: true
    }
  | { kind: 'unreachable'; text: string }
  | { kind: 'refused'; text: string }
  | { kind: 'broken'; written: boolean; text: string }

/** A mail server or a provider that takes mail for delivery. */
export interface Relay {
  /** How many messages may be sent at the same time. */
  readonly capacity: number
  /**
   * Never throws: a failure is an outcome. `begun` is called right before the first byte of the text is sent. From then on
   * the message may arrive. When `begun` throws, nothing is sent.
   *
   * `answered` gets the outcome before the connection begins another text, which may be earlier than the promise resolves.
   * It must not throw. A relay may refuse a text only because it takes no more on that connection. Then `answered` gets
   * `broken` and not written, and the message is sent again on another connection: `begun` and `answered` are called again.
   */
  send(message: Message, begun?: () => void, answered?: (outcome: Outcome) => void): Promise<Outcome>
  /** Closes idle connections at once, and the others when their work is done. */
  close(): void
}
