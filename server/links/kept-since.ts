import { type RawBuilder, type SqlBool, sql } from 'kysely'

const kept = {
  clickers: sql`click_privacy = 'person' and coalesce(clickers_since, '-infinity')`,
  clicks: sql`click_privacy <> 'off' and coalesce(clicks_since, '-infinity')`,
  opens: sql`open_privacy <> 'off' and coalesce(opens_since, '-infinity')`,
}

/**
 * SQL: whether a newsletter has kept clicks, who clicked, or opens, ever since `began`, a time that is null while nothing has begun.
 * docs/decisions/privacy-modes.md says what is not kept.
 */
export const keptSince = (
  newsletterId: string,
  { what, began }: { what: keyof typeof kept; began: RawBuilder<unknown> },
): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select from newsletter where id = ${newsletterId} and ${kept[what]} <= coalesce(${began}, now()))`
