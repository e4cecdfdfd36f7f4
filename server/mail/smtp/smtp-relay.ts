import type { Message, Outcome, Relay } from '../relay.ts'
import type { RelayAddress } from './address.ts'
import { Connection, type MessageSource, type QueuedMessage } from './connection.ts'
import { type NotOpened, open } from './opening.ts'
import { type Limits, usualLimits } from './wire.ts'

export interface SmtpOptions {
  /** The name for EHLO (RFC 5321 section 4.1.4). */
  name: string
  connections: number
  /** Many relays close a connection after some number of messages. We close it before. */
  messagesPerConnection: number
  limits: Limits
}

const usual: SmtpOptions = { name: '[127.0.0.1]', connections: 10, messagesPerConnection: 1_000, limits: usualLimits }

/** One that is being answered, one whose envelope was sent after it, and one that is composed and waits. */
const MESSAGES_A_CONNECTION = 3

const MAX_RETRIES = 5
/** How long we open no further connection after one could not be opened. */
const OPEN_AGAIN_MS = 5_000

/** A relay that is reached by SMTP. It opens connections when it needs them and keeps them for a few seconds. */
export class SmtpRelay implements Relay, MessageSource {
  readonly capacity: number
  readonly #options: SmtpOptions
  readonly #waiting: QueuedMessage[] = []
  readonly #connections: Connection[] = []
  #opening = 0
  #mayOpenAgainAt = 0
  #closed = false

  constructor(
    private readonly address: RelayAddress,
    options: Partial<SmtpOptions> = {},
  ) {
    this.#options = { ...usual, ...options }
    this.capacity = this.#options.connections * MESSAGES_A_CONNECTION
  }

  /** Sends one message. `begun` is called right before its text is sent. Never throws: a failure is an outcome. */
  send(message: Message, begun: () => void = ignoreBegun): Promise<Outcome> {
    return new Promise((resolve) => {
      const queued = { message, begun, resolve, retries: 0, mayMove: true }
      if (message.urgent) this.#waiting.unshift(queued)
      else this.#waiting.push(queued)
      this.#dispatch()
    })
  }

  /** Connects and signs in as for a message, then quits. @returns null, or why that failed */
  async verify(): Promise<NotOpened | null> {
    const opened = await open(this.address, this.#options.name, this.#options.limits)
    if ('kind' in opened) return opened
    opened.wire.leave()
    return null
  }

  /** Closes idle connections at once, and the others when their work is done. */
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
    // A relay may close an open connection at any time. That says nothing about this message.
    const closed = outcome.kind === 'broken' || (outcome.kind === 'answered' && outcome.code === 421)
    const again = closed && !begun && connection.proven && queued.mayMove && queued.retries < MAX_RETRIES
    if (again) this.#retry(queued)
    else queued.resolve(outcome)
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
      const queued = connection && this.#waiting.shift()
      if (!queued) break
      connection.take(queued)
    }
    while (this.#opening < this.#waiting.length && this.#mayOpen) void this.#open()
  }

  /** An idle connection. A busy one only when no other is free and none can be opened. */
  #withRoom(): Connection | undefined {
    const idle = this.#connections.find(({ isIdle, hasRoom }) => isIdle && hasRoom)
    if (idle || this.#mayOpen || this.#waiting.length <= this.#opening) return idle
    return this.#connections.find(({ hasRoom }) => hasRoom)
  }

  get #mayOpen(): boolean {
    const count = this.#connections.length + this.#opening
    return count < this.#options.connections && (count === 0 || performance.now() >= this.#mayOpenAgainAt)
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

  #retry(queued: QueuedMessage): void {
    queued.retries += 1
    this.#waiting.unshift(queued)
    this.#dispatch()
  }

  /** Messages wait for the open connections. When there are none, all of them fail. */
  #notOpened(outcome: NotOpened): void {
    this.#mayOpenAgainAt = performance.now() + OPEN_AGAIN_MS
    if (this.#connections.length + this.#opening > 0) this.#dispatch()
    else for (const queued of this.#waiting.splice(0)) queued.resolve(outcome)
  }

  #leave(connection: Connection): void {
    connection.leave()
    this.ended(connection)
  }
}

const ignoreBegun = (): void => {}
