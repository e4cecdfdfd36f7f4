import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '../database/away.ts'
import { asciiDomain, domainOf } from '../mail/mime/address.ts'
import type { Message, Outcome, Relay } from '../mail/relay.ts'
import type { Choice, Grant } from '../relays/grant.ts'
import type { WithRelays } from '../relays/relays.ts'
import { Batch, type Claims, returned } from './batch.ts'
import type { Compiled } from './compile.ts'
import { type Claimed, claim, heldBy, plan, record, renew } from './deliveries.ts'
import { Journal } from './journal.ts'
import { journalFolder } from './recovery.ts'
import type { Verdict } from './retry.ts'
import type { AudienceSending, Result, StopCode } from './sending.ts'
import { stopSendings } from './state.ts'

export interface Tuning {
  /** Claimed at once. Twice as many a relay is what a machine that lost its power may be unsure of. */
  batch: number
  leaseSeconds: number
  /** How long a relay may be out of reach before the sending is paused and its owner told. */
  patienceMs: number
  /** How often it is looked whether a sending was begun, paused or cancelled. */
  lookMs: number
  /** How often what is known of a batch under way is written to the database. */
  recordMs: number
  /** At once in one process; each holds up to two batches a relay, and their messages wait for the same connections. */
  senders: number
  /** How long a press may go on while another publication waits for its turn. */
  turnMs: number
}

export const defaultTuning: Tuning = {
  batch: 500,
  leaseSeconds: 60,
  patienceMs: 5 * 60_000,
  lookMs: 1_000,
  recordMs: 500,
  senders: 50,
  turnMs: 30_000,
}

const DATABASE_REST_MS = 500

/**
 * One process's part in sending one publication: takes turns at the relays, claims, sends, records, until nothing is due
 * or something stops it. Other processes may do the same at the same time. While the database is away it waits.
 */
export class Sender {
  #halted = false
  #failure: unknown = null
  #restingSince: number | null = null
  /** Batches whose results are not all in the database, and when they will be. */
  readonly #running = new Map<Batch, Promise<void>>()
  /** What each relay was given and has not taken wholly. */
  readonly #untaken = new Map<Relay, Set<Batch>>()
  #claims = 0
  #compiled: Compiled | null = null

  constructor(
    private readonly context: WithRelays,
    private readonly sending: AudienceSending,
    private readonly compile: () => Promise<Compiled>,
    private readonly worker: string,
    private readonly pace: Tuning,
    private readonly signal: AbortSignal,
  ) {}

  /** Nothing more is begun; what is on its way is finished. */
  halt(): void {
    this.#halted = true
  }

  goesOn(): boolean {
    return !this.#halted && !this.signal.aborted
  }

  /** Resolves when nothing is due any more, or when it was stopped. Throws what the database says but for being away. */
  async run(): Promise<void> {
    const recording = setInterval(() => this.#recordAll(), this.pace.recordMs)
    const lease = setInterval(() => void this.#renew().catch(() => {}), (this.pace.leaseSeconds * 1000) / 3)
    try {
      await this.#patiently(() => plan(this.context.db, this.sending))
      this.#compiled = await this.#patiently(this.compile)
      while (this.goesOn() && (await this.#step()));
    } catch (error) {
      this.#fail(error)
    }
    while (this.#running.size > 0) await Promise.all(this.#running.values())
    clearInterval(recording)
    clearInterval(lease)
    if (this.#failure) throw this.#failure
  }

  /** One turn at a relay; false when nothing is due. */
  async #step(): Promise<boolean> {
    const { relays } = this.context
    const choice = await this.#patiently(() => relays.choose(this.sending.newsletterId, this.pace.batch, this.#busy()))
    if (choice.kind === 'wait') return this.#wait(choice)
    const { grant: turn } = choice
    const { looked, ...claims } = await this.#claim(turn.permits)
    const recipients = await this.#withinDomainLimits(turn, claims)
    const unused = turn.permits - recipients.length
    await this.giveBack(turn, unused)
    if (recipients.length > 0) this.#start(turn, { ...claims, recipients })
    else claims.journal.close(true)
    if (looked > 0) return true
    if (this.#running.size === 0) return false
    // What is on its way may come back to the queue.
    await Promise.race(this.#running.values())
    return true
  }

  /** While one batch is sent the next is claimed: two a relay are enough to keep it busy. */
  #busy(): ReadonlySet<Relay> {
    return new Set([...this.#untaken].filter(([, batches]) => batches.size > 1).map(([relay]) => relay))
  }

  async #wait({ untilMs, reason, refused, answer }: Extract<Choice, { kind: 'wait' }>): Promise<boolean> {
    if (reason === 'resting') {
      this.#restingSince ??= Date.now()
      if (refused) await this.#stop('relay_refused', answer)
      else if (Date.now() - this.#restingSince >= this.pace.patienceMs) await this.#stop('relay_unreachable', answer)
      if (!this.goesOn()) return false
    }
    const taken = [...this.#untaken.values()].flatMap((batches) => [...batches]).map((batch) => batch.taken)
    const ms = Math.min(Math.max(untilMs - Date.now(), 5), this.pace.lookMs)
    await Promise.race([sleep(ms, undefined, { ref: false }), ...taken])
    return true
  }

  #claim(limit: number): Promise<Claims & { looked: number }> {
    const { sending, pace, context } = this
    const { db } = context
    const name = `${this.worker}:${(this.#claims++).toString(36)}`
    const journal = new Journal(journalFolder(context.config.dataDir), sending, name)
    return this.#patiently(async (again) => {
      // A claim whose answer was lost on the way may have been made all the same.
      if (again) {
        const held = await heldBy(db, sending, name)
        await record(db, sending, { worker: name, results: held.map((id) => returned(id)) })
      }
      const leaseEnds = performance.now() + pace.leaseSeconds * 1000
      const { looked, claimed } = await claim(db, sending, { worker: name, limit, leaseSeconds: pace.leaseSeconds })
      return { name, journal, recipients: claimed, leaseEnds, looked }
    }).catch((error: unknown) => {
      journal.close(false)
      throw error
    })
  }

  /** Those whose domain may be written to now; the others go back until it may. */
  async #withinDomainLimits(turn: Grant, { name, recipients }: Claims): Promise<Claimed[]> {
    if (recipients.length === 0) return recipients
    const byDomain = Map.groupBy(recipients, ({ email }) => asciiDomain(domainOf(email)))
    const wanted = new Map([...byDomain].map(([domain, { length }]) => [domain, length]))
    const allowed = await this.#patiently(() => this.context.relays.domainPermits(turn, wanted))
    if (allowed.size === 0) return recipients
    const later: Result[] = []
    const now = [...byDomain].flatMap(([domain, all]) => {
      const { permits, nextMs } = allowed.get(domain) ?? { permits: all.length, nextMs: 0 }
      const seconds = Math.max(1, Math.ceil((nextMs - Date.now()) / 1000))
      later.push(...all.slice(permits).map(({ subscriberId }) => returned(subscriberId, null, seconds)))
      return all.slice(0, permits)
    })
    await this.record(name, later)
    return now
  }

  #start(turn: Grant, claims: Claims): void {
    const batch = new Batch(this, turn, claims)
    const untaken = this.#untaken.get(turn.relay) ?? new Set()
    const ahead = [...untaken].at(-1)?.taken
    this.#untaken.set(turn.relay, untaken.add(batch))
    void batch.taken.then(() => untaken.delete(batch))
    const done = Promise.resolve(ahead)
      .then(() => batch.run())
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#running.delete(batch))
    this.#running.set(batch, done)
  }

  messageFor(recipient: Claimed): Message | Promise<Message> {
    return this.#made.messageFor(recipient)
  }

  reuse(recipient: Claimed, message: Message): void {
    this.#made.reuse(recipient, message)
  }

  get #made(): Compiled {
    if (!this.#compiled) throw new Error('nothing is compiled yet')
    return this.#compiled
  }

  heard(turn: Grant, verdict: Verdict, outcome: Outcome): void {
    this.context.relays.recordOutcome(turn, outcome)
    if (verdict.kind === 'stop') void this.#stop('relay_refused', outcome.text).catch((error) => this.#fail(error))
    else if (verdict.kind !== 'returned') this.#restingSince = null
  }

  async record(claimedBy: string, results: Result[]): Promise<void> {
    await this.#patiently(() => record(this.context.db, this.sending, { worker: claimedBy, results }))
  }

  async giveBack(turn: Grant, unused: number): Promise<void> {
    if (unused > 0) await this.#patiently(() => this.context.relays.release(turn, unused))
  }

  #recordAll(): void {
    for (const batch of this.#running.keys()) batch.recordAll().catch((error: unknown) => this.#fail(error))
  }

  async #renew(): Promise<void> {
    const batches = [...this.#running.keys()]
    const leaseEnds = performance.now() + this.pace.leaseSeconds * 1000
    const { leaseSeconds } = this.pace
    await renew(this.context.db, this.sending, { workers: batches.map(({ name }) => name), leaseSeconds })
    for (const batch of batches) batch.leaseEnds = leaseEnds
  }

  /** What is on its way is finished; the journal keeps what the database was not told. */
  #fail(error: unknown): void {
    this.#failure ??= error
    this.halt()
  }

  async #stop(code: StopCode, answer: string | null): Promise<void> {
    if (this.#halted) return
    this.halt()
    this.context.log.error(`Publication ${this.sending.publicationId} is paused (${code}): ${answer}`)
    await this.#patiently(() => stopSendings(this.context.db, this.sending, { code, answer }))
  }

  /** Asks until the database is there to answer, unless the process is told to stop. */
  async #patiently<T>(ask: (again: boolean) => Promise<T>): Promise<T> {
    for (let again = false; ; again = true) {
      try {
        return await ask(again)
      } catch (error) {
        if (!mayPass(error) || this.signal.aborted) throw error
        await sleep(DATABASE_REST_MS)
      }
    }
  }
}
