import { domainToUnicode } from 'node:url'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DomainLimit, Relay } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { Health } from './health.ts'
import type { Usage } from './limits.ts'

export type RelayRow = Selectable<Relay>
export type DomainLimitRow = Selectable<DomainLimit>

/** The relays of the newsletter and of the instance that are turned on. */
export const relaysFor = (db: Db, newsletterId: string | null): Promise<RelayRow[]> =>
  db
    .selectFrom('relay')
    .selectAll()
    .where('enabled', '=', true)
    .where((e) => e.or([e('newsletter_id', 'is', null), e('newsletter_id', '=', newsletterId)]))
    .orderBy('id')
    .execute()

/** The relays of one newsletter or, with null, of the instance. */
export const relaysOf = (db: Db, newsletterId: string | null): Promise<RelayRow[]> =>
  db
    .selectFrom('relay')
    .selectAll()
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** @throws AppError relay_not_found */
export async function findRelay(db: Db, newsletterId: string | null, id: string): Promise<RelayRow> {
  const row = await db
    .selectFrom('relay')
    .selectAll()
    .where('id', '=', id)
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .executeTakeFirst()
  if (!row) throw new AppError('relay_not_found')
  return row
}

/** The domain limits of the newsletter and of the instance. */
export const domainLimitsFor = (db: Db, newsletterId: string | null): Promise<DomainLimitRow[]> =>
  db
    .selectFrom('domain_limit')
    .selectAll()
    .where((e) => e.or([e('newsletter_id', 'is', null), e('newsletter_id', '=', newsletterId)]))
    .orderBy('domain')
    .execute()

/** The domain limits of one newsletter or, with null, of the instance, as the API shows them. */
export async function domainLimitsOf(db: Db, newsletterId: string | null) {
  const rows = await db
    .selectFrom('domain_limit')
    .select(['domain', 'per_second', 'per_hour'])
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .orderBy('domain')
    .execute()
  return rows.map(({ domain, per_second, per_hour }) => ({
    domain,
    readable: domainToUnicode(domain) || domain,
    perSecond: per_second,
    perHour: per_hour,
  }))
}

/** Stores the health of a relay, and its last answer when there is one. */
export async function writeHealth(db: Db, id: string, health: Health): Promise<void> {
  const { restingUntilMs, failures, refused, answer } = health
  await db
    .updateTable('relay')
    .set({
      resting_until: restingUntilMs === null ? null : new Date(restingUntilMs),
      failures,
      refused,
      ...(answer !== null && { last_answer: answer, last_answered_at: sql`now()` }),
    })
    .where('id', '=', id)
    .execute()
}

export async function writeAnswer(db: Db, id: string, answer: string): Promise<void> {
  await db
    .updateTable('relay')
    .set({ last_answer: answer, last_answered_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** The usage of each relay. A relay that never sent has none. */
export async function usagesOf(db: Db, relayIds: string[]): Promise<Map<string, Usage>> {
  if (relayIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('relay_usage')
    .select(['relay_id', 'free_at_ms', sql<Usage['used']>`used`.as('used')])
    .where('relay_id', 'in', relayIds)
    .execute()
  return new Map(rows.map((row) => [row.relay_id, { freeAtMs: row.free_at_ms, used: row.used }]))
}
