import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { isDatabaseAway } from '../database/away.ts'
import { GroupCommit } from '../database/group-commit.ts'
import { Poller } from '../jobs/poller.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import type { WithRelays } from '../relays/relays.ts'
import {
  type ClaimedConfirmation,
  claimConfirmations,
  findDueNewsletters,
  removeConfirmations,
} from '../subscribers/confirmation-queue.ts'
import { CompiledConfirmations } from './compile-confirmations.ts'
import { ConfirmationBatch, LEASE_SECONDS } from './confirmation-batch.ts'

/** Mails claimed at once. */
const BATCH = 250
/** Batches of one newsletter at the same time: while one is sent, the next is claimed. */
const BATCHES = 2
/** Newsletters that are served at the same time. Those that wait are next. */
const NEWSLETTERS = 20
const POLL_MS = 1_000
/** After a batch that was not full, so that under load mails gather and one statement claims many. */
const GATHER_MS = 50
/** Longer waits for a relay are left to the next poll. */
const MAX_WAIT_MS = 1_000
/** What is compiled is made anew after this time, since keys are activated and retired. */
const COMPILED_MS = 10_000

/**
 * Sends the confirmation mails that wait in `confirmation_mail`. Any number of processes may each have one on the same
 * database: claims share the work.
 *
 * A mail leaves the queue when its acceptance is committed. When the process is killed, or the database goes away for longer
 * than a claim lasts, the mails whose acceptance was not committed yet are sent a second time: at most two batches a newsletter.
 * None is lost.
 */
export class ConfirmationSender {
  readonly #running = new Map<string, Promise<void>>()
  readonly #compiled = new LRUCache<string, CompiledConfirmations>({ max: 200, ttl: COMPILED_MS })
  readonly #accepted: GroupCommit<ClaimedConfirmation, undefined>
  readonly #poller: Poller

  constructor(private readonly context: WithRelays) {
    this.#accepted = new GroupCommit((mails) => this.#remove(mails), { limit: 500 })
    const failure = 'confirmation mails could not be sent'
    this.#poller = new Poller(context.log, { poll: () => this.#poll(), pauseMs: POLL_MS, failure })
  }

  start(): void {
    this.#poller.wakeOn(this.context.listener, 'confirmation_mail')
    this.#poller.start()
  }

  /** Begins nothing new. Resolves when all mails under way are answered and recorded. */
  async stop(): Promise<void> {
    await this.#poller.stop()
    await Promise.all(this.#running.values())
  }

  /** Sends what is due now and may be sent now. */
  async drain(): Promise<void> {
    await this.#poll()
    await Promise.all(this.#running.values())
  }

  async #poll(): Promise<void> {
    const due = (await findDueNewsletters(this.context.db)).filter((id) => !this.#running.has(id))
    for (const id of due.slice(0, NEWSLETTERS - this.#running.size)) {
      const done = this.#serve(id)
        .catch(this.#poller.report)
        .finally(() => this.#running.delete(id))
      this.#running.set(id, done)
    }
  }

  /** Sends what a newsletter has due, until nothing is left or no relay may be used for a while. */
  async #serve(newsletterId: string): Promise<void> {
    const batches = new Set<Promise<void>>()
    try {
      while (!this.#poller.signal.aborted) {
        const choice = await this.context.relays.chooseForPeople(newsletterId, BATCH)
        if (choice.kind === 'wait') {
          const ms = choice.untilMs - this.context.now().getTime()
          if (choice.reason === 'resting' || ms > MAX_WAIT_MS) return
          await sleep(Math.max(ms, 5))
          continue
        }
        const { grant } = choice
        const mails = await this.#claim(newsletterId, grant.permits)
        if (mails.length < grant.permits) await this.context.relays.release(grant, grant.permits - mails.length)
        if (mails.length === 0) {
          if (batches.size === 0) return
          // Mails under way may come back to the queue.
          await Promise.race(batches)
          continue
        }
        const batch = this.#send(newsletterId, new ConfirmationBatch(this.context, grant, mails))
        const done = batch.finally(() => batches.delete(done))
        batches.add(done)
        // A failure is reported at the end; until then nobody awaits it.
        done.catch(() => {})
        if (mails.length < grant.permits) await sleep(GATHER_MS)
        if (batches.size >= BATCHES) await Promise.race(batches)
      }
    } finally {
      await Promise.all(batches)
    }
  }

  #claim(newsletterId: string, limit: number): Promise<ClaimedConfirmation[]> {
    return claimConfirmations(this.context.db, newsletterId, { limit, leaseSeconds: LEASE_SECONDS })
  }

  async #send(newsletterId: string, batch: ConfirmationBatch): Promise<void> {
    const compiled = await this.#compile(newsletterId)
    // A newsletter that was deleted took its mails with it.
    if (compiled)
      await batch.run(compiled, { accepted: (mail) => this.#accepted.add(mail), signal: this.#poller.signal })
  }

  /** What the newsletter says now, compiled at most ten seconds ago. */
  async #compile(newsletterId: string): Promise<CompiledConfirmations | null> {
    const newsletter = await findNewsletter(this.context.db, newsletterId)
    if (!newsletter) return null
    const known = this.#compiled.get(newsletterId)
    if (known && JSON.stringify(known.newsletter) === JSON.stringify(newsletter)) return known
    const compiled = new CompiledConfirmations(this.context, newsletter)
    this.#compiled.set(newsletterId, compiled)
    return compiled
  }

  /** Tries again while the database is away, for as long as the claims last: removing them late would send them twice. */
  async #remove(mails: ClaimedConfirmation[]): Promise<undefined[]> {
    const until = performance.now() + (LEASE_SECONDS / 2) * 1000
    for (;;) {
      try {
        await removeConfirmations(this.context.db, mails)
        return mails.map(() => undefined)
      } catch (error) {
        if (!isDatabaseAway(error) || performance.now() > until) throw error
        await sleep(POLL_MS)
      }
    }
  }
}
