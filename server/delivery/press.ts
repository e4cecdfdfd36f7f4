import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { GroupCommit } from '../database/group-commit.ts'
import type { Variant } from './compile.ts'
import { type Claimed, claim, expireClaims, type Result, record, renew, type Sending, stopBy } from './deliveries.ts'
import type { Outcome } from './relay.ts'
import { restSeconds, type Verdict, verdictOn } from './retry.ts'

export interface Pace {
  /** Claimed at once: what a killed process may be unsure of. */
  batch: number
  leaseSeconds: number
  /** How long a relay may be out of reach before the sending is paused and its owner told. */
  patienceMs: number
  /** How often a running sender looks whether it was paused. */
  lookMs: number
}

export const usualPace: Pace = { batch: 200, leaseSeconds: 60, patienceMs: 5 * 60_000, lookMs: 1_000 }

type Halt = 'halted' | 'refused' | 'tired' | null

/**
 * One worker's run over one publication: claims, sends over several connections, records, until nothing is due or
 * something stops it. What was claimed and not begun goes back to the queue.
 */
export class Press {
  #halt: Halt = null
  #unreachableSince: number | null = null
  #failures = 0
  readonly #results: GroupCommit<Result, undefined>

  constructor(
    private readonly context: Context,
    private readonly sending: Sending,
    private readonly variant: Variant,
    private readonly worker: string,
    private readonly pace: Pace,
    private readonly signal: AbortSignal | null,
  ) {
    this.#results = new GroupCommit(async (results) => {
      await record(context.db, sending, worker, results)
      return results.map(() => undefined)
    })
  }

  /** Resolves when nothing is due any more, or when it was stopped. */
  async run(): Promise<void> {
    const { db } = this.context
    const look = setInterval(() => void this.#look().catch(() => {}), this.pace.lookMs)
    const lease = setInterval(
      () => void renew(db, this.sending, this.worker, this.pace.leaseSeconds).catch(() => {}),
      (this.pace.leaseSeconds * 1000) / 3,
    )
    try {
      while (!this.#stopped && (await this.#batch())) await this.#rest()
    } finally {
      clearInterval(look)
      clearInterval(lease)
    }
  }

  get #stopped(): boolean {
    return this.#halt === 'halted' || this.#halt === 'refused' || this.signal?.aborted === true
  }

  /** False when nothing was due. */
  async #batch(): Promise<boolean> {
    const { db, mail } = this.context
    const { worker, pace } = this
    await expireClaims(db, this.sending)
    const { looked, claimed } = await claim(db, this.sending, {
      worker,
      limit: pace.batch,
      leaseSeconds: pace.leaseSeconds,
    })
    const waiting = claimed.values()
    await Promise.all(Array.from({ length: mail.lanes }, () => this.#lane(waiting)))
    return looked > 0
  }

  async #lane(waiting: Iterator<Claimed> & Iterable<Claimed>): Promise<void> {
    const recorded: Promise<undefined>[] = []
    for (const recipient of waiting) {
      const stopped = this.#stopped || this.#halt === 'tired'
      const result = stopped ? returned(recipient, null) : await this.#send(recipient)
      recorded.push(this.#results.add(result))
    }
    await Promise.all(recorded)
  }

  async #send(recipient: Claimed): Promise<Result> {
    const outcome = await this.context.mail.send(this.variant.messageFor(recipient))
    const verdict = verdictOn(outcome, recipient.attempts)
    if (verdict.kind === 'stop') await this.#stop(outcome)
    else if (verdict.kind === 'returned') await this.#tire(outcome)
    else if (this.#halt === null) this.#unreachableSince = null
    return resultOf(recipient, verdict, outcome)
  }

  async #stop(outcome: Outcome): Promise<void> {
    if (this.#halt === 'refused') return
    this.#halt = 'refused'
    this.context.log.error(`The relay refused mail of publication ${this.sending.publicationId}: ${outcome.text}`)
    await stopBy(this.context.db, this.sending, 'relay_refused')
  }

  async #tire(outcome: Outcome): Promise<void> {
    this.#unreachableSince ??= Date.now()
    if (Date.now() - this.#unreachableSince > this.pace.patienceMs) await this.#stop(outcome)
    else this.#halt ??= 'tired'
  }

  /** Waits before a relay that needs a rest is asked again, unless the sending is stopped meanwhile. */
  async #rest(): Promise<void> {
    if (this.#halt !== 'tired') {
      this.#failures = 0
      return
    }
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

const returned = ({ subscriberId }: Claimed, answer: string | null): Result => ({
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
  if (verdict.kind === 'returned' || verdict.kind === 'stop') return returned(recipient, answer)
  return {
    subscriberId: recipient.subscriberId,
    state: verdict.kind,
    answer,
    delaySeconds: verdict.kind === 'deferred' ? verdict.delaySeconds : 0,
    tried: true,
    hardBounce: verdict.kind === 'failed' && verdict.hardBounce,
  }
}
