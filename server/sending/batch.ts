import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Message, Outcome } from '../mail/relay.ts'
import type { Grant } from '../relays/grant.ts'
import type { Journal } from './journal.ts'
import { type Verdict, verdictOn } from './retry.ts'
import type { Claimed, Result } from './sending.ts'

/** Messages are made up to this size before others are answered: a message of some megabytes takes milliseconds. */
const BYTES_A_TURN = 1_000_000

/** What a batch needs from its sender. */
interface BatchOwner {
  messageFor(recipient: Claimed): Message | Promise<Message>
  reuse(recipient: Claimed, message: Message): void
  /** False when the sender was stopped: nothing more is begun. */
  mayContinue(): boolean
  /** Called with every answer, so that the sender can stop and the relay can rest. Answers whether the batch may go on. */
  onOutcome(grant: Grant, verdict: Verdict, outcome: Outcome): boolean
  /** Whether the relay of the grant has failed since it was granted. */
  rests(grant: Grant): boolean
  record(claimedBy: string, results: Result[]): Promise<void>
  /** Gives back so many permits of the grant, whose messages were not sent. */
  release(grant: Grant, unused: number): Promise<void>
}

/** Claims of one worker under one name, with their journal. */
export interface Claims {
  name: string
  journal: Journal
  recipients: Claimed[]
  /** By the clock of `performance.now()`. After it other workers may claim the deliveries, so nothing more is begun. */
  leaseEnds: number
}

/** Recipients who are sent to through one relay, side by side, and recorded together. */
export class Batch {
  /** Resolves when the last recipient was handed to the relay or went back to the queue: the next batch may follow. */
  readonly handedOver: Promise<void>
  leaseEnds: number
  readonly #handedOver = Promise.withResolvers<void>()
  #unrecorded: Result[] = []
  #recording: Promise<void> = Promise.resolve()
  #relayFailed = false
  #next = 0
  #startedAt = 0
  #unsent = 0
  #journalError: unknown = null
  #bytesThisTurn = 0
  #turn: Promise<void> | null = null

  constructor(
    private readonly owner: BatchOwner,
    private readonly grant: Grant,
    private readonly claims: Claims,
  ) {
    this.handedOver = this.#handedOver.promise
    this.leaseEnds = claims.leaseEnds
  }

  get name(): string {
    return this.claims.name
  }

  /**
   * Sends to everybody in it. When it resolves, every result is in the database and the journal is removed. When it
   * throws, the journal stays, and recovery reads it; unless the journal itself could not be written: then nothing more was begun,
   * every result is in the database, and it throws that error.
   */
  async run(): Promise<void> {
    const { journal, recipients } = this.claims
    let recorded = false
    this.#startedAt = performance.now()
    this.#relayFailed = this.owner.rests(this.grant)
    try {
      const lanes = Array.from({ length: Math.min(this.grant.relay.capacity, recipients.length) }, () =>
        this.#sendOneByOne(),
      )
      // The journal stays open until all of them have ended, also when one fails.
      const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected')
      if (failed) throw failed.reason
      await this.recordAll()
      recorded = true
      await this.owner.release(this.grant, this.#unsent)
      if (this.#journalError) throw this.#journalError
    } finally {
      this.#handedOver.resolve()
      journal.close(recorded)
    }
  }

  /** Writes the results so far to the database. */
  recordAll(): Promise<void> {
    this.#recording = this.#recording.then(async () => {
      const results = this.#unrecorded
      if (results.length === 0) return
      this.#unrecorded = []
      await this.owner.record(this.name, results)
    })
    return this.#recording
  }

  async #sendOneByOne(): Promise<void> {
    const { recipients } = this.claims
    for (let recipient = recipients[this.#next]; recipient; recipient = recipients[this.#next]) {
      const index = this.#next
      this.#next += 1
      if (this.#next === recipients.length) this.#handedOver.resolve()
      if (this.grant.everyMs > 0) await this.#waitForRate(index)
      // Awaited first, since `#unrecorded` may be another list after that.
      const result = this.#mayBegin() ? await this.#send(recipient) : returned(recipient.subscriberId)
      if (!result.tried) this.#unsent += 1
      this.#unrecorded.push(result)
    }
  }

  /** Also asked when the relay has a place for a message, so that few are refused after the relay has failed. */
  readonly #wanted = () => this.#mayBegin()

  #mayBegin(): boolean {
    return !this.#relayFailed && this.#mayContinue()
  }

  #mayContinue(): boolean {
    return this.#journalError === null && this.owner.mayContinue() && performance.now() < this.leaseEnds
  }

  /** The n-th message of a relay with a limit a second leaves when n of them may have left. */
  async #waitForRate(index: number): Promise<void> {
    const wait = this.#startedAt + index * this.grant.everyMs - performance.now()
    if (wait > 1 && this.#mayBegin()) await sleep(wait)
  }

  /**
   * Called immediately before the text is sent, which may be long after a slow relay was given the message.
   * @throws Error when it must not be sent any more: the sending was paused, the claim has ended, or the journal cannot be written
   */
  #begin({ subscriberId }: Claimed): void {
    if (!this.#mayContinue()) throw new Error('The sending was stopped')
    try {
      this.claims.journal.begun(subscriberId)
    } catch (error) {
      this.#journalError ??= error
      throw error
    }
  }

  /**
   * Called before the connection begins the next text, so that a process that is killed is unsure of one text on each
   * connection. It must not wait for the promise of the outcome, whose microtask may run later. An answer that the journal has no
   * room for is still recorded in the database.
   */
  #note(recipient: Claimed, outcome: Outcome): void {
    try {
      this.claims.journal.answered(resultOf(recipient, verdictOn(outcome, recipient.attempts), outcome))
    } catch (error) {
      this.#journalError ??= error
    }
  }

  /** The same for all that wait, so that after it one of them goes on and the others may have to wait again. */
  #nextTurn(): Promise<void> {
    this.#turn ??= nextTurn().then(() => {
      this.#bytesThisTurn = 0
      this.#turn = null
    })
    return this.#turn
  }

  async #send(recipient: Claimed): Promise<Result> {
    while (this.#bytesThisTurn >= BYTES_A_TURN) await this.#nextTurn()
    const made = this.owner.messageFor(recipient)
    const message = made instanceof Promise ? await made : made
    this.#bytesThisTurn += message.raw.length
    message.wanted = this.#wanted
    const outcome = await this.grant.relay.send(
      message,
      () => this.#begin(recipient),
      (answer) => this.#note(recipient, answer),
    )
    const verdict = verdictOn(outcome, recipient.attempts)
    // We stopped it ourselves, which says nothing new about the relay: it may have rested enough by now.
    if (verdict.kind === 'returned' && !this.#mayBegin()) return returned(recipient.subscriberId)
    const result = resultOf(recipient, verdict, outcome)
    if (verdict.kind === 'accepted' || verdict.kind === 'caught') this.owner.reuse(recipient, message)
    if (!this.owner.onOutcome(this.grant, verdict, outcome)) this.#relayFailed = true
    return result
  }
}

/** The result of a delivery that goes back to the queue without an attempt. */
export const returned = (subscriberId: string, answer: string | null = null, delaySeconds = 0): Result => ({
  subscriberId,
  state: 'queued',
  answer,
  delaySeconds,
  tried: false,
  gone: false,
})

const MAX_ANSWER = 500

function resultOf({ subscriberId }: Claimed, verdict: Verdict, { text }: Outcome): Result {
  const answer = text.length > MAX_ANSWER ? text.slice(0, MAX_ANSWER) : text
  if (verdict.kind === 'returned') return returned(subscriberId, answer)
  return {
    subscriberId,
    state: verdict.kind,
    answer,
    delaySeconds: verdict.kind === 'deferred' ? verdict.delaySeconds : 0,
    tried: true,
    gone: verdict.kind === 'failed' && verdict.gone,
  }
}
