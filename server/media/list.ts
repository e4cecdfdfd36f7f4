import { sql } from 'kysely'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import type { Paging } from '../http/endpoint.ts'
import { mediaAddress } from './address.ts'
import type { Media, MediaWithUses } from './contract.ts'
import type { MediaRow } from './library.ts'
import { UNUSED_DAYS } from './upload-limits.ts'
import { type Use, usesOf } from './uses.ts'

const DAY_MS = 86_400_000

export const present = (config: Config, row: MediaRow): z.input<typeof Media> => ({
  id: row.id,
  url: mediaAddress(config, row.id),
  fileName: row.file_name,
  mime: row.mime,
  bytes: row.bytes,
  width: row.width,
  height: row.height,
  alt: row.alt,
  createdAt: row.created_at.toISOString(),
})

/** Newest first. The cursor is the time and id of the last row. */
export async function listMedia(
  db: Db,
  config: Config,
  { newsletterId, query: { cursor, limit } }: { newsletterId: string; query: z.output<typeof Paging> },
): Promise<{ rows: z.input<typeof MediaWithUses>[]; next: string | null }> {
  let query = db
    .selectFrom('media')
    .selectAll()
    .select(sql<string>`to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('position'))
    .where('newsletter_id', '=', newsletterId)
    .where('stored_at', 'is not', null)
  const [at, id] = (cursor ?? '').split('~')
  if (at && id && !Number.isNaN(Date.parse(at))) {
    query = query.where(sql<boolean>`(created_at, id) < (${at}::timestamptz, ${id})`)
  }
  const found = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const ids = rows.map((row) => row.id)
  const uses = await usesOf(db, newsletterId, ids)
  return {
    rows: rows.map((row) => withUses(config, row, uses.get(row.id) ?? [])),
    next: found.length > limit && last ? `${last.position}~${last.id}` : null,
  }
}

const withUses = (config: Config, row: MediaRow, uses: Use[]): z.input<typeof MediaWithUses> => ({
  ...present(config, row),
  uses,
  removedAt: uses.length === 0 ? new Date(removal(row)).toISOString() : null,
})

const removal = ({ unused_since, created_at }: MediaRow) =>
  Math.max((unused_since ?? new Date()).getTime(), created_at.getTime()) + UNUSED_DAYS * DAY_MS
