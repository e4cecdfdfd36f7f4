import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopback } from '../config.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/away.ts'
import type { Message, Outcome, Relay } from '../mail/relay.ts'
import { messageOf } from '../start-error.ts'
import { CatchingRelay, environmentRelay } from './catching-relay.ts'
import { type DomainPermits, reserveWithinAll, returnReserved } from './domain-permits.ts'
import type { Choice, Grant } from './grant.ts'
import {
  afterFailure,
  failsForAll,
  type Health,
  healthy,
  isResting,
  mayMove,
  restOf,
  shortened,
  speaksOfUs,
} from './health.ts'
import { addUse, type Reservation, reserves, unused } from './limits.ts'
import type { Outbox } from './outbox.ts'
import { findRelay, writeAnswer, writeHealth } from './queries.ts'
import { isLimited, type Quota, reserve, updateUsage } from './quota.ts'
import type { RelayPlace } from './registry.ts'
import { type RelayHandle, type RelaySet, RelaySets, relayHandle } from './relay-set.ts'

/** What this class knows of a grant and its holder does not. */
interface HeldGrant {
  handle: RelayHandle
  relaySet: RelaySet
  reservation: Reservation
}

interface Wanted {
  wanted: number
  busy: ReadonlySet<Relay>
  aheadMs: number
  leaves: number
}

const BUSY_MS = 1_000
/** How long a single mail waits for its place in the queue of a relay with a limit a second. */
const MAX_QUEUE_MS = 10_000
const REPORT_MS = 1_000
/** A person waits for the result of a test. */
const MAX_TEST_MS = 45_000
/** One text without an answer may be chance. This many in a row are a failure of the relay. */
const MAX_UNANSWERED = 5
/** One refusal that speaks of us may be about an odd address. This many in a row concern every message. */
const MAX_BLOCKED = 3
const noRelays: ReadonlySet<Relay> = new Set()

/** The context of a slice that sends mail, or that asks whether there is a relay. */
export interface WithRelays extends Context {
  relays: Relays
}

/** The relays that every mail goes through, bulk or single. */
export class Relays {
  readonly #catching: CatchingRelay
  readonly #sets: RelaySets
  readonly #grants = new WeakMap<Grant, HeldGrant>()
  #writing: Promise<void> = Promise.resolve()
  #reporting: NodeJS.Timeout | null = null

  constructor(private readonly dependencies: Pick<Context, 'config' | 'db' | 'log' | 'now' | 'sealer'>) {
    const { smtpUrl, publicUrl } = dependencies.config
    this.#catching = new CatchingRelay(dependencies)
    const fallback = smtpUrl
      ? { route: 'environment' as const, handle: relayHandle(environmentRelay(smtpUrl, publicUrl), hostOf(smtpUrl)) }
      : { route: 'caught' as const, handle: relayHandle(this.#catching, hostOf(publicUrl)) }
    this.#sets = new RelaySets(dependencies, fallback)
  }

  /** Mail that was caught on this machine. */
  get outbox(): Outbox {
    return this.#catching.outbox
  }

  /** Whether mail of this newsletter, or of the server itself, has no relay and is caught. Public pages ask it too. */
  async caught(newsletterId: string | null): Promise<boolean> {
    try {
      return (await this.relaySet(newsletterId)).route === 'caught'
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      return this.dependencies.config.smtpUrl === null
    }
  }

  /**
   * Whether public pages say that mail of this newsletter is in the outbox: it is caught, on the visitor's own machine. Elsewhere the outbox is
   * its owner's alone.
   */
  async caughtHere(newsletterId: string): Promise<boolean> {
    return isLoopback(this.dependencies.config.publicUrl) && (await this.caught(newsletterId))
  }

  /** The servers and providers that send mail of this newsletter; none while it is caught. */
  async places(newsletterId: string | null): Promise<RelayPlace[]> {
    const { route, handles } = await this.relaySet(newsletterId)
    return route === 'caught' ? [] : handles.map(({ place }) => place)
  }

  /** The relays of this newsletter, or with null of the server, with their health as all workers know it. */
  async relaySet(newsletterId: string | null): Promise<RelaySet> {
    await this.#writing
    return this.#sets.of(newsletterId)
  }

  /** Reads the relays from the database again, after this process changed them. */
  forget(): void {
    this.#sets.forget()
  }

  /**
   * Grants up to `wanted` messages through one relay, or says until when to wait.
   * @param busy relays that the caller cannot use just now
   */
  choose(newsletterId: string | null, wanted: number, busy: ReadonlySet<Relay> = noRelays): Promise<Choice> {
    return this.#choose(newsletterId, { wanted, busy, aheadMs: 0, leaves: reserves.bulk })
  }

  /** The same for mails that people wait for: bulk mail leaves them a part of the limits. */
  chooseForPeople(newsletterId: string, wanted: number): Promise<Choice> {
    return this.#choose(newsletterId, { wanted, busy: noRelays, aheadMs: 0, leaves: reserves.confirmations })
  }

  async #choose(newsletterId: string | null, request: Wanted): Promise<Choice> {
    const { busy } = request
    const set = await this.relaySet(newsletterId)
    const now = this.#now
    const awake = set.handles.filter(({ health }) => !isResting(health, now))
    if (awake.length === 0) {
      return { kind: 'wait', reason: 'resting', ...restOf(set.handles.map(({ health }) => health)) }
    }
    const free = awake.filter(({ relay }) => !busy.has(relay))
    const later = free.length < awake.length ? [now + BUSY_MS] : []
    for (const handle of set.balancer.order(free)) {
      // A relay that failed is tried with one message.
      const reservation = await this.#reserve(handle, handle.health.failures > 0 ? { ...request, wanted: 1 } : request)
      if (reservation.permits > 0) return { kind: 'grant', grant: this.#grant(set, handle, reservation) }
      later.push(reservation.nextMs)
    }
    for (const { health } of set.handles) if (isResting(health, now)) later.push(health.restingUntilMs ?? 0)
    return { kind: 'wait', reason: 'limit', untilMs: Math.min(...later), refused: false, answer: null }
  }

  async #reserve(handle: RelayHandle, { wanted, aheadMs, leaves }: Wanted): Promise<Reservation> {
    const now = this.#now
    if (isLimited(handle.limits)) return reserve(this.dependencies.db, handle, { nowMs: now, wanted, aheadMs, leaves })
    return { permits: wanted, everyMs: 0, startMs: now, nextMs: now, usage: unused }
  }

  #grant(set: RelaySet, handle: RelayHandle, reservation: Reservation): Grant {
    const { relay, relayId } = handle
    const { permits, everyMs } = reservation
    const grant = { relay, relayId, caught: set.route === 'caught', permits, everyMs }
    this.#grants.set(grant, { handle, relaySet: set, reservation })
    set.balancer.count(handle, reservation.permits)
    return grant
  }

  /** Returns the part of a grant that was not used, so that others may have it. */
  async release(grant: Grant, unusedPermits: number): Promise<void> {
    const held = this.#grants.get(grant)
    if (!held || unusedPermits <= 0) return
    const { handle, relaySet, reservation } = held
    relaySet.balancer.count(handle, -unusedPermits)
    if (!isLimited(handle.limits)) return
    await returnReserved(this.dependencies.db, handle, { reservation, unusedPermits })
  }

  /** Updates the relay's health: it rests after a failure, and is well again after an answer that follows its rest. */
  recordOutcome(grant: Grant, outcome: Outcome): void {
    const held = this.#grants.get(grant)
    if (held) this.#record(held.handle, outcome, isResting(held.handle.health, this.#now))
  }

  /** Whether the relay of a grant has failed since, so that nothing more is begun with it. */
  rests(grant: Grant): boolean {
    const held = this.#grants.get(grant)
    return held !== undefined && isResting(held.handle.health, this.#now)
  }

  #record(handle: RelayHandle, outcome: Outcome, resting: boolean): void {
    const unanswered = outcome.kind === 'broken' && outcome.written
    handle.unanswered = unanswered ? handle.unanswered + 1 : 0
    const blocked = speaksOfUs(outcome)
    handle.blocked = blocked ? handle.blocked + 1 : 0
    if (failsForAll(outcome) || handle.unanswered >= MAX_UNANSWERED || handle.blocked >= MAX_BLOCKED) {
      this.#changeHealth(handle, afterFailure(handle.health, outcome, this.#now))
      return
    }
    handle.uncounted += 1
    handle.lastAnswer = shortened(outcome.text)
    if (handle.relayId !== null) this.#reporting ??= setTimeout(() => void this.report(), REPORT_MS).unref()
    // The answer to a message that was sent before the relay failed says nothing new.
    if (!unanswered && !blocked && !resting && handle.health.failures > 0)
      this.#changeHealth(handle, { ...healthy, answer: handle.lastAnswer })
  }

  #changeHealth(handle: RelayHandle, health: Health): void {
    if (health === handle.health) return
    handle.health = health
    handle.healthSince = performance.now()
    const { relayId } = handle
    if (relayId !== null) this.#write(() => writeHealth(this.dependencies.db, relayId, health))
  }

  /** Writes in order. Whoever reads relays waits for it. */
  #write(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write).catch((error: unknown) => {
      this.dependencies.log.warn({ reason: messageOf(error) }, 'the health of a relay could not be stored')
    })
  }

  /** How many messages may go to each domain now. A domain that is not in the answer has no limit. */
  async domainPermits(grant: Grant, wanted: ReadonlyMap<string, number>): Promise<Map<string, DomainPermits>> {
    const domains = this.#grants.get(grant)?.relaySet.domainQuotas ?? new Map<string, Quota[]>()
    const limited = [...wanted].filter(([domain]) => domains.has(domain))
    const granted = limited.map(
      async ([domain, count]) =>
        [
          domain,
          await reserveWithinAll(this.dependencies.db, domains.get(domain) ?? [], {
            wanted: count,
            now: () => this.#now,
          }),
        ] as const,
    )
    return new Map(await Promise.all(granted))
  }

  /**
   * Sends one mail now. When it was not taken and its recipient is not the reason, another relay is tried; one that rests
   * only when there is no other.
   */
  async send(newsletterId: string | null, message: Message): Promise<Outcome> {
    const tried = new Set<Relay>()
    for (let last: Outcome | null = null; ; ) {
      const choice = await this.#choose(newsletterId, { wanted: 1, busy: tried, aheadMs: MAX_QUEUE_MS, leaves: 0 })
      if (choice.kind === 'grant') {
        last = await this.#sendBy(choice.grant, message)
        if (!mayMove(last)) return last
        tried.add(choice.grant.relay)
      } else if (last) {
        return last
      } else if (choice.reason === 'resting') {
        return this.#sendThroughResting(newsletterId, message)
      } else {
        return limitReached(choice.untilMs)
      }
    }
  }

  async #sendBy(grant: Grant, message: Message): Promise<Outcome> {
    const waitMs = (this.#grants.get(grant)?.reservation.startMs ?? 0) - this.#now
    if (waitMs > 0) await sleep(waitMs)
    const outcome = await grant.relay.send(message)
    this.recordOutcome(grant, outcome)
    return outcome
  }

  /** Every relay rests: tries the one whose rest ends first. */
  async #sendThroughResting(newsletterId: string | null, message: Message): Promise<Outcome> {
    const { handles } = await this.relaySet(newsletterId)
    const [handle] = handles.toSorted((a, b) => (a.health.restingUntilMs ?? 0) - (b.health.restingUntilMs ?? 0))
    if (!handle) throw new Error('A newsletter always has a relay')
    const outcome = await handle.relay.send(message)
    this.#record(handle, outcome, false)
    return outcome
  }

  /**
   * Sends one mail through one relay, even when it rests, is turned off or has reached its limits.
   * @throws AppError relay_not_found
   */
  async sendThrough(newsletterId: string | null, relayId: string, message: Message): Promise<Outcome> {
    await this.#writing
    const handle = this.#sets.handleOf(await findRelay(this.dependencies.db, newsletterId, relayId))
    let written = false
    const sent = handle.relay.send(message, () => {
      written = true
    })
    const late = sleep(MAX_TEST_MS, null, { ref: false })
    const outcome = (await Promise.race([sent, late])) ?? { kind: 'broken', written, text: 'No answer came in time' }
    this.#record(handle, outcome, false)
    return outcome
  }

  /** Stores the answers and counts since the last report. */
  async report(): Promise<void> {
    if (this.#reporting) clearTimeout(this.#reporting)
    this.#reporting = null
    for (const handle of this.#sets.opened()) {
      if (handle.relayId !== null && handle.uncounted > 0) this.#write(() => this.#reportOf(handle))
    }
    await this.#writing
  }

  async #reportOf(handle: RelayHandle): Promise<void> {
    const { uncounted, lastAnswer } = handle
    handle.uncounted = 0
    // With limits, messages were counted when they were granted.
    if (!isLimited(handle.limits))
      await updateUsage(this.dependencies.db, handle, (usage) => addUse(usage, uncounted, this.#now))
    if (lastAnswer !== null) await writeAnswer(this.dependencies.db, handle.id, lastAnswer)
  }

  async stop(): Promise<void> {
    await this.report()
    this.#sets.close()
    await this.#catching.stop()
  }

  get #now(): number {
    return this.dependencies.now().getTime()
  }
}

const hostOf = (url: string): RelayPlace => ({ host: new URL(url).hostname.replace(/^\[|\]$/g, '') })

/** The answer of a relay that asks to try later. */
const limitReached = (untilMs: number): Outcome => ({
  kind: 'answered',
  code: 451,
  text: `451 4.7.1 The limits of the relays allow the next message at ${new Date(untilMs).toISOString()}`,
  command: 'RCPT TO',
})
