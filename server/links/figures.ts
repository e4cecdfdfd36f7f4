import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { csvText } from '../database/csv.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import type { getShortLink } from './contract.ts'
import { requireLink, shown } from './link.ts'

type Figures = Omit<z.input<typeof getShortLink.reply>, 'countriesKnown'>
type Asked = z.output<typeof getShortLink.query>

/** So many days of hours, and of days, are one answer. */
const MOST_DAYS = { hour: 14, day: 1_100 } as const
const USUAL_DAYS = { hour: 2, day: 30 } as const
const MOST_VALUES = { page: 20, file: 1_000 } as const

interface Of {
  newsletter: NewsletterRow
  linkId: string
}

interface Hour {
  since: string
  rule: string
  clicks: number
}

/** A link with what triggers have counted of it; no click is read. @throws AppError link_not_found, invalid when the range is none */
export async function readLinkFigures(
  context: Pick<Context, 'db' | 'config' | 'now'>,
  { newsletter, linkId }: Of,
  asked: Asked,
): Promise<Figures> {
  const { db, config } = context
  const link = await requireLink(context, newsletter.id, linkId)
  const range = await rangeOf(context, newsletter, asked)
  const [hours, facets, publication] = await Promise.all([
    countedHours(db, { newsletter, linkId }, range),
    countedFacets(db, { newsletter, linkId }, MOST_VALUES.page),
    link.publicationId === null ? null : findPublication(db, newsletter.id, link.publicationId),
  ])
  const points = [...Map.groupBy(hours, ({ since }) => since)].map(([since, counted]) => ({
    since,
    ...sumsOf(counted),
  }))
  const excluded = [
    ...Map.groupBy(
      hours.filter(({ rule }) => rule !== ''),
      ({ rule }) => rule,
    ),
  ]
    .map(([rule, counted]) => ({ rule, clicks: sumsOf(counted).raw }))
    .toSorted((a, b) => b.clicks - a.clicks)
  const of = (facet: string) => facets.filter((row) => row.facet === facet).map(({ facet: _, ...row }) => row)
  return {
    link: shown(config, link),
    publication,
    range,
    points,
    inRange: sumsOf(hours),
    excluded,
    devices: of('device'),
    referrers: of('referrer'),
    countries: of('country'),
  }
}

const sumsOf = (hours: Hour[]) => ({
  raw: hours.reduce((sum, { clicks }) => sum + clicks, 0),
  human: hours.reduce((sum, { clicks, rule }) => sum + (rule === '' ? clicks : 0), 0),
})

interface Range {
  from: string
  to: string
  by: Asked['by']
}

/** Days of the newsletter's calendar. */
async function rangeOf(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { timezone }: NewsletterRow,
  asked: Asked,
): Promise<Range> {
  const { by } = asked
  const { rows } = await sql<{ from: string; to: string; days: number }>`
    with asked as (
      select coalesce(${asked.to ?? null}::date, (${now()}::timestamptz at time zone ${timezone})::date) as last
    ), range as (
      select coalesce(${asked.from ?? null}::date, last - ${USUAL_DAYS[by] - 1}::integer) as first, last from asked
    )
    select to_char(first, 'YYYY-MM-DD') as "from", to_char(last, 'YYYY-MM-DD') as "to", last - first + 1 as days from range`.execute(
    db,
  )
  const [range] = rows
  if (!range || range.days < 1 || range.days > MOST_DAYS[by])
    throw new AppError('invalid', { fields: { from: 'range' } })
  return { from: range.from, to: range.to, by }
}

async function countedHours(
  db: Db,
  { newsletter: { id, timezone }, linkId }: Of,
  { from, to, by }: Range,
): Promise<Hour[]> {
  const { rows } = await sql<Hour>`
    select to_char(date_trunc(${by}, hour at time zone ${timezone}), ${by === 'hour' ? 'YYYY-MM-DD"T"HH24:MI' : 'YYYY-MM-DD'}) as since,
      rule, sum(clicks)::integer as clicks
    from link_clicks_by_hour where newsletter_id = ${id} and short_link_id = ${linkId}
      and hour >= ${from}::date::timestamp at time zone ${timezone} and hour < (${to}::date + 1)::timestamp at time zone ${timezone}
    group by 1, 2 having sum(clicks) <> 0 order by 1, 2`.execute(db)
  return rows
}

interface FacetRow {
  facet: string
  value: string
  raw: number
  human: number
}

async function countedFacets(db: Db, { newsletter, linkId }: Of, most: number): Promise<FacetRow[]> {
  const { rows } = await sql<FacetRow>`
    select facet, value, raw, human from (
      select case when grouping(device) = 0 then 'device' when grouping(referrer) = 0 then 'referrer' else 'country' end as facet,
        coalesce(device, referrer, country) as value, sum(raw)::integer as raw, sum(human)::integer as human,
        row_number() over (partition by grouping(device, referrer, country) order by sum(human) desc, sum(raw) desc, coalesce(device, referrer, country)) as place
      from link_clicks_by_source where newsletter_id = ${newsletter.id} and short_link_id = ${linkId}
      group by grouping sets (device, referrer, country) having sum(raw) <> 0
    ) counted where place <= ${most} order by facet, place`.execute(db)
  return rows
}

const findPublication = async (db: Db, newsletterId: string, id: string) =>
  (await db
    .selectFrom('publication')
    .select(['id', 'number', 'title'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .executeTakeFirst()) ?? null

/** The hours or days of a link as CSV. The names of its columns are those of the API, for programs. */
export async function linkCsv(
  context: Pick<Context, 'db' | 'now'>,
  of: Of,
  asked: Asked & { sheet?: Language | undefined },
): Promise<string> {
  await requireLink(context, of.newsletter.id, of.linkId)
  const hours = await countedHours(context.db, of, await rangeOf(context, of.newsletter, asked))
  const rules = [...new Set(hours.map(({ rule }) => rule).filter((rule) => rule !== ''))].toSorted()
  const rows = [...Map.groupBy(hours, ({ since }) => since)].map(([since, counted]) => {
    const { raw, human } = sumsOf(counted)
    return [since, raw, human, ...rules.map((rule) => counted.find((each) => each.rule === rule)?.clicks ?? 0)]
  })
  return csvText([[asked.by, 'raw', 'human', ...rules], ...rows], asked.sheet)
}

/** Where the clicks of a link came from as CSV, since it was made. Its names are those of the API, for programs. */
export async function sourcesCsv(context: Pick<Context, 'db'>, of: Of, sheet?: Language): Promise<string> {
  await requireLink(context, of.newsletter.id, of.linkId)
  const rows = await countedFacets(context.db, of, MOST_VALUES.file)
  const lines = rows.map(({ facet, value, raw, human }) => [facet, value, raw, human])
  return csvText([['of', 'value', 'raw', 'human'], ...lines], sheet)
}
