import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/types.ts'
import { relaysOf } from './queries.ts'
import { placeOf, type RelayPlace } from './registry.ts'
import { relayConfigOf } from './relay-set.ts'

export interface RelaySummary {
  /** Relays of the whole server that are turned on; `own`: those of newsletters. */
  instance: number
  own: number
  /** Those that rest now, and their last answer. */
  resting: { name: string; answer: string }[]
}

/** The state of all relays, for the operator; null when the database has no relays yet. */
export async function relaySummary(db: Kysely<DB>): Promise<RelaySummary | null> {
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('relay') is not null as there`.execute(db)
  if (!tables[0]?.there) return null
  const rows = await db
    .selectFrom('relay')
    .select(['name', 'newsletter_id', 'last_answer', sql<boolean>`coalesce(resting_until > now(), false)`.as('rests')])
    .where('enabled', '=', true)
    .orderBy('name')
    .execute()
  const instance = rows.filter(({ newsletter_id }) => newsletter_id === null).length
  const resting = rows
    .filter(({ rests }) => rests)
    .map(({ name, last_answer }) => ({ name, answer: last_answer ?? '' }))
  return { instance, own: rows.length - instance, resting }
}

/** The servers and providers that the relays of the whole server stand for. */
export const instancePlaces = async (db: Kysely<DB>): Promise<RelayPlace[]> =>
  (await relaysOf(db, null)).filter(({ enabled }) => enabled).map((row) => placeOf(relayConfigOf(row)))
