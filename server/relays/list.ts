import type { Scope } from '../http/scope.ts'
import { isResting } from './health.ts'
import { type Usage, unused } from './limits.ts'
import { presentRelay, sharesNow } from './present.ts'
import { webhookAddress } from './provider-webhooks.ts'
import { domainLimitsOf, type RelayRow, relaysOf, usagesOf } from './queries.ts'
import { placeName, placeOf } from './registry.ts'
import { healthOf, relayConfigOf } from './relay-set.ts'
import type { WithRelays } from './relays.ts'
import { MAX_RELAYS } from './settings.ts'
import { warmUpDay, warmUpPlan } from './warm-up.ts'

/** A newsletter's relays with their health, usage and shares, and the server's relays for newsletters without any. */
export async function listAll({ config, db, relays, now }: WithRelays, newsletterId: string, may: Scope['may']) {
  await relays.report()
  const nowMs = now().getTime()
  const { route } = await relays.relaySet(newsletterId)
  const [rows, domainLimits] = await Promise.all([relaysOf(db, newsletterId), domainLimitsOf(db, newsletterId)])
  const usages = await usagesOf(
    db,
    rows.map(({ id }) => id),
  )
  const usageOf = ({ id }: RelayRow) => usages.get(id) ?? unused
  const shares = sharesNow(
    rows.map((row) => candidate(row, usageOf(row), nowMs)),
    nowMs,
  )
  return {
    relays: rows.map((row) => ({
      ...presentRelay(row, {
        usage: usageOf(row),
        share: shares.get(row.id) ?? 0,
        withAccount: may('relays.manage'),
        nowMs,
      }),
      webhookUrl: row.kind === 'smtp' ? null : webhookAddress(config, row.id),
    })),
    domainLimits,
    route,
    instance: await instanceRelays({ db, relays }, nowMs),
    warmUpPlan: [...warmUpPlan],
    maximum: MAX_RELAYS,
  }
}

const candidate = (row: RelayRow, use: Usage, nowMs: number) => ({
  id: row.id,
  weight: row.weight,
  enabled: row.enabled,
  health: healthOf(row),
  use,
  limits: { perHour: row.per_hour, perDay: warmUpDay(row.warm_up_started_at, nowMs)?.cap ?? null },
})

async function instanceRelays({ db, relays }: Pick<WithRelays, 'db' | 'relays'>, nowMs: number) {
  const { route, handles } = await relays.relaySet(null)
  if (route === 'caught') return []
  if (route === 'environment') {
    return handles.map(({ place, health }) => {
      const name = placeName(place)
      return { name, kind: 'smtp' as const, place: name, resting: isResting(health, nowMs) }
    })
  }
  const rows = (await relaysOf(db, null)).filter(({ enabled }) => enabled)
  return rows.map((row) => ({
    name: row.name,
    kind: relayConfigOf(row).kind,
    place: placeName(placeOf(relayConfigOf(row))),
    resting: isResting(healthOf(row), nowMs),
  }))
}
