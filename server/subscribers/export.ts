import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Context } from '../context.ts'
import { decimalIn, harmless, streamCsv, streamJsonLines, utc, withValues } from '../database/csv.ts'
import type { Language } from '../languages.ts'
import { type CustomField, listFields } from '../segments/fields.ts'
import { subscribersMatching, type Wanted } from './queries.ts'

export type ExportFormat = 'csv' | 'jsonl'

/**
 * The subscribers who fit, in the order in which they came: every column that a person has, and no id. docs/export.md describes
 * both formats for whoever reads such a file.
 */
export async function streamSubscribers(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  newsletterId: string,
  { format, sheet, ...wanted }: Wanted & { format: ExportFormat; sheet?: Language | undefined },
): Promise<Readable> {
  const columns = format === 'csv' ? csvColumns(await listFields(db, newsletterId), sheet) : jsonColumns
  const query = sql`select ${columns} from (${subscribersMatching(db, newsletterId, wanted).selectAll('s')}) s
    left join (${tagNames(newsletterId, format)}) t on t.subscriber_id = s.id
    order by s.id`
  const select = withValues(query.compile(db))
  return format === 'csv' ? streamCsv({ pool }, select, sheet) : streamJsonLines(pool, select)
}

/** The names of each subscriber's tags. All are read, because looking them up for each of a million subscribers takes three times as long. */
const tagNames = (newsletterId: string, format: ExportFormat): RawBuilder<unknown> => sql`
  select st.subscriber_id, ${format === 'csv' ? joinedNames : sql`json_agg(t.name order by t.place)`} as names
  from subscriber_tag st
  join (
    select id, name, rank() over (order by lower(name), id) as place from tag where newsletter_id = ${newsletterId}
  ) t on t.id = st.tag_id
  where st.newsletter_id = ${newsletterId} group by st.subscriber_id`

const joinedNames = sql.raw(
  String.raw`string_agg(replace(replace(t.name, '\', '\\'), ';', '\;'), ';' order by t.place)`,
)

const csvColumns = (fields: CustomField[], sheet?: Language): RawBuilder<unknown> =>
  sql.raw(
    `${harmless('s.email')} as email, ${harmless('s.name')} as name, s.language, s.status, s.source,
    ${utc('s.created_at')} as created_at, ${utc('s.confirmed_at')} as confirmed_at, ${utc('s.left_at')} as left_at,
    s.left_reason, ${utc('s.paused_until')} as paused_until, s.pace, ${harmless('t.names')} as tags${fields.map((field) => csvField(field, sheet)).join('')}`,
  )

function csvField({ key, kind }: CustomField, sheet?: Language): string {
  const value = `(s.fields ->> ${pg.escapeLiteral(key)})`
  const isFree = kind === 'text' || kind === 'choice'
  const written = isFree ? harmless(value) : kind === 'number' ? decimalIn(value, sheet) : value
  return `, ${written} as ${pg.escapeIdentifier(`field.${key}`)}`
}

const jsonObject = `to_json((select line from (select s.email, s.name, s.language, s.status, s.source,
  ${utc('s.created_at')} as "createdAt", ${utc('s.confirmed_at')} as "confirmedAt", ${utc('s.left_at')} as "leftAt",
  s.left_reason as "leftReason", ${utc('s.paused_until')} as "pausedUntil", s.pace, coalesce(t.names, '[]') as tags, s.fields) line))`

/** Some readers of lines take these two separators for the end of one. */
const jsonColumns = sql.raw(String.raw`replace(replace(${jsonObject}::text, U&'\2028', '\u2028'), U&'\2029', '\u2029')`)
