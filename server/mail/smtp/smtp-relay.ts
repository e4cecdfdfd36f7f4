import type { Message, Outcome, Relay } from '../relay.ts'
import type { RelayAddress } from './address.ts'
import { Allowance } from './allowance.ts'
import { Connection } from './connection.ts'
import { ConnectionCount } from './connection-count.ts'
import type { MessageEnd, MessageSource, QueuedMessage } from './message-source.ts'
import { type NotOpened, open } from './opening.ts'
import { type Limits, usualLimits } from './wire.ts'

export interface SmtpOptions {
  /** The name for EHLO (RFC 5321 section 4.1.4). */
  name: string
  /** At most so many are open. */
  connections: number
  /** A connection carries at most so many, also to a relay that would take more. */
  messagesPerConnection: number
  limits: Limits
}

const usual: SmtpOptions = { name: '[127.0.0.1]', connections: 20, messagesPerConnection: 1_000, limits: usualLimits }

/** One that is being answered, one whose envelope was sent after it, and one that is composed and waits. */
const MESSAGES_A_CONNECTION = 3

const MAX_RETRIES = 5

/** A relay that is reached by SMTP. It opens connections when it needs them and keeps them for a few seconds. */
export class SmtpRelay implements Relay, MessageSource<Connection> {
  readonly capacity: number
  readonly #options: SmtpOptions
  readonly #waiting: QueuedMessage[] = []
  readonly #connections: Connection[] = []
  readonly #allowance: Allowance
  readonly #count: ConnectionCount
  #opening = 0
  #closed = false

  constructor(
    private readonly address: RelayAddress,
    options: Partial<SmtpOptions> = {},
  ) {
    this.#options = { ...usual, ...options }
    const { connections, messagesPerConnection } = this.#options
    this.capacity = connections * MESSAGES_A_CONNECTION
    this.#allowance = new Allowance(messagesPerConnection)
    this.#count = new ConnectionCount(connections)
  }

  /** Sends one message; see `Relay`. Never throws: a failure is an outcome. */
  send(message: Message, begun = ignore, answered: (outcome: Outcome) => void = ignore): Promise<Outcome> {
    return new Promise((resolve) => {
      const queued = { message, begun, answered, resolve, retries: 0, mayMove: true }
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
    this.#leaveAll(({ isIdle }) => isIdle)
  }

  permits(connection: Connection): boolean {
    return this.#allowance.permits(connection)
  }

  next(): QueuedMessage | undefined {
    // A connection too many gets nothing more, so that it comes to rest and is closed.
    return this.#waiting.length > this.#opening && !this.#isOneTooMany ? this.#shift() : undefined
  }

  given(connection: Connection): void {
    this.#allowance.given(connection)
  }

  done(queued: QueuedMessage, outcome: Outcome, end: MessageEnd<Connection>): void {
    const { connection, begun, limited } = end
    // A relay may close an open connection at any time. That says nothing about this message.
    const closed = outcome.kind === 'broken' && !begun && connection.proven
    const again = closed || (limited && this.#worksAt(connection))
    if (again && queued.mayMove && queued.retries < MAX_RETRIES) this.#move(queued, outcome, begun)
    else settle(queued, outcome)
    if (again || limited) return
    if (this.#allowance.bore(connection)) this.#afterTrial()
    if (this.#count.answered(performance.now(), this.#isFull)) this.#dispatch()
  }

  idle(connection: Connection): void {
    // While another connection is tried with more messages, this one may soon be allowed them too.
    const isUsedUp = !this.permits(connection) && !this.#allowance.isTrying
    if (connection.isSpent || isUsedUp || this.#isOneTooMany) this.#leave(connection)
    this.#dispatch()
    if (this.#closed && connection.isOpen && connection.isIdle) this.#leave(connection)
  }

  ended(connection: Connection): void {
    const at = this.#connections.indexOf(connection)
    if (at >= 0) this.#connections.splice(at, 1)
    if (at >= 0 && this.#allowance.left(connection)) this.#afterTrial()
    this.#dispatch()
  }

  limited(connection: Connection, { retries }: QueuedMessage): void {
    if (retries > 0) this.#allowance.mistaken()
    else if (connection.answered > 0) this.#allowance.refused(connection)
    if (connection.answered === 0 && this.#worksAt(connection))
      this.#count.refused(this.#working.length, performance.now())
    this.#afterTrial()
  }

  get #working(): Connection[] {
    return this.#connections.filter(({ answered }) => answered > 0)
  }

  /** Whether the relay takes mail on this connection or another. If not, its refusal is no limit of a connection. */
  #worksAt(connection: Connection): boolean {
    return connection.answered > 0 || this.#working.length > 0
  }

  #afterTrial(): void {
    this.#leaveAll((each) => each.isIdle && !this.permits(each))
    this.#dispatch()
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#withRoom()
      const queued = connection && this.#shift()
      if (!queued) break
      connection.take(queued)
    }
    while (this.#opening < this.#waiting.length && this.#mayOpen) void this.#open()
  }

  /** The first that waits and is still wanted. */
  #shift(): QueuedMessage | undefined {
    for (let first = this.#waiting.shift(); first; first = this.#waiting.shift()) {
      if (first.message.wanted?.() ?? true) return first
      settle(first, { kind: 'broken', written: false, text: 'The message is not wanted any more' })
    }
    return undefined
  }

  /** An idle connection. A busy one only when no other is free and none can be opened. */
  #withRoom(): Connection | undefined {
    const idle = this.#connections.find(({ isIdle, hasRoom }) => isIdle && hasRoom)
    if (idle || this.#mayOpen || this.#waiting.length <= this.#opening) return idle
    return this.#connections.find(({ hasRoom }) => hasRoom)
  }

  get #mayOpen(): boolean {
    return this.#connections.length + this.#opening < this.#count.allowed(performance.now())
  }

  get #isOneTooMany(): boolean {
    return this.#connections.length > this.#count.allowed(performance.now())
  }

  get #isFull(): boolean {
    return this.#waiting.length > 0 && this.#connections.length >= this.#count.allowed(performance.now())
  }

  async #open(): Promise<void> {
    const { name, limits } = this.#options
    this.#opening += 1
    const opened = await open(this.address, name, limits)
    this.#opening -= 1
    if ('kind' in opened) {
      this.#notOpened(opened)
    } else {
      const connection = new Connection(opened, this, limits)
      if (connection.isOpen) this.#connections.push(connection)
      this.#count.opened(this.#connections.length)
      this.idle(connection)
    }
  }

  /** The message goes to another connection, as if it had never been on this one. */
  #move(queued: QueuedMessage, { text }: Outcome, begun: boolean): void {
    if (begun) queued.answered({ kind: 'broken', written: false, text })
    queued.retries += 1
    this.#waiting.unshift(queued)
    this.#dispatch()
  }

  /** Messages wait for the open connections. When there are none, all of them fail. */
  #notOpened(outcome: NotOpened): void {
    const others = this.#connections.length + this.#opening
    this.#count.refused(others, performance.now())
    if (others > 0) this.#dispatch()
    else for (const queued of this.#waiting.splice(0)) settle(queued, outcome)
  }

  #leaveAll(which: (connection: Connection) => boolean): void {
    for (const connection of this.#connections.filter(which)) this.#leave(connection)
  }

  #leave(connection: Connection): void {
    connection.leave()
    this.ended(connection)
  }
}

const ignore = (): void => {}

function settle(queued: QueuedMessage, outcome: Outcome): void {
  queued.answered(outcome)
  queued.resolve(outcome)
}
