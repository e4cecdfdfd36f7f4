import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { messageOf } from '../../start-error.ts'
import type { Relay } from '../relay.ts'
import type { RelayKind, RelayWay } from './contract.ts'
import { type Health, well } from './health.ts'
import { openRelay, refusing } from './kinds.ts'
import { type DomainLimitRow, domainLimitsFor, type RelayRow, relaysFor } from './queries.ts'
import { Shares } from './shares.ts'
import type { Metered } from './use.ts'
import { warmUpDay } from './warm-up.ts'

/** The one secret purpose of this folder. */
export const SEALED_FOR = 'relay'

/** One relay as this process knows it. */
export interface WayOut extends Metered {
  table: 'relay_use'
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

/** Where mail leaves by: a host, or a provider. */
export type RelayPlace = { host: string } | { kind: Exclude<RelayKind, 'smtp'> }

type Route = 'own' | 'instance' | 'environment' | 'caught'

/** The ways out for one newsletter, or for the instance's own mail. */
export interface Roster {
  route: Route
  ways: WayOut[]
  shares: Shares
  /** By domain; more than one when both the newsletter and the instance have a limit for it. */
  domains: Map<string, Metered[]>
}

export const wayOut = (relay: Relay, place: RelayPlace, relayId: string | null = null): WayOut => ({
  table: 'relay_use',
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

export const wayOf = ({ kind, settings }: Pick<RelayRow, 'kind' | 'settings'>): RelayWay =>
  ({ kind: kind as RelayKind, ...(settings as object) }) as RelayWay

/** A change in the database is heard of after so long at the latest. */
const REMEMBERED_MS = 1_000

type House = Pick<Context, 'config' | 'db' | 'sealer' | 'now'>

/** Rosters as they stand in the database, remembered for a second; relays stay open while their settings last. */
export class Rosters {
  readonly #rosters = new LRUCache<string, Promise<Roster>>({ max: 5_000, ttl: REMEMBERED_MS })
  readonly #open = new LRUCache<string, { settings: string; way: WayOut }>({
    max: 1_000,
    dispose: ({ way }) => way.relay.close(),
  })
  readonly #shares = new LRUCache<string, Shares>({ max: 5_000 })
  readonly #domains = new LRUCache<string, Metered>({ max: 5_000 })

  /** @param fallback the relay of SMTP_URL, or the catcher */
  constructor(
    private readonly house: House,
    private readonly fallback: { route: 'environment' | 'caught'; way: WayOut },
  ) {}

  of(newsletterId: string | null): Promise<Roster> {
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
  wayTo(row: RelayRow, readAt = performance.now()): WayOut {
    const { weight, per_second, per_hour, warm_up_started_at } = row
    const settings = JSON.stringify([row.kind, row.settings, row.secret?.toString('base64'), row.connections])
    const known = this.#open.get(row.id)
    const way = known?.settings === settings ? known.way : wayOut(this.#openRelay(row), placeOf(row), row.id)
    if (way !== known?.way) this.#open.set(row.id, { settings, way })
    const cap = warmUpDay(warm_up_started_at, this.house.now().getTime())?.cap ?? null
    way.weight = weight
    way.limits = { perSecond: per_second, perHour: per_hour, perDay: cap }
    // What was found since it was read is newer.
    if (way.healthSince <= readAt) way.health = healthOf(row)
    return way
  }

  /** Every relay that was opened. */
  ways(): WayOut[] {
    return [this.fallback.way, ...[...this.#open.values()].map(({ way }) => way)]
  }

  close(): void {
    this.#open.clear()
    if (this.fallback.route === 'environment') this.fallback.way.relay.close()
  }

  async #load(newsletterId: string | null): Promise<Roster> {
    const { db } = this.house
    const readAt = performance.now()
    const [rows, limits] = await Promise.all([relaysFor(db, newsletterId), domainLimitsFor(db, newsletterId)])
    const own = rows.filter((row) => row.newsletter_id !== null)
    const route = own.length > 0 ? 'own' : rows.length > 0 ? 'instance' : this.fallback.route
    const listed = (own.length > 0 ? own : rows).map((row) => this.wayTo(row, readAt))
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

  #sharesOf(scope: string): Shares {
    const shares = this.#shares.get(scope) ?? new Shares()
    this.#shares.set(scope, shares)
    return shares
  }

  #metered({ id, domain, per_second, per_hour }: DomainLimitRow): Metered & { domain: string } {
    const limits = { perSecond: per_second, perHour: per_hour, perDay: null }
    const metered = { table: 'domain_limit' as const, id, seen: null, ...this.#domains.get(id), limits, domain }
    this.#domains.set(id, metered)
    return metered
  }

  #openRelay(row: RelayRow): Relay {
    const { config, sealer } = this.house
    try {
      return openRelay(wayOf(row), {
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

export function placeOf(row: RelayRow): RelayPlace {
  const way = wayOf(row)
  return way.kind === 'smtp' ? { host: way.host } : { kind: way.kind }
}

export const healthOf = ({ resting_until, failures, refused, last_answer }: RelayRow): Health => ({
  restingUntilMs: resting_until?.getTime() ?? null,
  failures,
  refused,
  answer: last_answer,
})
