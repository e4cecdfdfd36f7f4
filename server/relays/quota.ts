import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { type Limits, type Reservation, take, type Usage, unused } from './limits.ts'

/** Something of which no more than its limits may be used by all workers together. */
export interface Quota {
  /** In `relay_usage` by the relay, in `domain_limit` by itself. */
  table: 'relay_usage' | 'domain_limit'
  id: string
  limits: Limits
  /** As this process saw it last. */
  seen: Seen | null
}

interface Seen {
  version: number
  use: Usage
}

const keys = { relay_usage: 'relay_id', domain_limit: 'id' } as const

export const isLimited = ({ perSecond, perHour, perDay }: Limits): boolean =>
  perSecond !== null || perHour !== null || perDay !== null

/**
 * Takes permits for all workers to see: one statement when nobody else was there since this process looked last. Says
 * none only by what is in the database now.
 */
export async function reserve(
  db: Db,
  metered: Quota,
  nowMs: number,
  wanted: number,
  aheadMs = 0,
): Promise<Reservation> {
  for (let fresh = metered.seen === null; ; fresh = true) {
    const seen = metered.seen ?? (await look(db, metered))
    const taken = take(metered.limits, seen?.use ?? unused, nowMs, wanted, aheadMs)
    // Removed meanwhile: nobody counts any more.
    if (!seen || (taken.permits === 0 && fresh)) return taken
    if (taken.permits > 0 && (await write(db, metered, seen, taken.use))) return taken
    metered.seen = null
  }
}

/** Changes what is in the database, whoever writes at the same time. */
export async function amend(db: Db, metered: Quota, change: (use: Usage) => Usage): Promise<void> {
  for (;;) {
    const seen = metered.seen ?? (await look(db, metered))
    if (!seen || (await write(db, metered, seen, change(seen.use)))) return
    metered.seen = null
  }
}

async function look(db: Db, metered: Quota): Promise<Seen | null> {
  metered.seen = (await read(db, metered)) ?? (await begin(db, metered))
  return metered.seen
}

async function read(db: Db, { table, id }: Quota): Promise<Seen | null> {
  const { rows } = await sql<{ version: number; free_at_ms: number; used: Usage['used'] }>`
    select version, free_at_ms, used from ${sql.table(table)} where ${sql.ref(keys[table])} = ${id}`.execute(db)
  const [row] = rows
  return row ? { version: row.version, use: { freeAtMs: row.free_at_ms, used: row.used } } : null
}

async function begin(db: Db, metered: Quota): Promise<Seen | null> {
  if (metered.table !== 'relay_usage') return null
  await sql`insert into relay_usage (relay_id) select id from relay where id = ${metered.id}
    on conflict do nothing`.execute(db)
  return read(db, metered)
}

async function write(db: Db, metered: Quota, { version }: Seen, use: Usage): Promise<boolean> {
  const { table, id } = metered
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set version = version + 1, free_at_ms = ${use.freeAtMs}, used = ${JSON.stringify(use.used)}
    where ${sql.ref(keys[table])} = ${id} and version = ${version}`.execute(db)
  const written = (numAffectedRows ?? 0n) > 0n
  if (written) metered.seen = { version: version + 1, use }
  return written
}
