import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { Relay } from '../mail/relay.ts'
import { messageOf } from '../start-error.ts'
import { Balancer } from './balancer.ts'
import type { RelayConfig } from './contract.ts'
import { type Health, well } from './health.ts'
import { refusing } from './providers/smtp.ts'
import { type DomainLimitRow, domainLimitsFor, type RelayRow, relaysFor } from './queries.ts'
import type { Quota } from './quota.ts'
import { openRelay, placeOf, type RelayPlace } from './registry.ts'
import { warmUpDay } from './warm-up.ts'

/** The one secret purpose of this folder. */
export const SEALED_FOR = 'relay'

/** One relay as this process knows it. */
export interface RelayHandle extends Quota {
  table: 'relay_usage'
  /** Null: the relay of SMTP_URL, or the catcher; nothing of them is in the database. */
  relayId: string | null
  weight: number
  relay: Relay
  place: RelayPlace
  health: Health
  /** By `performance.now()`: when this process last found its health changed. */
  healthSince: number
  /** Messages in a row whose text left and that got no answer. */
  unanswered: number
  /** Handed over and not yet counted in the database, and what was said last. */
  uncounted: number
  lastAnswer: string | null
}

type Route = 'own' | 'instance' | 'environment' | 'caught'

/** The ways out for one newsletter, or for the instance's own mail. */
export interface RelaySet {
  route: Route
  ways: RelayHandle[]
  shares: Balancer
  /** By domain; more than one when both the newsletter and the instance have a limit for it. */
  domains: Map<string, Quota[]>
}

export const relayHandle = (relay: Relay, place: RelayPlace, relayId: string | null = null): RelayHandle => ({
  table: 'relay_usage',
  id: relayId ?? '',
  relayId,
  limits: { perSecond: null, perHour: null, perDay: null },
  seen: null,
  weight: 1,
  relay,
  place,
  health: well,
  healthSince: 0,
  unanswered: 0,
  uncounted: 0,
  lastAnswer: null,
})

export const relayConfigOf = ({ kind, settings }: Pick<RelayRow, 'kind' | 'settings'>): RelayConfig =>
  Object.assign({ kind }, settings) as RelayConfig

/** A change in the database is heard of after so long at the latest. */
const REMEMBERED_MS = 1_000

type Dependencies = Pick<Context, 'config' | 'db' | 'sealer' | 'now'>

/** Rosters as they stand in the database, remembered for a second; relays stay open while their settings last. */
export class RelaySets {
  readonly #rosters = new LRUCache<string, Promise<RelaySet>>({ max: 5_000, ttl: REMEMBERED_MS })
  readonly #open = new LRUCache<string, { settings: string; way: RelayHandle }>({
    max: 1_000,
    dispose: ({ way }) => way.relay.close(),
  })
  readonly #shares = new LRUCache<string, Balancer>({ max: 5_000 })
  readonly #domains = new LRUCache<string, Quota>({ max: 5_000 })

  /** @param fallback the relay of SMTP_URL, or the catcher */
  constructor(
    private readonly dependencies: Dependencies,
    private readonly fallback: { route: 'environment' | 'caught'; way: RelayHandle },
  ) {}

  of(newsletterId: string | null): Promise<RelaySet> {
    const key = newsletterId ?? ''
    const known = this.#rosters.get(key)
    if (known) return known
    const roster = this.#load(newsletterId)
    this.#rosters.set(key, roster)
    roster.catch(() => this.#rosters.delete(key))
    return roster
  }

  /** What was changed by this process is heard of at once. */
  forget(): void {
    this.#rosters.clear()
  }

  /** The relay of a row, open, as all who use it know it. */
  handleOf(row: RelayRow, readAt = performance.now()): RelayHandle {
    const { weight, per_second, per_hour, warm_up_started_at } = row
    const settings = JSON.stringify([row.kind, row.settings, row.secret?.toString('base64'), row.connections])
    const known = this.#open.get(row.id)
    const way =
      known?.settings === settings ? known.way : relayHandle(this.#openRelay(row), placeOf(relayConfigOf(row)), row.id)
    if (way !== known?.way) this.#open.set(row.id, { settings, way })
    const cap = warmUpDay(warm_up_started_at, this.dependencies.now().getTime())?.cap ?? null
    way.weight = weight
    way.limits = { perSecond: per_second, perHour: per_hour, perDay: cap }
    // What was found since it was read is newer.
    if (way.healthSince <= readAt) way.health = healthOf(row)
    return way
  }

  /** Every relay that was opened. */
  ways(): RelayHandle[] {
    return [this.fallback.way, ...[...this.#open.values()].map(({ way }) => way)]
  }

  close(): void {
    this.#open.clear()
    if (this.fallback.route === 'environment') this.fallback.way.relay.close()
  }

  async #load(newsletterId: string | null): Promise<RelaySet> {
    const { db } = this.dependencies
    const readAt = performance.now()
    const [rows, limits] = await Promise.all([relaysFor(db, newsletterId), domainLimitsFor(db, newsletterId)])
    const own = rows.filter((row) => row.newsletter_id !== null)
    const route = own.length > 0 ? 'own' : rows.length > 0 ? 'instance' : this.fallback.route
    const listed = (own.length > 0 ? own : rows).map((row) => this.handleOf(row, readAt))
    const applying = limits.filter((limit) => limit.newsletter_id !== null || route !== 'own')
    return {
      route,
      ways: listed.length > 0 ? listed : [this.fallback.way],
      shares: this.#sharesOf(route === 'own' ? `own ${newsletterId}` : route),
      domains: Map.groupBy(
        applying.map((limit) => this.#metered(limit)),
        ({ domain }) => domain,
      ),
    }
  }

  #sharesOf(scope: string): Balancer {
    const shares = this.#shares.get(scope) ?? new Balancer()
    this.#shares.set(scope, shares)
    return shares
  }

  #metered({ id, domain, per_second, per_hour }: DomainLimitRow): Quota & { domain: string } {
    const limits = { perSecond: per_second, perHour: per_hour, perDay: null }
    const metered = { table: 'domain_limit' as const, id, seen: null, ...this.#domains.get(id), limits, domain }
    this.#domains.set(id, metered)
    return metered
  }

  #openRelay(row: RelayRow): Relay {
    const { config, sealer } = this.dependencies
    try {
      return openRelay(relayConfigOf(row), {
        secret: row.secret && sealer.open(SEALED_FOR, row.secret),
        connections: row.connections,
        publicUrl: config.publicUrl,
        gateway: config.providerGateway,
        mayBePrivate: config.privateRelays || row.newsletter_id === null,
      })
    } catch (error) {
      return refusing(`The secret of this relay cannot be opened, set it again: ${messageOf(error)}`)
    }
  }
}

export const healthOf = ({ resting_until, failures, refused, last_answer }: RelayRow): Health => ({
  restingUntilMs: resting_until?.getTime() ?? null,
  failures,
  refused,
  answer: last_answer,
})
