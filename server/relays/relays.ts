import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/away.ts'
import type { Message, Outcome, Relay } from '../mail/relay.ts'
import { messageOf } from '../start-error.ts'
import { CatchingRelay, environmentRelay } from './catching-relay.ts'
import type { Choice, Grant } from './grant.ts'
import { afterFailure, type Health, isResting, nothingLeft, restOf, shortened, well } from './health.ts'
import { giveBack, type Reservation, spend, unused } from './limits.ts'
import type { Outbox } from './outbox.ts'
import { findRelay, writeAnswer, writeHealth } from './queries.ts'
import { amend, isLimited, type Quota, reserve } from './quota.ts'
import type { RelayPlace } from './registry.ts'
import { type RelayHandle, type RelaySet, RelaySets, relayHandle } from './relay-set.ts'

/** What is held of a turn beside what its holder sees. */
interface Held {
  way: RelayHandle
  roster: RelaySet
  taken: Reservation
}

const BUSY_MS = 1_000
/** A single mail waits for its place in the queue of a relay with a pace, and no longer. */
const PATIENCE_MS = 10_000
const REPORT_MS = 1_000
/** Somebody waits for it before a screen. */
const LONGEST_TEST_MS = 45_000
/** A text that left without an answer may be chance; so many in a row are not. */
const MOST_UNANSWERED = 5
const nobody: ReadonlySet<Relay> = new Set()

/** What a slice needs that hands mail to a relay, or asks whether there is one. */
export interface WithRelays extends Context {
  relays: Relays
}

/** The relays that every mail goes through, bulk or single. */
export class Relays {
  readonly #catching: CatchingRelay
  readonly #rosters: RelaySets
  readonly #held = new WeakMap<Grant, Held>()
  #writing: Promise<void> = Promise.resolve()
  #reporting: NodeJS.Timeout | null = null

  constructor(private readonly dependencies: Pick<Context, 'config' | 'db' | 'log' | 'now' | 'sealer'>) {
    const { smtpUrl, publicUrl } = dependencies.config
    this.#catching = new CatchingRelay(dependencies.config)
    const fallback = smtpUrl
      ? { route: 'environment' as const, way: relayHandle(environmentRelay(smtpUrl, publicUrl), hostOf(smtpUrl)) }
      : { route: 'caught' as const, way: relayHandle(this.#catching, hostOf(publicUrl)) }
    this.#rosters = new RelaySets(dependencies, fallback)
  }

  /** Mail that was caught on this machine. */
  get outbox(): Outbox {
    return this.#catching.outbox
  }

  /** Whether mail of this newsletter, or of the instance itself, has no way out and is caught. Asked by pages too. */
  async caught(newsletterId: string | null): Promise<boolean> {
    try {
      return (await this.roster(newsletterId)).route === 'caught'
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      return this.dependencies.config.smtpUrl === null
    }
  }

  /** Where mail of this newsletter leaves by; nowhere while it is caught. */
  async places(newsletterId: string | null): Promise<RelayPlace[]> {
    const { route, ways } = await this.roster(newsletterId)
    return route === 'caught' ? [] : ways.map(({ place }) => place)
  }

  /** The ways out as all workers know them. */
  async roster(newsletterId: string | null): Promise<RelaySet> {
    await this.#writing
    return this.#rosters.of(newsletterId)
  }

  /** Relays were changed. */
  forget(): void {
    this.#rosters.forget()
  }

  /** @param busy relays that the caller has no use for just now */
  choose(newsletterId: string | null, wanted: number, busy: ReadonlySet<Relay> = nobody): Promise<Choice> {
    return this.#choose(newsletterId, wanted, busy, 0)
  }

  async #choose(
    newsletterId: string | null,
    wanted: number,
    busy: ReadonlySet<Relay>,
    aheadMs: number,
  ): Promise<Choice> {
    const roster = await this.roster(newsletterId)
    const now = this.#now
    const awake = roster.ways.filter(({ health }) => !isResting(health, now))
    if (awake.length === 0) {
      return { kind: 'wait', reason: 'resting', ...restOf(roster.ways.map(({ health }) => health)) }
    }
    const free = awake.filter(({ relay }) => !busy.has(relay))
    const later = free.length < awake.length ? [now + BUSY_MS] : []
    for (const way of roster.shares.order(free)) {
      // A relay that was away is tried with one message.
      const taken = await this.#take(way, way.health.failures > 0 ? 1 : wanted, aheadMs)
      if (taken.permits > 0) return { kind: 'turn', turn: this.#turn(roster, way, taken) }
      later.push(taken.nextMs)
    }
    for (const { health } of roster.ways) if (isResting(health, now)) later.push(health.restingUntilMs ?? 0)
    return { kind: 'wait', reason: 'limit', untilMs: Math.min(...later), refused: false, answer: null }
  }

  async #take(way: RelayHandle, wanted: number, aheadMs: number): Promise<Reservation> {
    const now = this.#now
    if (isLimited(way.limits)) return reserve(this.dependencies.db, way, now, wanted, aheadMs)
    return { permits: wanted, everyMs: 0, startMs: now, nextMs: now, use: unused }
  }

  #turn(roster: RelaySet, way: RelayHandle, taken: Reservation): Grant {
    const { relay, relayId } = way
    const turn = { relay, relayId, permits: taken.permits, everyMs: taken.everyMs }
    this.#held.set(turn, { way, roster, taken })
    roster.shares.gave(way, taken.permits)
    return turn
  }

  /** What of a turn was not used; others may have it. */
  async giveBack(turn: Grant, unusedPermits: number): Promise<void> {
    const held = this.#held.get(turn)
    if (!held || unusedPermits <= 0) return
    const { way, roster, taken } = held
    roster.shares.gave(way, -unusedPermits)
    if (!isLimited(way.limits)) return
    await amend(this.dependencies.db, way, (use) => giveBack(use, unusedPermits, taken.everyMs, taken.use.freeAtMs))
  }

  /** Health: what cannot be reached or refuses us rests; an answer after its rest heals it. */
  told(turn: Grant, outcome: Outcome): void {
    const held = this.#held.get(turn)
    if (held) this.#heard(held.way, outcome, isResting(held.way.health, this.#now))
  }

  #heard(way: RelayHandle, outcome: Outcome, resting: boolean): void {
    const unanswered = outcome.kind === 'broken' && outcome.written
    way.unanswered = unanswered ? way.unanswered + 1 : 0
    if (nothingLeft(outcome) || way.unanswered >= MOST_UNANSWERED) {
      this.#changeHealth(way, afterFailure(way.health, outcome, this.#now))
      return
    }
    way.uncounted += 1
    way.lastAnswer = shortened(outcome.text)
    if (way.relayId !== null) this.#reporting ??= setTimeout(() => void this.report(), REPORT_MS).unref()
    // What was on its way when it failed says nothing new.
    if (!unanswered && !resting && way.health.failures > 0) this.#changeHealth(way, { ...well, answer: way.lastAnswer })
  }

  #changeHealth(way: RelayHandle, health: Health): void {
    if (health === way.health) return
    way.health = health
    way.healthSince = performance.now()
    const { relayId } = way
    if (relayId !== null) this.#write(() => writeHealth(this.dependencies.db, relayId, health))
  }

  /** Written in order, and read by nobody before. */
  #write(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write).catch((error: unknown) => {
      this.dependencies.log.warn({ reason: messageOf(error) }, 'what was heard of a relay could not be written down')
    })
  }

  /** What may go to each domain now; a domain that is not named has no limit. */
  async domainPermits(
    turn: Grant,
    wanted: ReadonlyMap<string, number>,
  ): Promise<Map<string, { permits: number; nextMs: number }>> {
    const domains = this.#held.get(turn)?.roster.domains ?? new Map<string, Quota[]>()
    const limited = [...wanted].filter(([domain]) => domains.has(domain))
    const granted = limited.map(
      async ([domain, count]) => [domain, await this.#within(domains.get(domain) ?? [], count)] as const,
    )
    return new Map(await Promise.all(granted))
  }

  /** All limits of one domain allow it; what one allows and the next does not is given back. */
  async #within(limits: Quota[], wanted: number): Promise<{ permits: number; nextMs: number }> {
    const { db } = this.dependencies
    let permits = wanted
    let nextMs = this.#now
    const done: [Quota, Reservation][] = []
    for (const limit of limits) {
      const taken = permits > 0 ? await reserve(db, limit, this.#now, permits) : null
      if (!taken) continue
      done.push([limit, taken])
      permits = taken.permits
      nextMs = Math.max(nextMs, permits > 0 ? taken.startMs + permits * taken.everyMs : taken.nextMs)
    }
    for (const [limit, taken] of done) {
      const surplus = taken.permits - permits
      if (surplus > 0) await amend(db, limit, (use) => giveBack(use, surplus, taken.everyMs, taken.use.freeAtMs))
    }
    return { permits, nextMs }
  }

  /** One mail, now: through another relay when nothing of it left. A relay that rests is asked when there is no other. */
  async send(newsletterId: string | null, message: Message): Promise<Outcome> {
    const tried = new Set<Relay>()
    for (let last: Outcome | null = null; ; ) {
      const choice = await this.#choose(newsletterId, 1, tried, PATIENCE_MS)
      if (choice.kind === 'turn') {
        last = await this.#sendBy(choice.turn, message)
        if (!nothingLeft(last)) return last
        tried.add(choice.turn.relay)
      } else if (last) {
        return last
      } else if (choice.reason === 'resting') {
        return this.#wake(newsletterId, message)
      } else {
        return limited(choice.untilMs)
      }
    }
  }

  async #sendBy(turn: Grant, message: Message): Promise<Outcome> {
    const waitMs = (this.#held.get(turn)?.taken.startMs ?? 0) - this.#now
    if (waitMs > 0) await sleep(waitMs)
    const outcome = await turn.relay.send(message)
    this.told(turn, outcome)
    return outcome
  }

  /** All of them rest: the first to be done with it is asked all the same. */
  async #wake(newsletterId: string | null, message: Message): Promise<Outcome> {
    const { ways } = await this.roster(newsletterId)
    const [way] = ways.toSorted((a, b) => (a.health.restingUntilMs ?? 0) - (b.health.restingUntilMs ?? 0))
    if (!way) throw new Error('there is always a way out')
    const outcome = await way.relay.send(message)
    this.#heard(way, outcome, false)
    return outcome
  }

  /**
   * One mail through one relay, even if it rests or is turned off, whatever its limits.
   * @throws AppError relay_not_found
   */
  async sendThrough(newsletterId: string | null, relayId: string, message: Message): Promise<Outcome> {
    await this.#writing
    const way = this.#rosters.handleOf(await findRelay(this.dependencies.db, newsletterId, relayId))
    let written = false
    const sent = way.relay.send(message, () => {
      written = true
    })
    const late = sleep(LONGEST_TEST_MS, null, { ref: false })
    const outcome = (await Promise.race([sent, late])) ?? { kind: 'broken', written, text: 'No answer came in time' }
    this.#heard(way, outcome, false)
    return outcome
  }

  /** Writes down what was heard and counted since the last time. */
  async report(): Promise<void> {
    if (this.#reporting) clearTimeout(this.#reporting)
    this.#reporting = null
    for (const way of this.#rosters.ways()) {
      if (way.relayId !== null && way.uncounted > 0) this.#write(() => this.#reportOf(way))
    }
    await this.#writing
  }

  async #reportOf(way: RelayHandle): Promise<void> {
    const { uncounted, lastAnswer } = way
    way.uncounted = 0
    // What has limits was counted when it was permitted.
    if (!isLimited(way.limits)) await amend(this.dependencies.db, way, (use) => spend(use, uncounted, this.#now))
    if (lastAnswer !== null) await writeAnswer(this.dependencies.db, way.id, lastAnswer)
  }

  async stop(): Promise<void> {
    await this.report()
    this.#rosters.close()
    await this.#catching.stop()
  }

  get #now(): number {
    return this.dependencies.now().getTime()
  }
}

const hostOf = (url: string): RelayPlace => ({ host: new URL(url).hostname.replace(/^\[|\]$/g, '') })

/** As a relay would say it: later. */
const limited = (untilMs: number): Outcome => ({
  kind: 'answered',
  code: 451,
  text: `451 4.7.1 The limits of the relays allow the next message at ${new Date(untilMs).toISOString()}`,
  command: 'RCPT TO',
})
