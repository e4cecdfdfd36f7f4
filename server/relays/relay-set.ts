import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { Relay } from '../mail/relay.ts'
import { messageOf } from '../start-error.ts'
import { Balancer } from './balancer.ts'
import type { RelayConfig } from './contract.ts'
import { type Health, healthy } from './health.ts'
import { refusing } from './providers/smtp.ts'
import { type DomainLimitRow, domainLimitsFor, type RelayRow, relaysFor } from './queries.ts'
import type { Quota } from './quota.ts'
import { openRelay, placeOf, type RelayPlace } from './registry.ts'
import { warmUpDay } from './warm-up.ts'

/** The purpose under which all secrets of relays are sealed. */
export const SEAL_PURPOSE = 'relay'

/** One relay as this process knows it. */
export interface RelayHandle extends Quota {
  table: 'relay_usage'
  /** Null: the relay of SMTP_URL, or the catcher. The database has no row for them. */
  relayId: string | null
  weight: number
  relay: Relay
  place: RelayPlace
  health: Health
  /** When this process last changed its health, by `performance.now()`. */
  healthSince: number
  /** Messages in a row whose text was sent and that got no answer. */
  unanswered: number
  /** Refusals in a row that speak of the relay or its sender. */
  blocked: number
  /** Messages that were sent and are not yet counted in the database. */
  uncounted: number
  lastAnswer: string | null
}

type Route = 'own' | 'instance' | 'environment' | 'caught'

/** The relays of one newsletter, or of the server's own mail. */
export interface RelaySet {
  route: Route
  handles: RelayHandle[]
  balancer: Balancer
  /** By domain; more than one when both the newsletter and the instance have a limit for it. */
  domainQuotas: Map<string, Quota[]>
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
  health: healthy,
  healthSince: 0,
  unanswered: 0,
  blocked: 0,
  uncounted: 0,
  lastAnswer: null,
})

export const relayConfigOf = ({ kind, settings }: Pick<RelayRow, 'kind' | 'settings'>): RelayConfig =>
  Object.assign({ kind }, settings) as RelayConfig

/** A change by another process is noticed after this time at the latest. */
const REMEMBERED_MS = 1_000

type Dependencies = Pick<Context, 'config' | 'db' | 'sealer' | 'now'>

/** The relays of each newsletter, read from the database and cached for a second. A relay stays open until its settings change. */
export class RelaySets {
  readonly #sets = new LRUCache<string, Promise<RelaySet>>({ max: 5_000, ttl: REMEMBERED_MS })
  readonly #open = new LRUCache<string, { settings: string; handle: RelayHandle }>({
    max: 1_000,
    dispose: ({ handle }) => handle.relay.close(),
  })
  readonly #balancers = new LRUCache<string, Balancer>({ max: 5_000 })
  readonly #domainQuotas = new LRUCache<string, Quota>({ max: 5_000 })

  /** @param fallback the relay of SMTP_URL, or the catcher */
  constructor(
    private readonly dependencies: Dependencies,
    private readonly fallback: { route: 'environment' | 'caught'; handle: RelayHandle },
  ) {}

  of(newsletterId: string | null): Promise<RelaySet> {
    const key = newsletterId ?? ''
    const known = this.#sets.get(key)
    if (known) return known
    const set = this.#load(newsletterId)
    this.#sets.set(key, set)
    set.catch(() => this.#sets.delete(key))
    return set
  }

  /** Drops the cache, so that a change by this process is seen at once. */
  forget(): void {
    this.#sets.clear()
  }

  /** The open relay of a row, shared by all who use it. */
  handleOf(row: RelayRow, readAt = performance.now()): RelayHandle {
    const { weight, per_second, per_hour, warm_up_started_at } = row
    const settings = JSON.stringify([row.kind, row.settings, row.secret?.toString('base64'), row.connections])
    const known = this.#open.get(row.id)
    const handle =
      known?.settings === settings
        ? known.handle
        : relayHandle(this.#openRelay(row), placeOf(relayConfigOf(row)), row.id)
    if (handle !== known?.handle) this.#open.set(row.id, { settings, handle })
    const cap = warmUpDay(warm_up_started_at, this.dependencies.now().getTime())?.cap ?? null
    handle.weight = weight
    handle.limits = { perSecond: per_second, perHour: per_hour, perDay: cap }
    // Health that this process found after the row was read is newer.
    if (handle.healthSince <= readAt) handle.health = healthOf(row)
    return handle
  }

  /** Every relay that was opened. */
  opened(): RelayHandle[] {
    return [this.fallback.handle, ...[...this.#open.values()].map(({ handle }) => handle)]
  }

  close(): void {
    this.#open.clear()
    if (this.fallback.route === 'environment') this.fallback.handle.relay.close()
  }

  async #load(newsletterId: string | null): Promise<RelaySet> {
    const { db } = this.dependencies
    const readAt = performance.now()
    const [rows, limits] = await Promise.all([relaysFor(db, newsletterId), domainLimitsFor(db, newsletterId)])
    const own = rows.filter((row) => row.newsletter_id !== null)
    const route = own.length > 0 ? 'own' : rows.length > 0 ? 'instance' : this.fallback.route
    const handles = (own.length > 0 ? own : rows).map((row) => this.handleOf(row, readAt))
    const applying = limits.filter((limit) => limit.newsletter_id !== null || route !== 'own')
    return {
      route,
      handles: handles.length > 0 ? handles : [this.fallback.handle],
      balancer: this.#balancerOf(route === 'own' ? `own ${newsletterId}` : route),
      domainQuotas: Map.groupBy(
        applying.map((limit) => this.#quotaOf(limit)),
        ({ domain }) => domain,
      ),
    }
  }

  #balancerOf(scope: string): Balancer {
    const balancer = this.#balancers.get(scope) ?? new Balancer()
    this.#balancers.set(scope, balancer)
    return balancer
  }

  #quotaOf({ id, domain, per_second, per_hour }: DomainLimitRow): Quota & { domain: string } {
    const limits = { perSecond: per_second, perHour: per_hour, perDay: null }
    const quota = { table: 'domain_limit' as const, id, seen: null, ...this.#domainQuotas.get(id), limits, domain }
    this.#domainQuotas.set(id, quota)
    return quota
  }

  #openRelay(row: RelayRow): Relay {
    const { config, sealer } = this.dependencies
    try {
      return openRelay(relayConfigOf(row), {
        secret: row.secret && sealer.open(SEAL_PURPOSE, row.secret),
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
