import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../database/away.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { findPublication } from '../publications/queries.ts'
import type { WithRelays } from '../relays/relays.ts'
import { type Compiled, compile } from './compile.ts'
import { findRunning, giveUpLostClaims, type RunningSending } from './deliveries.ts'
import { recoverJournals } from './recovery.ts'
import { defaultTuning, Sender, type Tuning } from './sender.ts'
import type { Sending } from './sending.ts'
import { finishSending, stopSendings } from './state.ts'

/** Names a process: claims are its own, and two foremen in one process do not answer for each other. */
const workerName = () => `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`

/** How often it is looked for what dead workers left. */
const SETTLE_MS = 10_000
/** A publication is compiled anew when its last press is longer ago: its newsletter may have changed meanwhile. */
const KEEP_COMPILED_MS = 60_000

interface Running {
  press: Sender
  beganAt: number
  done: Promise<void>
}

/**
 * Keeps the presses of one process: a press for every publication that is being sent and has something due, until it is
 * paused, cancelled or done. Any number of processes may each have one on the same database: the claims share the work.
 */
export class Dispatcher {
  readonly #presses = new Map<string, Running>()
  /** When each publication that is being sent had its last turn. */
  readonly #turns = new Map<string, number>()
  readonly #compiled = new Map<string, { compiled: Compiled; usedAt: number }>()
  readonly #stop = new AbortController()
  readonly #worker = workerName()
  #woken = Promise.withResolvers<void>()
  #settledAt = Number.NEGATIVE_INFINITY
  #loop: Promise<void> = Promise.resolve()
  #unlisten: () => void = () => {}

  constructor(
    private readonly context: WithRelays,
    private readonly pace: Tuning = defaultTuning,
  ) {}

  /** What a process that was killed left on this machine is put in order before anything is sent. */
  async start(): Promise<void> {
    await this.#settle()
    const wake = () => this.#woken.resolve()
    this.#unlisten = this.context.listener.on('sending', wake, wake)
    this.#loop = this.#keepLooking()
  }

  /** Nothing more is begun; resolves when what was on its way is finished and recorded. */
  async stop(): Promise<void> {
    this.#unlisten()
    this.#stop.abort()
    this.#woken.resolve()
    await this.#loop
    await Promise.all([...this.#presses.values()].map(({ done }) => done))
  }

  /** Sends whatever is due now and resolves when nothing more is: what waits for later stays. */
  async drain(): Promise<void> {
    for (await this.look(); this.#presses.size > 0; await this.look()) {
      const done = Promise.all([...this.#presses.values()].map((running) => running.done))
      await Promise.race([done, sleep(this.pace.lookMs, undefined, { ref: false })])
    }
  }

  async #keepLooking(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#woken = Promise.withResolvers()
      try {
        if (performance.now() - this.#settledAt > SETTLE_MS) await this.#settle()
        await this.look()
      } catch (error) {
        if (!isDatabaseAway(error)) this.context.log.error({ err: error }, 'sendings could not be looked after')
      }
      const waited = new AbortController()
      await Promise.race([this.#woken.promise, sleep(this.pace.lookMs, undefined, { signal: waited.signal })])
      waited.abort()
    }
  }

  /** Starts what is due, halts what was paused or cancelled, ends what is done. */
  async look(): Promise<void> {
    const sendings = await findRunning(this.context.db)
    const wanted = new Set(sendings.map(({ id }) => id))
    for (const [id, { press }] of this.#presses) if (!wanted.has(id)) press.halt()
    const idle = sendings.filter(({ id }) => !this.#presses.has(id))
    this.#giveTurns(idle.filter(({ due }) => due))
    for (const sending of idle) if (!sending.waiting) await finishSending(this.context.db, sending)
    for (const id of this.#turns.keys()) if (!wanted.has(id)) this.#turns.delete(id)
    for (const [id, { usedAt }] of this.#compiled) {
      if (!wanted.has(id) || usedAt < performance.now() - KEEP_COMPILED_MS) this.#compiled.delete(id)
    }
  }

  /** Who waited longest comes first; where there is no room, those make it who have had their turn. */
  #giveTurns(due: RunningSending[]): void {
    const lastTurn = ({ id }: Sending) => this.#turns.get(id) ?? 0
    const going = [...this.#presses.values()].filter(({ press }) => press.goesOn())
    const room = Math.max(0, this.pace.senders - going.length)
    const waiting = due.toSorted((a, b) => lastTurn(a) - lastTurn(b))
    for (const sending of waiting.splice(0, room)) this.#begin(sending)
    const longest = going.toSorted((a, b) => a.beganAt - b.beganAt).slice(0, waiting.length)
    for (const { press, beganAt } of longest) if (beganAt < performance.now() - this.pace.turnMs) press.halt()
  }

  #begin(sending: RunningSending): void {
    const { id } = sending
    const compiled = () => this.#compile(sending)
    const press = new Sender(this.context, sending, compiled, this.#worker, this.pace, this.#stop.signal)
    const done = this.#run(sending, press).finally(() => {
      this.#turns.set(id, performance.now())
      this.#presses.delete(id)
    })
    this.#presses.set(id, { press, beganAt: performance.now(), done })
  }

  /** What cannot be sent is shown to its owner, not tried for ever where nobody looks. */
  async #run(sending: Sending, press: Sender): Promise<void> {
    const { db, log } = this.context
    try {
      await press.run()
      await finishSending(db, sending)
    } catch (error) {
      if (isDatabaseAway(error)) return
      log.error({ err: error }, `publication ${sending.publicationId} could not be sent`)
      await stopSendings(db, sending, { code: 'internal', answer: null }).catch(() => {})
    }
  }

  async #compile({ newsletterId, publicationId, id }: Sending): Promise<Compiled> {
    const { db } = this.context
    const kept = this.#compiled.get(id)
    if (kept) kept.usedAt = performance.now()
    if (kept) return kept.compiled
    const newsletter = await findNewsletter(db, newsletterId)
    if (!newsletter) throw new Error(`newsletter ${newsletterId} is gone`)
    const publication = await findPublication(db, newsletterId, publicationId)
    const compiled = await compile(this.context, newsletter, publication)
    this.#compiled.set(id, { compiled, usedAt: performance.now() })
    return compiled
  }

  async #settle(): Promise<void> {
    this.#settledAt = performance.now()
    await recoverJournals(this.context)
    await giveUpLostClaims(this.context.db)
  }
}
