import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { isDatabaseAway } from '../../database/away.ts'
import { Poller } from '../../jobs/poller.ts'
import type { ChargingNewsletter } from '../change.ts'
import { findConnected } from '../stripe/account.ts'
import { type Applied, applyBatch, MAX_ATTEMPTS, retryAt } from './apply-batch.ts'
import { askStripe } from './ask.ts'

/** An event that nothing hinders is applied at once, by a notification. What waits for its time is found by this. */
const PAUSE_MS = 5_000
const BATCH = 200

/**
 * Applies what Stripe said, exactly once and in whatever order it came. Any number of processes may each have one on the same database. One
 * event that cannot be applied hinders no other.
 */
export class EventApplier {
  readonly #poller: Poller

  constructor(private readonly context: Pick<Context, 'db' | 'now' | 'log' | 'listener' | 'sealer' | 'config'>) {
    const failure = 'events of Stripe could not be applied'
    this.#poller = new Poller(context.log, { poll: () => this.drain(), pauseMs: PAUSE_MS, failure })
  }

  start(): void {
    this.#poller.wakeOn(this.context.listener, 'payment_event')
    this.#poller.start()
  }

  /** Resolves when the batch under way is committed. */
  stop(): Promise<void> {
    return this.#poller.stop()
  }

  /** Applies all that is due now. Newsletters take turns, a batch each. What another process has in hand is left to it. */
  async drain(): Promise<void> {
    let taken: number
    do {
      taken = 0
      for (const newsletter of await this.#due()) {
        if (this.#poller.signal.aborted) return
        taken += await this.#applyDue(newsletter)
      }
    } while (taken > 0)
  }

  /** The newsletters that have something due, those too that were deleted and can be restored: what is paid meanwhile counts. */
  async #due(): Promise<ChargingNewsletter[]> {
    const { rows } = await sql<ChargingNewsletter>`
      select n.id, n.grace_days from newsletter n where exists (
        select from payment_event e where e.newsletter_id = n.id and e.applied_at is null and e.due_at <= ${this.context.now()}
      )`.execute(this.context.db)
    return rows
  }

  /** @returns how many events were taken */
  async #applyDue(newsletter: ChargingNewsletter): Promise<number> {
    const { events, ask } = await this.#apply(newsletter)
    const connected = ask.length > 0 ? await findConnected(this.context, newsletter.id) : null
    if (connected) await askStripe({ ...this.context, newsletter, stripe: connected.stripe }, ask)
    return events
  }

  /** When a batch fails, each of its events is tried alone, so that only the one at fault stays. */
  async #apply(newsletter: ChargingNewsletter): Promise<Applied> {
    try {
      return await this.#inTransaction(newsletter)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
    }
    const ids = await this.#idsDue(newsletter)
    const all: Applied = { events: ids.length, ask: [] }
    for (const id of ids) {
      try {
        all.ask.push(...(await this.#inTransaction(newsletter, id)).ask)
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        this.context.log.error({ err: error, event: id }, 'an event of Stripe could not be applied')
        await this.#postpone(newsletter, id)
      }
    }
    return all
  }

  #inTransaction(newsletter: ChargingNewsletter, id?: string): Promise<Applied> {
    const { db, now } = this.context
    return db
      .transaction()
      .execute((tx) => applyBatch({ tx, newsletter, now: now() }, { limit: BATCH, ...(id && { ids: [id] }) }))
  }

  async #idsDue({ id }: ChargingNewsletter): Promise<string[]> {
    const rows = await this.context.db
      .selectFrom('payment_event')
      .select('id')
      .where('newsletter_id', '=', id)
      .where('applied_at', 'is', null)
      .where('due_at', '<=', this.context.now())
      .orderBy('due_at')
      .orderBy('stated_at')
      .limit(BATCH)
      .execute()
    return rows.map((row) => row.id)
  }

  async #postpone(newsletter: ChargingNewsletter, id: string): Promise<void> {
    const { db, now } = this.context
    await sql`update payment_event set attempts = attempts + 1, problem = 'failed',
        due_at = case when attempts + 1 >= ${MAX_ATTEMPTS} then 'infinity'::timestamptz else ${retryAt(now(), 0)}::timestamptz + attempts * interval '1 hour' end
      where newsletter_id = ${newsletter.id} and id = ${id}`.execute(db)
  }
}
