import { setTimeout as sleep } from 'node:timers/promises'
import type { Message, Outcome } from '../mail/relay.ts'
import type { Grant } from '../relays/grant.ts'
import type { Claimed } from './deliveries.ts'
import type { Journal } from './journal.ts'
import { type Verdict, verdictOn } from './retry.ts'
import type { Result } from './sending.ts'

/** What a batch asks of the press that it belongs to. */
interface Work {
  messageFor(recipient: Claimed): Message | Promise<Message>
  reuse(recipient: Claimed, message: Message): void
  /** False when the press was stopped: nothing more is begun. */
  goesOn(): boolean
  /** Told of every answer, so that the press can stop and the relay rest. */
  heard(turn: Grant, verdict: Verdict, outcome: Outcome): void
  record(claimedBy: string, results: Result[]): Promise<void>
  /** So many of the turn’s permits were for messages that never left. */
  giveBack(turn: Grant, unused: number): Promise<void>
}

/** Claims that one worker holds under one name, with the journal of what became of them. */
export interface Claims {
  name: string
  journal: Journal
  recipients: Claimed[]
  /** By the clock of `performance.now()`: from then on others may think us dead, so nothing more is begun. */
  leaseEnds: number
}

/** Some recipients on their way through one relay: sent side by side, recorded together, and nothing forgotten. */
export class Batch {
  /** Resolves when the last recipient was handed to the relay or given back: another batch may follow on its heels. */
  readonly taken: Promise<void>
  leaseEnds: number
  readonly #taken = Promise.withResolvers<void>()
  #unrecorded: Result[] = []
  #recording: Promise<void> = Promise.resolve()
  #tired = false
  #next = 0
  #paceBegan = 0
  #stayed = 0

  constructor(
    private readonly work: Work,
    private readonly turn: Grant,
    private readonly claims: Claims,
  ) {
    this.taken = this.#taken.promise
    this.leaseEnds = claims.leaseEnds
  }

  get name(): string {
    return this.claims.name
  }

  /**
   * Sends to everybody in it. When it resolves every result is in the database and the journal is gone; when it throws
   * the journal stays, to be settled by whoever reads it next.
   */
  async run(): Promise<void> {
    const { journal, recipients } = this.claims
    let settled = false
    this.#paceBegan = performance.now()
    try {
      const lanes = Array.from({ length: Math.min(this.turn.relay.capacity, recipients.length) }, () => this.#lane())
      // One that fails must not close the journal under the others.
      const [failed] = (await Promise.allSettled(lanes)).filter(({ status }) => status === 'rejected')
      if (failed) throw (failed as PromiseRejectedResult).reason
      await this.recordAll()
      settled = true
      await this.work.giveBack(this.turn, this.#stayed)
    } finally {
      this.#taken.resolve()
      journal.close(settled)
    }
  }

  /** Puts into the database what is known by now. */
  recordAll(): Promise<void> {
    this.#recording = this.#recording.then(async () => {
      const results = this.#unrecorded
      if (results.length === 0) return
      this.#unrecorded = []
      await this.work.record(this.name, results)
    })
    return this.#recording
  }

  async #lane(): Promise<void> {
    const { recipients } = this.claims
    while (this.#next < recipients.length) {
      const index = this.#next
      this.#next += 1
      if (this.#next === recipients.length) this.#taken.resolve()
      if (this.turn.everyMs > 0) await this.#itsTime(index)
      const recipient = recipients[index] as Claimed
      // Awaited first: what is unrecorded may be another list by then.
      const result = this.#mayBegin() ? await this.#send(recipient) : returned(recipient.subscriberId)
      if (!result.tried) this.#stayed += 1
      this.#unrecorded.push(result)
    }
  }

  #mayBegin(): boolean {
    return !this.#tired && this.#mayGoOn()
  }

  #mayGoOn(): boolean {
    return this.work.goesOn() && performance.now() < this.leaseEnds
  }

  /** The n-th message of a relay with a limit leaves when n of them may have left. */
  async #itsTime(index: number): Promise<void> {
    const wait = this.#paceBegan + index * this.turn.everyMs - performance.now()
    if (wait > 1 && this.#mayBegin()) await sleep(wait)
  }

  /**
   * Right before the text leaves, which may be long after the message was handed to a slow relay.
   * @throws Error when it must not leave any more: paused, or no longer ours
   */
  #begin({ subscriberId }: Claimed): void {
    if (!this.#mayGoOn()) throw new Error('The sending was stopped')
    this.claims.journal.begun(subscriberId)
  }

  async #send(recipient: Claimed): Promise<Result> {
    const { journal } = this.claims
    const made = this.work.messageFor(recipient)
    const message = made instanceof Promise ? await made : made
    const outcome = await this.turn.relay.send(message, () => this.#begin(recipient))
    const verdict = verdictOn(outcome, recipient.attempts)
    // It was we who did not let it go: that says nothing of the relay.
    if (verdict.kind === 'returned' && !this.#mayGoOn()) return returned(recipient.subscriberId)
    const result = resultOf(recipient, verdict, outcome)
    journal.answered(result)
    if (verdict.kind === 'accepted') this.work.reuse(recipient, message)
    if (verdict.kind === 'returned' || verdict.kind === 'stop') this.#tired = true
    this.work.heard(this.turn, verdict, outcome)
    return result
  }
}

/** Back in the queue, untried, for now or for later. */
export const returned = (subscriberId: string, answer: string | null = null, delaySeconds = 0): Result => ({
  subscriberId,
  state: 'queued',
  answer,
  delaySeconds,
  tried: false,
  hardBounce: false,
})

const MAX_ANSWER = 500

function resultOf({ subscriberId }: Claimed, verdict: Verdict, { text }: Outcome): Result {
  const answer = text.length > MAX_ANSWER ? text.slice(0, MAX_ANSWER) : text
  if (verdict.kind === 'returned' || verdict.kind === 'stop') return returned(subscriberId, answer)
  return {
    subscriberId,
    state: verdict.kind,
    answer,
    delaySeconds: verdict.kind === 'deferred' ? verdict.delaySeconds : 0,
    tried: true,
    hardBounce: verdict.kind === 'failed' && verdict.hardBounce,
  }
}
