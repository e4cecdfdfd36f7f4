import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/away.ts'
import { GroupCommit } from '../database/group-commit.ts'
import type { Variant } from './compile.ts'
import {
  type Claimed,
  claim,
  expireClaims,
  heldBy,
  type Result,
  record,
  renew,
  type Sending,
  type StopCode,
  stopBy,
} from './deliveries.ts'
import { Journal } from './journal.ts'
import type { Outcome } from './relay.ts'
import { restSeconds, type Verdict, verdictOn } from './retry.ts'
import { journalFolder } from './settle.ts'

export interface Pace {
  /** Claimed at once: what a machine that lost its power may be unsure of. */
  batch: number
  leaseSeconds: number
  /** How long a relay may be out of reach before the sending is paused and its owner told. */
  patienceMs: number
  /** How often a running sender looks whether it was paused. */
  lookMs: number
}

export const usualPace: Pace = { batch: 200, leaseSeconds: 60, patienceMs: 5 * 60_000, lookMs: 1_000 }

type Halt = 'halted' | 'refused' | 'tired' | null

const DATABASE_REST_MS = 500

/**
 * One worker's run over one publication: claims, sends over several connections, records, until nothing is due or
 * something stops it. What was claimed and not begun goes back to the queue. While the database is away it waits.
 */
export class Press {
  #halt: Halt = null
  #failure: unknown = null
  #unreachableSince: number | null = null
  #failures = 0
  /** By the clock of `performance.now()`: from then on others may think us dead, so nothing more is begun. */
  #leaseEnds = 0
  readonly #journal: Journal
  readonly #results: GroupCommit<Result, undefined>

  constructor(
    private readonly context: Context,
    private readonly sending: Sending,
    private readonly variant: Variant,
    private readonly worker: string,
    private readonly pace: Pace,
    private readonly signal: AbortSignal | null,
  ) {
    this.#journal = new Journal(journalFolder(context.config.dataDir), sending, worker)
    this.#results = new GroupCommit(async (results) => {
      await this.#patiently(() => record(context.db, sending, worker, results))
      return results.map(() => undefined)
    })
  }

  /** Resolves when nothing is due any more, or when it was stopped. Throws what the database says but for being away. */
  async run(): Promise<void> {
    const look = setInterval(() => void this.#look().catch(() => {}), this.pace.lookMs)
    const lease = setInterval(() => void this.#renew().catch(() => {}), (this.pace.leaseSeconds * 1000) / 3)
    let settled = false
    try {
      await this.#patiently(() => expireClaims(this.context.db, this.sending))
      while (!this.#stopped && (await this.#batch())) await this.#rest()
      settled = true
    } finally {
      clearInterval(look)
      clearInterval(lease)
      this.#journal.close(settled)
    }
  }

  get #stopped(): boolean {
    return this.#halt === 'halted' || this.#halt === 'refused' || this.signal?.aborted === true
  }

  /** False when nothing was due. */
  async #batch(): Promise<boolean> {
    const { looked, claimed } = await this.#claim()
    const waiting = claimed.values()
    await Promise.all(Array.from({ length: this.context.mail.lanes }, () => this.#lane(waiting)))
    await this.#results.flush()
    if (this.#failure) throw this.#failure
    this.#journal.clear()
    return looked > 0
  }

  #claim() {
    const { sending, worker, pace, context } = this
    const { db } = context
    return this.#patiently(async (again) => {
      // A claim whose answer was lost on the way may have been made all the same.
      if (again)
        await record(
          db,
          sending,
          worker,
          (await heldBy(db, sending, worker)).map((id) => returned(id)),
        )
      const leaseEnds = performance.now() + pace.leaseSeconds * 1000
      const claims = await claim(db, sending, { worker, limit: pace.batch, leaseSeconds: pace.leaseSeconds })
      this.#leaseEnds = leaseEnds
      return claims
    })
  }

  async #renew(): Promise<void> {
    const { leaseSeconds } = this.pace
    const leaseEnds = performance.now() + leaseSeconds * 1000
    await renew(this.context.db, this.sending, this.worker, leaseSeconds)
    this.#leaseEnds = leaseEnds
  }

  /** Asks until the database is there to answer, unless the process is told to stop. */
  async #patiently<T>(ask: (again: boolean) => Promise<T>): Promise<T> {
    for (let again = false; ; again = true) {
      try {
        return await ask(again)
      } catch (error) {
        if (!isDatabaseAway(error) || this.signal?.aborted) throw error
        await sleep(DATABASE_REST_MS)
      }
    }
  }

  async #lane(waiting: Iterator<Claimed> & Iterable<Claimed>): Promise<void> {
    try {
      for (const recipient of waiting) {
        const result = this.#mayBegin() ? await this.#send(recipient) : returned(recipient.subscriberId)
        this.#results.add(result).catch((error: unknown) => this.#fail(error))
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  /** The other lanes finish what they do; the journal keeps what the database was not told. */
  #fail(error: unknown): void {
    this.#failure ??= error
    this.#halt = 'halted'
  }

  #mayBegin(): boolean {
    return !this.#stopped && this.#halt !== 'tired' && performance.now() < this.#leaseEnds
  }

  async #send(recipient: Claimed): Promise<Result> {
    const { subscriberId, attempts } = recipient
    const message = this.variant.messageFor(recipient)
    const outcome = await this.context.mail.send(message, () => this.#journal.begun(subscriberId))
    const verdict = verdictOn(outcome, attempts)
    const result = resultOf(recipient, verdict, outcome)
    this.#journal.answered(result)
    if (verdict.kind === 'stop') await this.#stop('relay_refused', outcome)
    else if (verdict.kind === 'returned') await this.#tire(outcome)
    else this.#refresh()
    return result
  }

  async #stop(code: StopCode, { text }: Outcome): Promise<void> {
    if (this.#halt === 'refused') return
    this.#halt = 'refused'
    this.context.log.error(`Publication ${this.sending.publicationId} is paused (${code}): ${text}`)
    await this.#patiently(() => stopBy(this.context.db, this.sending, code, text.slice(0, MAX_ANSWER)))
  }

  async #tire(outcome: Outcome): Promise<void> {
    this.#unreachableSince ??= Date.now()
    if (Date.now() - this.#unreachableSince > this.pace.patienceMs) await this.#stop('relay_unreachable', outcome)
    else this.#halt ??= 'tired'
  }

  /** The relay is there and answers. */
  #refresh(): void {
    this.#unreachableSince = null
    this.#failures = 0
  }

  /** Waits before a relay that needs a rest is asked again, unless the sending is stopped meanwhile. */
  async #rest(): Promise<void> {
    if (this.#halt !== 'tired') return
    const until = Date.now() + restSeconds(this.#failures) * 1000
    this.#failures += 1
    this.#halt = null
    while (Date.now() < until && !this.#stopped) await sleep(Math.min(this.pace.lookMs, until - Date.now()))
  }

  /** Notices a pause or a cancellation while a batch is under way. */
  async #look(): Promise<void> {
    const { newsletterId, publicationId } = this.sending
    const row = await this.context.db
      .selectFrom('publication')
      .select('status')
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', publicationId)
      .executeTakeFirst()
    if (row?.status !== 'sending' && this.#halt !== 'refused') this.#halt = 'halted'
  }
}

const returned = (subscriberId: string, answer: string | null = null): Result => ({
  subscriberId,
  state: 'queued',
  answer,
  delaySeconds: 0,
  tried: false,
  hardBounce: false,
})

const MAX_ANSWER = 500

function resultOf(recipient: Claimed, verdict: Verdict, outcome: Outcome): Result {
  const answer = outcome.text.slice(0, MAX_ANSWER)
  if (verdict.kind === 'returned' || verdict.kind === 'stop') return returned(recipient.subscriberId, answer)
  return {
    subscriberId: recipient.subscriberId,
    state: verdict.kind,
    answer,
    delaySeconds: verdict.kind === 'deferred' ? verdict.delaySeconds : 0,
    tried: true,
    hardBounce: verdict.kind === 'failed' && verdict.hardBounce,
  }
}
