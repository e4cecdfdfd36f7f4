import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '../database/away.ts'
import { asciiDomain, domainOf } from '../mail/mime/address.ts'
import type { Message, Outcome, Relay } from '../mail/relay.ts'
import type { Choice, Grant } from '../relays/grant.ts'
import { speaksOfUs, turnsAway } from '../relays/health.ts'
import type { WithRelays } from '../relays/relays.ts'
import { Batch, type Claims, returned } from './batch.ts'
import { answerDeliveries, claimDeliveries, heldBy, renewClaims } from './claims.ts'
import type { Compiled } from './compile.ts'
import { mostWait, plan } from './deliveries.ts'
import { takeBackRefusals } from './delivery-state.ts'
import { Journal } from './journal.ts'
import { journalFolder } from './recovery.ts'
import type { RefusalWatch } from './refusal-watch.ts'
import type { Verdict } from './retry.ts'
import type { AudienceSending, Claimed, Result, StopCode, SystemicStop } from './sending.ts'
import { isSystemic, stopSendings } from './state.ts'
import type { Tuning } from './tuning.ts'

const DATABASE_RETRY_MS = 500
/** Copies under way until a sending has shown that its relay takes mail. */
const PROBE = 20

interface Job {
  sending: AudienceSending
  /** Makes the mail when it is first needed. */
  compile: () => Promise<Compiled>
  /** Notices when refusals are abnormal. All senders of the sending in this process share it. */
  watch: RefusalWatch
  tuning: Tuning
  /** Aborted when the process is to stop. */
  signal: AbortSignal
}

/**
 * One process's part in one sending: it asks for a grant to use a relay, claims deliveries, sends and records them, until
 * none is due or something stops it. Other processes may do the same at the same time. While the database is away it
 * waits.
 */
export class Sender {
  readonly #job: Job
  #halted = false
  #failure: unknown = null
  #stopping: Promise<void> = Promise.resolve()
  #isAskingWhatWaits = false
  #wasStopped = false
  /** It stopped because of answers that were not about subscribers. */
  #takesBack: SystemicStop | null = null
  #restingSince: number | null = null
  /** A relay has answered, or has failed, since it began. */
  #hasAnswer = false
  /** Batches whose results are not all in the database, and when they will be. */
  readonly #running = new Map<Batch, Promise<void>>()
  /** Batches that still have messages to hand over, by relay. */
  readonly #pending = new Map<Relay, Set<Batch>>()
  /** The names of its claims begin with it. Each has a journal under that name, so the senders of one process need different ones. */
  readonly #name = `${hostname()}:${process.pid}:${randomBytes(8).toString('hex')}`
  #claims = 0
  #compiled: Compiled | null = null
  /** No relay was set when its mail was made, so what mail needs that leaves was not asked for. */
  #onlyCaught = false

  constructor(
    private readonly context: WithRelays,
    job: Job,
  ) {
    this.#job = job
  }

  /** Begins no new message; those under way are finished. */
  halt(): void {
    this.#halted = true
  }

  /** It paused its sending. */
  get wasStopped(): boolean {
    return this.#wasStopped
  }

  mayContinue(): boolean {
    return !this.#halted && !this.#job.signal.aborted
  }

  /**
   * Resolves when nothing is due any more, or when it was stopped.
   * @throws errors of the database, except that it is away
   */
  async run(): Promise<void> {
    const recording = setInterval(() => this.#recordAll(), this.#job.tuning.recordMs)
    const lease = setInterval(() => void this.#renew().catch(() => {}), (this.#job.tuning.leaseSeconds * 1000) / 3)
    try {
      await this.#whenDatabaseAnswers(() => plan(this.context.db, this.#job.sending))
      this.#onlyCaught = await this.context.relays.caught(this.#job.sending.newsletterId)
      this.#compiled = await this.#whenDatabaseAnswers(this.#job.compile)
      while (this.mayContinue() && (await this.#step()));
    } catch (error) {
      this.#fail(error)
    }
    while (this.#running.size > 0) await Promise.all(this.#running.values())
    clearInterval(recording)
    clearInterval(lease)
    await this.#stopping
    const stop = this.#takesBack
    if (stop) await this.#whenDatabaseAnswers(() => takeBackRefusals(this.context.db, this.#job.sending, stop))
    if (this.#failure) throw this.#failure
  }

  /** Asks for one grant and begins to use it. False when nothing is due. */
  async #step(): Promise<boolean> {
    const { relays } = this.context
    const { sending, tuning, watch } = this.#job
    if (!watch.isProven && this.#running.size > 0) {
      await Promise.race(this.#running.values())
      return true
    }
    const wanted = watch.isProven ? tuning.batch : Math.min(PROBE, tuning.batch)
    const choice = await this.#whenDatabaseAnswers(() => relays.choose(sending.newsletterId, wanted, this.#busy()))
    if (choice.kind === 'wait') return this.#wait(choice)
    const { grant } = choice
    if (this.#onlyCaught && !grant.caught) {
      // A relay was added meanwhile. The next sender asks for what its mail needs.
      await this.release(grant, grant.permits)
      this.halt()
      return false
    }
    const { examined, ...claims } = await this.#claim(grant.permits).catch(async (error: unknown) => {
      await this.release(grant, grant.permits)
      throw error
    })
    const recipients = await this.#withinDomainLimits(grant, claims)
    const unused = grant.permits - recipients.length
    await this.release(grant, unused)
    if (recipients.length > 0) this.#start(grant, { ...claims, recipients })
    else claims.journal.close(true)
    if (examined > 0) return true
    if (this.#running.size === 0) return false
    // Messages under way may come back to the queue.
    await Promise.race(this.#running.values())
    return true
  }

  /** Relays with two batches already: one that is sent, and the next one. */
  #busy(): ReadonlySet<Relay> {
    return new Set([...this.#pending].filter(([, batches]) => batches.size > 1).map(([relay]) => relay))
  }

  async #wait({ untilMs, reason, refused, answer }: Extract<Choice, { kind: 'wait' }>): Promise<boolean> {
    if (reason === 'resting') {
      this.#restingSince ??= Date.now()
      // Its owner may have mended the cause: a refusal from before this sender began is asked for once more.
      if (refused && this.#hasAnswer) await this.#stop('relay_refused', answer)
      else if (Date.now() - this.#restingSince >= this.#job.tuning.patienceMs)
        await this.#stop('relay_unreachable', answer)
      if (!this.mayContinue()) return false
    }
    const handedOver = [...this.#pending.values()].flatMap((batches) => [...batches]).map((batch) => batch.handedOver)
    const ms = Math.min(Math.max(untilMs - Date.now(), 5), this.#job.tuning.pollMs)
    await Promise.race([sleep(ms, undefined, { ref: false }), ...handedOver])
    return true
  }

  async #claim(limit: number): Promise<Claims & { examined: number }> {
    const { context } = this
    const { sending, tuning } = this.#job
    const { db } = context
    const name = `${this.#name}:${(this.#claims++).toString(36)}`
    const journal = new Journal(journalFolder(context.config.dataDir), sending, name)
    return this.#whenDatabaseAnswers(async (again) => {
      // The claim may have been made although its answer from the database was lost.
      if (again) {
        const held = await heldBy(db, sending, name)
        await answerDeliveries(db, sending, { worker: name, results: held.map((id) => returned(id)) })
      }
      const leaseEnds = performance.now() + tuning.leaseSeconds * 1000
      const { examined, claimed } = await claimDeliveries(db, sending, {
        worker: name,
        limit,
        leaseSeconds: tuning.leaseSeconds,
        withPlans: this.#mail.gates.length > 0,
      })
      return { name, journal, recipients: shuffled(claimed), leaseEnds, examined }
    }).catch((error: unknown) => {
      journal.close(false)
      throw error
    })
  }

  /** The recipients whose domain is within its limits now. The others go back to the queue until it is. */
  async #withinDomainLimits(grant: Grant, { name, recipients }: Claims): Promise<Claimed[]> {
    if (recipients.length === 0) return recipients
    const byDomain = Map.groupBy(recipients, ({ email }) => asciiDomain(domainOf(email)))
    const wanted = new Map([...byDomain].map(([domain, { length }]) => [domain, length]))
    const allowed = await this.#whenDatabaseAnswers(() => this.context.relays.domainPermits(grant, wanted))
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

  #start(grant: Grant, claims: Claims): void {
    const batch = new Batch(this, grant, claims)
    const pending = this.#pending.get(grant.relay) ?? new Set()
    const ahead = [...pending].at(-1)?.handedOver
    this.#pending.set(grant.relay, pending.add(batch))
    void batch.handedOver.then(() => pending.delete(batch))
    const done = Promise.resolve(ahead)
      .then(() => batch.run())
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#running.delete(batch))
    this.#running.set(batch, done)
  }

  messageFor(recipient: Claimed): Message | Promise<Message> {
    return this.#mail.messageFor(recipient)
  }

  reuse(recipient: Claimed, message: Message): void {
    this.#mail.reuse(recipient, message)
  }

  get #mail(): Compiled {
    if (!this.#compiled) throw new Error('nothing is compiled yet')
    return this.#compiled
  }

  onOutcome(grant: Grant, verdict: Verdict, outcome: Outcome): boolean {
    const { relays } = this.context
    relays.recordOutcome(grant, outcome)
    this.#hasAnswer = true
    if (verdict.kind === 'returned') return false
    if (!speaksOfUs(outcome)) this.#restingSince = null
    if (this.#isAbnormal(verdict)) this.#stopAtOnce('too_many_refusals', outcome.text)
    else if (verdict.kind === 'deferred' && this.#isTurnedAway(outcome)) this.#stopWhereMostWait(outcome.text)
    return verdict.kind === 'accepted' || verdict.kind === 'caught' || !relays.rests(grant)
  }

  rests(grant: Grant): boolean {
    return this.context.relays.rests(grant)
  }

  /** Counts an answer, and says whether the refusals are now too many to be about subscribers. */
  #isAbnormal(verdict: Verdict): boolean {
    const { watch } = this.#job
    if (verdict.kind === 'accepted') watch.accepted()
    else if (verdict.kind === 'failed') return watch.refused(verdict.gone ? 'address' : 'other')
    else if (verdict.kind === 'deferred') watch.deferred()
    return false
  }

  /** Whether the relays have taken nothing for longer than they are given. */
  #isTurnedAway(outcome: Outcome): boolean {
    const { watch, tuning } = this.#job
    return turnsAway(outcome) && watch.turnedAway(Date.now(), tuning.patienceMs)
  }

  /** The last few copies of a sending may wait for days, and are no reason to stop it. */
  #stopWhereMostWait(answer: string): void {
    if (this.#halted || this.#isAskingWhatWaits) return
    this.#isAskingWhatWaits = true
    this.#stopping = this.#whenDatabaseAnswers(() => mostWait(this.context.db, this.#job.sending))
      .then((most) => (most ? this.#stop('relay_unreachable', answer) : undefined))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isAskingWhatWaits = false
      })
  }

  #stopAtOnce(code: StopCode, answer: string): void {
    // What stops it already is waited for.
    if (this.#halted) return
    this.#stopping = this.#stop(code, answer).catch((error: unknown) => this.#fail(error))
  }

  async record(claimedBy: string, results: Result[]): Promise<void> {
    await this.#whenDatabaseAnswers(() =>
      answerDeliveries(this.context.db, this.#job.sending, { worker: claimedBy, results }),
    )
  }

  async release(grant: Grant, unused: number): Promise<void> {
    if (unused > 0) await this.#whenDatabaseAnswers(() => this.context.relays.release(grant, unused))
  }

  #recordAll(): void {
    for (const batch of this.#running.keys()) batch.recordAll().catch((error: unknown) => this.#fail(error))
  }

  async #renew(): Promise<void> {
    const batches = [...this.#running.keys()]
    const leaseEnds = performance.now() + this.#job.tuning.leaseSeconds * 1000
    const { leaseSeconds } = this.#job.tuning
    const workers = batches.map(({ name }) => name)
    const renewed = await renewClaims(this.context.db, this.#job.sending, { workers, leaseSeconds })
    // A claim that was given up while this process stood still may be somebody else's now.
    for (const batch of batches) batch.leaseEnds = renewed.has(batch.name) ? leaseEnds : 0
  }

  /** Messages under way are finished. The journal keeps results that are not in the database. */
  #fail(error: unknown): void {
    this.#failure ??= error
    this.halt()
  }

  async #stop(code: StopCode, answer: string | null): Promise<void> {
    if (this.#halted) return
    this.halt()
    this.#wasStopped = true
    this.#takesBack = isSystemic(code) ? code : null
    this.context.log.error(`Publication ${this.#job.sending.publicationId} is paused (${code}): ${answer}`)
    await this.#whenDatabaseAnswers(() => stopSendings(this.context.db, this.#job.sending, { code, answer }))
  }

  /** Asks again while the database is away, unless the process is told to stop. */
  async #whenDatabaseAnswers<T>(ask: (again: boolean) => Promise<T>): Promise<T> {
    for (let again = false; ; again = true) {
      try {
        return await ask(again)
      } catch (error) {
        if (!mayPass(error) || this.#job.signal.aborted) throw error
        await sleep(DATABASE_RETRY_MS)
      }
    }
  }
}

/** In a random order: addresses that do not exist were often imported together, and would look like trouble. */
function shuffled<T>(all: T[]): T[] {
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1))
    const kept = all[last] as T
    all[last] = all[other] as T
    all[other] = kept
  }
  return all
}
