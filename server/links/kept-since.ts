import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'

const kept = {
  clickers: sql`click_privacy = 'person' and coalesce(clickers_since, '-infinity')`,
  clicks: sql`click_privacy <> 'off' and coalesce(clicks_since, '-infinity')`,
  opens: sql`open_privacy <> 'off' and coalesce(opens_since, '-infinity')`,
}

interface Asked {
  what: keyof typeof kept
  began: RawBuilder<unknown>
}

/**
 * SQL: whether a newsletter has kept clicks, who clicked, or opens, ever since `began`, a time that is null while nothing has begun.
 * docs/decisions/privacy-modes.md says what is not kept.
 */
export const keptSince = (newsletterId: string, { what, began }: Asked): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select from newsletter where id = ${newsletterId} and ${kept[what]} <= coalesce(${began}, now()))`

/** Asks the database for it. */
export async function wasKeptSince(db: Db, newsletterId: string, asked: Asked): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`select ${keptSince(newsletterId, asked)} as kept`.execute(db)
  return rows[0]?.kept === true
}
