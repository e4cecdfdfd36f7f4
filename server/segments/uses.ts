import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Use } from './contract.ts'

const MOST_SHOWN = 10

/** Conditions of a filter, as an SQL/JSON path finds them, with the value they name. */
const mentions = {
  tag: '$.** ? (@.on == "tag" && @.tag == $it)',
  field: '$.** ? (@.on == "field" && @.field == $it)',
} as const

interface Named {
  newsletterId: string
  /** A tag by its id, a field by its key, a segment by its id. */
  what: { tag: number } | { field: string } | { segment: number }
}

/** True where a filter names the tag or field. Nothing is built on a segment but sendings. */
function inFilter(filter: RawBuilder<unknown>, what: Named['what']): RawBuilder<SqlBool> {
  if ('segment' in what) return sql`false`
  const [path, it] = 'tag' in what ? [mentions.tag, what.tag] : [mentions.field, what.field]
  return sql`jsonb_path_exists(${filter}, ${path}::jsonpath, ${JSON.stringify({ it })}::jsonb)`
}

/**
 * What is built on a tag, a field or a segment: segments, the sendings that are scheduled or go on, and the welcome of a segment. At most ten.
 * A sending that has begun no longer needs its segment.
 */
async function usesOf(db: Db, { newsletterId, what }: Named): Promise<Use[]> {
  const segments = await sql<{ id: number; name: string }>`
    select id, name from segment g where newsletter_id = ${newsletterId} and ${inFilter(sql`g.filter`, what)}
    order by lower(name), id limit ${MOST_SHOWN}`.execute(db)
  const named =
    'segment' in what
      ? sql<SqlBool>`s.state = 'planned' and (s.audience ->> 'segmentId')::integer = ${what.segment}`
      : sql<SqlBool>`(${inFilter(sql`s.audience -> 'filter'`, what)} or s.state = 'planned' and exists (
          select from segment g where g.newsletter_id = s.newsletter_id and g.id = (s.audience ->> 'segmentId')::integer
            and ${inFilter(sql`g.filter`, what)}))`
  const publications = await sql<{ id: string; title: string }>`
    select distinct p.id, p.title from sending s
    join publication p on p.newsletter_id = s.newsletter_id and p.id = s.publication_id
    where s.newsletter_id = ${newsletterId} and s.state in ('planned', 'sending', 'paused') and ${named}
    order by p.id limit ${MOST_SHOWN}`.execute(db)
  const welcomes =
    'segment' in what
      ? await sql<{ id: string; title: string }>`
          select p.id, p.title from welcome w
          join publication p on p.newsletter_id = w.newsletter_id and p.id = w.publication_id
          where w.newsletter_id = ${newsletterId} and w.segment_id = ${what.segment}`.execute(db)
      : { rows: [] }
  return [
    ...welcomes.rows.map(({ id, title }) => ({ kind: 'welcome' as const, publicationId: id, title })),
    ...publications.rows.map(({ id, title }) => ({ kind: 'publication' as const, publicationId: id, title })),
    ...segments.rows.map(({ id, name }) => ({ kind: 'segment' as const, segmentId: id, name })),
  ].slice(0, MOST_SHOWN)
}

/** Refuses to delete what something is built on, unless its owner says to know it. @throws AppError in_use with the uses in `detail` */
export async function requireUnused(db: Db, { evenIfUsed, ...named }: Named & { evenIfUsed: boolean }): Promise<void> {
  if (evenIfUsed) return
  const uses = await usesOf(db, named)
  if (uses.length > 0) throw new AppError('in_use', { detail: { uses } })
}
