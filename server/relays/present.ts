import { Balancer } from './balancer.ts'
import { type Health, isResting } from './health.ts'
import { takePermits, type Usage, usedLately } from './limits.ts'
import type { RelayRow } from './queries.ts'
import { withoutAccount } from './registry.ts'
import { relayConfigOf } from './relay-set.ts'
import { warmUpDay } from './warm-up.ts'

interface Presented {
  usage: Usage
  share: number
  /** With the user name or access key that signs in. */
  withAccount: boolean
  nowMs: number
}

/** A relay as the API shows it: never a secret. */
export function presentRelay(row: RelayRow, { usage, share, withAccount, nowMs }: Presented) {
  const used = usedLately(usage, nowMs)
  const day = warmUpDay(row.warm_up_started_at, nowMs)
  const startedAt = row.warm_up_started_at?.toISOString()
  return {
    id: row.id,
    name: row.name,
    way: withAccount ? relayConfigOf(row) : withoutAccount(relayConfigOf(row)),
    weight: row.weight,
    connections: row.connections,
    perSecond: row.per_second,
    perHour: row.per_hour,
    enabled: row.enabled,
    hasSecret: row.secret !== null,
    hasWebhookSecret: row.webhook_secret !== null,
    warmUp: day && startedAt ? { startedAt, ...day, used: used.day } : null,
    health: presentHealth(row, nowMs),
    used,
    share,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  }
}

function presentHealth({ resting_until, failures, last_answer, last_answered_at }: RelayRow, nowMs: number) {
  const rests = resting_until !== null && resting_until.getTime() > nowMs
  return {
    state: rests ? ('resting' as const) : last_answered_at ? ('working' as const) : ('untried' as const),
    restingUntil: rests ? resting_until.toISOString() : null,
    failures,
    answer: last_answer,
    answeredAt: last_answered_at?.toISOString() ?? null,
  }
}

interface Candidate {
  id: string
  weight: number
  enabled: boolean
  health: Health
  use: Usage
  limits: { perHour: number | null; perDay: number | null }
}

/** The part of the next messages that each relay would take now: by weight, among those that can take one. */
export function sharesNow(all: readonly Candidate[], nowMs: number): Map<string, number> {
  const able = all.filter(
    ({ enabled, health, limits, use }) =>
      enabled &&
      !isResting(health, nowMs) &&
      takePermits({ ...limits, perSecond: null }, use, { nowMs, wanted: 1 }).permits > 0,
  )
  const weight = able.reduce((sum, one) => sum + one.weight, 0)
  if (weight > 0) return new Map(able.map((one) => [one.id, one.weight / weight]))
  const [first] = new Balancer().order(able)
  return new Map(first ? [[first.id, 1]] : [])
}
