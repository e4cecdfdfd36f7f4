import type { Message, Outcome, Relay } from '../relay.ts'
import type { RelayAddress } from './address.ts'
import { Connection, type MessageSource, type QueuedMessage } from './connection.ts'
import { type NotOpened, open } from './opening.ts'
import { type Limits, usualLimits } from './wire.ts'

export interface SmtpOptions {
  /** The name we greet with (RFC 5321 section 4.1.4). */
  name: string
  connections: number
  /** Many relays close a connection after some number of messages; we leave before that. */
  messagesPerConnection: number
  limits: Limits
}

const usual: SmtpOptions = { name: '[127.0.0.1]', connections: 10, messagesPerConnection: 1_000, limits: usualLimits }

/** One being answered, one whose envelope left behind it, one composed and ready to follow. */
const MESSAGES_A_CONNECTION = 3

const MAX_RETRIES = 5
/** How long no further connection is tried after the relay refused one. */
const CONTENT_MS = 5_000

/** A relay by SMTP. Its connections are opened when they are needed and kept for a few seconds. */
export class SmtpRelay implements Relay, MessageSource {
  readonly capacity: number
  readonly #options: SmtpOptions
  readonly #waiting: QueuedMessage[] = []
  readonly #connections: Connection[] = []
  #opening = 0
  #contentUntil = 0
  #closed = false

  constructor(
    private readonly address: RelayAddress,
    options: Partial<SmtpOptions> = {},
  ) {
    this.#options = { ...usual, ...options }
    this.capacity = this.#options.connections * MESSAGES_A_CONNECTION
  }

  /** Hands over one message. `begun` is called right before its text leaves. Never throws: a failure is the outcome. */
  send(message: Message, begun: () => void = nobody): Promise<Outcome> {
    return new Promise((settle) => {
      this.#waiting.push({ message, begun, settle, retries: 0, mayMove: true })
      this.#dispatch()
    })
  }

  /** Greets the relay, signs in as for a message, and quits. @returns null, or why that failed */
  async reach(): Promise<NotOpened | null> {
    const opened = await open(this.address, this.#options.name, this.#options.limits)
    if ('kind' in opened) return opened
    opened.wire.leave()
    return null
  }

  /** Closes every idle connection; those in use close when they are done. */
  close(): void {
    this.#closed = true
    for (const connection of this.#connections.filter(({ isIdle }) => isIdle)) this.#leave(connection)
  }

  next(): QueuedMessage | undefined {
    return this.#waiting.length > this.#opening ? this.#waiting.shift() : undefined
  }

  done(
    queued: QueuedMessage,
    outcome: Outcome,
    { connection, begun }: { connection: Connection; begun: boolean },
  ): void {
    // A relay may close a kept connection at any time. That says nothing about this message.
    const closed = outcome.kind === 'broken' || (outcome.kind === 'answered' && outcome.code === 421)
    const again = closed && !begun && connection.proven && queued.mayMove && queued.retries < MAX_RETRIES
    if (again) this.#again(queued)
    else queued.settle(outcome)
  }

  idle(connection: Connection): void {
    if (connection.isUsedUp) this.#leave(connection)
    this.#dispatch()
    if (this.#closed && connection.isOpen && connection.isIdle) this.#leave(connection)
  }

  ended(connection: Connection): void {
    const at = this.#connections.indexOf(connection)
    if (at >= 0) this.#connections.splice(at, 1)
    this.#dispatch()
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#withRoom()
      if (!connection) break
      connection.take(this.#waiting.shift() as QueuedMessage)
    }
    while (this.#opening < this.#waiting.length && this.#mayOpen) void this.#open()
  }

  /** An idle connection; a busy one only when no other can be had. */
  #withRoom(): Connection | undefined {
    const idle = this.#connections.find(({ isIdle, hasRoom }) => isIdle && hasRoom)
    if (idle || this.#mayOpen || this.#waiting.length <= this.#opening) return idle
    return this.#connections.find(({ hasRoom }) => hasRoom)
  }

  get #mayOpen(): boolean {
    const count = this.#connections.length + this.#opening
    return count < this.#options.connections && (count === 0 || performance.now() >= this.#contentUntil)
  }

  async #open(): Promise<void> {
    const { name, limits, messagesPerConnection } = this.#options
    this.#opening += 1
    const opened = await open(this.address, name, limits)
    this.#opening -= 1
    if ('kind' in opened) {
      this.#notOpened(opened)
    } else {
      const connection = new Connection(opened, this, { limits, maxMessages: messagesPerConnection })
      if (connection.isOpen) this.#connections.push(connection)
      this.idle(connection)
    }
  }

  #again(queued: QueuedMessage): void {
    queued.retries += 1
    this.#waiting.unshift(queued)
    this.#dispatch()
  }

  /** Messages wait for the connections that are open. Without any, all of them fail. */
  #notOpened(outcome: NotOpened): void {
    this.#contentUntil = performance.now() + CONTENT_MS
    if (this.#connections.length + this.#opening > 0) this.#dispatch()
    else for (const queued of this.#waiting.splice(0)) queued.settle(outcome)
  }

  #leave(connection: Connection): void {
    connection.leave()
    this.ended(connection)
  }
}

const nobody = (): void => {}
