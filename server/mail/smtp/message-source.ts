import type { Message, Outcome } from '../relay.ts'

/** A message that waits to be sent, with the callbacks of its sender. */
export interface QueuedMessage {
  readonly message: Message
  readonly begun: () => void
  readonly answered: (outcome: Outcome) => void
  readonly resolve: (outcome: Outcome) => void
  /** How often it went to another connection. */
  retries: number
  /** Whether another connection may try. */
  mayMove: boolean
}

/** What is known of a connection when a message on it has its outcome. */
export interface MessageEnd<Connection> {
  connection: Connection
  /** Some of its text was sent. */
  begun: boolean
  /** It was refused because the relay takes no more on this connection. */
  limited: boolean
}

/** Gives messages to a connection and takes their outcomes. */
export interface MessageSource<Connection> {
  /** Whether the connection may carry one more message. */
  permits(connection: Connection): boolean
  /** The next message for the connection. */
  next(): QueuedMessage | undefined
  /** The connection took a message. */
  given(connection: Connection): void
  /** The relay refused the message, and takes no more on this connection. */
  limited(connection: Connection, queued: QueuedMessage): void
  /** The message has its outcome. */
  done(queued: QueuedMessage, outcome: Outcome, end: MessageEnd<Connection>): void
  /** The connection has nothing to do. */
  idle(connection: Connection): void
  ended(connection: Connection): void
}
