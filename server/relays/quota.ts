import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { type Limits, type PermitRequest, type Reservation, takePermits, type Usage, unused } from './limits.ts'

/** Limits that hold for all workers together. */
export interface Quota {
  /** In `relay_usage` by the relay, in `domain_limit` by itself. */
  table: 'relay_usage' | 'domain_limit'
  id: string
  limits: Limits
  /** The row as this process read or wrote it last. */
  seen: Seen | null
}

interface Seen {
  version: number
  usage: Usage
}

const keys = { relay_usage: 'relay_id', domain_limit: 'id' } as const

export const isLimited = ({ perSecond, perHour, perDay }: Limits): boolean =>
  perSecond !== null || perHour !== null || perDay !== null

/**
 * Takes permits and stores that for all workers. It costs one statement when no other worker wrote since this process
 * did. The answer “none” is always based on a fresh read.
 */
export async function reserve(db: Db, quota: Quota, request: PermitRequest): Promise<Reservation> {
  for (let fresh = quota.seen === null; ; fresh = true) {
    const seen = quota.seen ?? (await load(db, quota))
    const reservation = takePermits(quota.limits, seen?.usage ?? unused, request)
    // The limit was removed meanwhile.
    if (!seen || (reservation.permits === 0 && fresh)) return reservation
    if (reservation.permits > 0 && (await write(db, quota, { ...seen, usage: reservation.usage }))) return reservation
    quota.seen = null
  }
}

/** Changes the stored usage, and tries again when another worker wrote at the same time. */
export async function updateUsage(db: Db, quota: Quota, change: (usage: Usage) => Usage): Promise<void> {
  for (;;) {
    const seen = quota.seen ?? (await load(db, quota))
    if (!seen || (await write(db, quota, { ...seen, usage: change(seen.usage) }))) return
    quota.seen = null
  }
}

async function load(db: Db, quota: Quota): Promise<Seen | null> {
  quota.seen = (await read(db, quota)) ?? (await create(db, quota))
  return quota.seen
}

async function read(db: Db, { table, id }: Quota): Promise<Seen | null> {
  const { rows } = await sql<{ version: number; free_at_ms: number; used: Usage['used'] }>`
    select version, free_at_ms, used from ${sql.table(table)} where ${sql.ref(keys[table])} = ${id}`.execute(db)
  const [row] = rows
  return row ? { version: row.version, usage: { freeAtMs: row.free_at_ms, used: row.used } } : null
}

async function create(db: Db, quota: Quota): Promise<Seen | null> {
  if (quota.table !== 'relay_usage') return null
  await sql`insert into relay_usage (relay_id) select id from relay where id = ${quota.id}
    on conflict do nothing`.execute(db)
  return read(db, quota)
}

/** Writes unless another worker wrote since `version`. @returns whether it did */
async function write(db: Db, quota: Quota, { version, usage }: Seen): Promise<boolean> {
  const { table, id } = quota
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set version = version + 1, free_at_ms = ${usage.freeAtMs}, used = ${JSON.stringify(usage.used)}
    where ${sql.ref(keys[table])} = ${id} and version = ${version}`.execute(db)
  const written = (numAffectedRows ?? 0n) > 0n
  if (written) quota.seen = { version: version + 1, usage }
  return written
}
