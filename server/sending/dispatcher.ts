import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../database/away.ts'
import { AppError } from '../errors.ts'
import { Poller } from '../jobs/poller.ts'
import { requireMayLeave } from '../newsletters/may-leave.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { requireFallbacks, sendableJob } from '../publications/pre-flight.ts'
import { findRenderable } from '../publications/queries.ts'
import type { WithRelays } from '../relays/relays.ts'
import { shortageIn } from '../shortage.ts'
import { type Compiled, compile } from './compile.ts'
import { findHistory, findRunning, giveUpLostClaims, markBounced, type RunningSending } from './deliveries.ts'
import { recoverJournals } from './recovery.ts'
import { RefusalWatch } from './refusal-watch.ts'
import { Sender } from './sender.ts'
import { isOwnersStop, isPassing, MOST_LAYOUTS, type Sending } from './sending.ts'
import { finishSending, stopSendings } from './state.ts'
import { defaultTuning, type Tuning } from './tuning.ts'

/** The time between two searches for the journals and claims of dead workers. */
const RECOVER_MS = 10_000
/** A compiled publication is kept for this long after its last use; later its newsletter may have changed. */
const KEEP_COMPILED_MS = 60_000

interface Running {
  sender: Sender
  beganAt: number
  done: Promise<void>
}

/**
 * Keeps the senders of one process: one for every sending that goes on and has deliveries due, until it is paused,
 * cancelled or done. Any number of processes may each have a dispatcher on the same database: the claims share the work.
 */
export class Dispatcher {
  readonly #running = new Map<string, Running>()
  /** When each sending last had a sender, by its id. */
  readonly #lastRunAt = new Map<string, number>()
  readonly #watches = new Map<string, RefusalWatch>()
  readonly #compiled = new Map<string, { compiled: Compiled; postalAddress: string; usedAt: number }>()
  /** The sendings whose mail could not be laid out at the last try: since when, and how often. */
  readonly #refused = new Map<string, { since: number; times: number }>()
  readonly #poller: Poller
  #recoveredAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly context: WithRelays,
    private readonly tuning: Tuning = defaultTuning,
  ) {
    this.#poller = new Poller(context.log, {
      poll: () => this.#recoverAndPoll(),
      pauseMs: tuning.pollMs,
      failure: 'sendings could not be dispatched',
    })
  }

  /** Recovers what a killed process left on this machine before anything is sent. */
  async start(): Promise<void> {
    await this.#recover()
    this.#poller.wakeOn(this.context.listener, 'sending')
    this.#poller.start()
  }

  /** Starts nothing new. Resolves when all messages under way are answered and recorded. */
  async stop(): Promise<void> {
    await this.#poller.stop()
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** Sends what is due now. Resolves when nothing more is due; deferred deliveries stay. */
  async drain(): Promise<void> {
    let wasIdle: boolean
    do {
      const running = [...this.#running.values()].map(({ done }) => done)
      if (running.length > 0)
        await Promise.race([Promise.all(running), sleep(this.tuning.pollMs, undefined, { ref: false })])
      wasIdle = this.#running.size === 0
      await this.poll()
    } while (!wasIdle || this.#running.size > 0)
  }

  async #recoverAndPoll(): Promise<void> {
    if (performance.now() - this.#recoveredAt > RECOVER_MS) await this.#recover()
    await this.poll()
  }

  /** Starts what is due, halts what was paused or cancelled, ends what is done. */
  async poll(): Promise<void> {
    const before = new Set(this.#running.keys())
    const sendings = await findRunning(this.context.db)
    const wanted = new Set(sendings.map(({ id }) => id))
    for (const [id, { sender }] of this.#running) if (!wanted.has(id)) sender.halt()
    // What ended while this was read may have been paused at its end: the next poll reads it again.
    if (before.size > this.#running.size) this.#poller.wake()
    const idle = sendings.filter(({ id }) => !before.has(id))
    await this.#startDue(idle.filter(({ due }) => due))
    for (const sending of idle) if (!sending.waiting && !sending.isOpen) await this.#finish(sending)
    for (const known of [this.#lastRunAt, this.#watches, this.#refused]) {
      for (const id of known.keys()) if (!wanted.has(id)) known.delete(id)
    }
    for (const [id, { usedAt }] of this.#compiled) {
      if (!wanted.has(id) || usedAt < performance.now() - KEEP_COMPILED_MS) this.#compiled.delete(id)
    }
  }

  /** Starts those that waited longest first. When all senders are taken, those that have run for a whole slice are stopped. */
  async #startDue(due: RunningSending[]): Promise<void> {
    const lastRunAt = ({ id }: Sending) => this.#lastRunAt.get(id) ?? 0
    const active = [...this.#running.values()].filter(({ sender }) => sender.mayContinue())
    const free = Math.max(0, this.tuning.senders - active.length)
    const waiting = due.toSorted((a, b) => lastRunAt(a) - lastRunAt(b))
    for (const sending of waiting.splice(0, free)) this.#begin(sending, await this.#watchOf(sending))
    const longest = active.toSorted((a, b) => a.beganAt - b.beganAt).slice(0, waiting.length)
    for (const { sender, beganAt } of longest) if (beganAt < performance.now() - this.tuning.sliceMs) sender.halt()
  }

  #begin(sending: RunningSending, watch: RefusalWatch): void {
    const { id } = sending
    const sender = new Sender(this.context, {
      sending,
      compile: () => this.#compile(sending),
      watch,
      tuning: this.tuning,
      signal: this.#poller.signal,
    })
    const done = this.#run(sending, sender).finally(() => {
      this.#lastRunAt.set(id, performance.now())
      // Its owner may let it go on before the next poll sees that it was paused.
      if (sender.wasStopped) this.#watches.delete(id)
      this.#running.delete(id)
    })
    this.#running.set(id, { sender, beganAt: performance.now(), done })
  }

  /**
   * Pauses a sending that fails, so that its owner sees it, instead of trying it for ever. One that lacks room waits for it, and one whose
   * layout is refused waits for a while.
   */
  async #run(sending: Sending, sender: Sender): Promise<void> {
    const { db, log } = this.context
    try {
      await sender.run()
      await this.#finish(sending)
    } catch (error) {
      if (isDatabaseAway(error)) return
      const waitsForThread = this.#mayPass(sending, error)
      if (waitsForThread || shortageIn(error)) {
        const missing = waitsForThread ? 'the server to be less busy' : 'room'
        log.warn({ err: error }, `publication ${sending.publicationId} waits for ${missing}`)
        await sleep(this.tuning.pollMs, undefined, { signal: this.#poller.signal }).catch(() => {})
        return
      }
      const code =
        error instanceof AppError && (isOwnersStop(error.code) || isPassing(error.code)) ? error.code : 'internal'
      if (code === 'internal') log.error({ err: error }, `publication ${sending.publicationId} could not be sent`)
      await stopSendings(db, sending, { code, answer: null }).catch(() => {})
    }
  }

  /** Whether the layout of its mail was refused for what may pass, and neither too often nor for too long. */
  #mayPass({ id }: Sending, error: unknown): boolean {
    if (!(error instanceof AppError && isPassing(error.code))) return false
    // Its threads end with this process, and another one goes on.
    if (this.#poller.signal.aborted) return true
    const { since, times } = this.#refused.get(id) ?? { since: performance.now(), times: 0 }
    const isLast =
      error.code === 'rendering_failed'
        ? times + 1 >= MOST_LAYOUTS
        : performance.now() - since >= this.tuning.patienceMs
    if (isLast) this.#refused.delete(id)
    else this.#refused.set(id, { since, times: times + 1 })
    return !isLast
  }

  /**
   * Ends what is done, and marks who bounced: as soon as everybody was tried once, and not when the last retry is over. Both in
   * one transaction: a process that is killed leaves a sending that is ended later, and not subscribers who stay unmarked.
   */
  async #finish(sending: Sending): Promise<void> {
    await this.context.db.transaction().execute(async (tx) => {
      // First, since nothing is recorded after it: the last answer may come from another process at this moment.
      await finishSending(tx, sending)
      await markBounced(tx, sending)
    })
  }

  async #watchOf(sending: RunningSending): Promise<RefusalWatch> {
    const known = this.#watches.get(sending.id)
    if (known) return known
    const history = await findHistory(this.context.db, sending)
    const watch = new RefusalWatch(history, { trusting: sending.trustsRefusals })
    this.#watches.set(sending.id, watch)
    return watch
  }

  async #compile({ newsletterId, publicationId, id, isAutomatic }: RunningSending): Promise<Compiled> {
    const { db, threads } = this.context
    const newsletter = await findNewsletter(db, newsletterId)
    if (!newsletter) throw new Error(`newsletter ${newsletterId} is gone`)
    await requireMayLeave(this.context, newsletter)
    const postalAddress = newsletter.postal_address
    const kept = this.#compiled.get(id)
    // The address may have been added for mail that was caught before and leaves now.
    if (kept?.postalAddress === postalAddress) {
      kept.usedAt = performance.now()
      return kept.compiled
    }
    const publication = await findRenderable(db, newsletterId, publicationId)
    // A welcome may be a draft, and edited since it was chosen.
    if (isAutomatic) {
      const facts = { publication, newsletter, receive: 1, channel: 'everywhere' as const }
      requireFallbacks(await threads.run(sendableJob, facts, publication.content.length))
    }
    const compiled = await compile(this.context, newsletter, publication)
    this.#refused.delete(id)
    this.#compiled.set(id, { compiled, postalAddress, usedAt: performance.now() })
    return compiled
  }

  async #recover(): Promise<void> {
    this.#recoveredAt = performance.now()
    await recoverJournals(this.context)
    await giveUpLostClaims(this.context.db)
  }
}
