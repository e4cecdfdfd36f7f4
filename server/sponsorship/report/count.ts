import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Language } from '../../languages.ts'
import { RULES_VERSION } from '../../links/human.ts'
import { wasKeptSince } from '../../links/kept-since.ts'
import { leadsTo } from '../../links/leads-to.ts'
import { PlacementWords } from '../contract.ts'
import type { Figures } from './contract.ts'

export const DAYS = 7
const HOURS = DAYS * 24
/** A device or country of fewer people than this could say who they are. */
const FEWEST = 5

/** What ran, when, and where. */
export interface Ran {
  newsletterId: string
  ranAt: Date
  publicationId: string | null
  shortLinkId: string | null
  /** As `PlacementWords`. */
  placement: unknown
  number: number | null
  title: string | null
  publicationLanguage: Language | null
  hiddenFromPaid: boolean
}

/** The hour in which it ran; roll-ups have whole hours. */
const beginning = ({ ranAt }: Ran) => sql`date_trunc('hour', ${ranAt}::timestamptz, 'UTC')`
const end = (ran: Ran) => sql`${beginning(ran)} + ${HOURS} * interval '1 hour'`

/** Counts what came of a booking in its seven days, from roll-ups. However often it is counted after them, only clicks that are judged anew change it. */
export async function countFigures(db: Db, ran: Ran): Promise<Figures> {
  return {
    placement: PlacementWords.parse(ran.placement),
    publication:
      ran.title === null
        ? null
        : { number: ran.number, title: ran.title, language: ran.publicationLanguage ?? undefined },
    copies: await countCopies(db, ran),
    clicks: ran.shortLinkId === null ? null : await countClicks(db, ran, ran.shortLinkId),
    yes: ran.shortLinkId === null ? null : await countYes(db, { ran, linkId: ran.shortLinkId }),
  }
}

async function countCopies(db: Db, { newsletterId, publicationId, hiddenFromPaid }: Ran): Promise<Figures['copies']> {
  if (publicationId === null) return null
  const row = await db
    .selectFrom('publication_count')
    .select(['intended', 'accepted'])
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .executeTakeFirst()
  return row?.intended ? { intended: row.intended, accepted: row.accepted ?? 0, hiddenFromPaid } : null
}

interface Counted {
  hour: number
  rule: string
  clicks: number
}

async function countClicks(db: Db, ran: Ran, linkId: string): Promise<Figures['clicks']> {
  const { rows } = await sql<Counted>`
    select (extract(epoch from hour - ${beginning(ran)}) / 3600)::integer as hour, rule, sum(clicks)::integer as clicks
    from link_clicks_by_hour where newsletter_id = ${ran.newsletterId} and short_link_id = ${linkId}
      and hour >= ${beginning(ran)} and hour < ${end(ran)}
    group by 1, 2 having sum(clicks) <> 0 order by 1, 2`.execute(db)
  const left = rows.filter(({ rule }) => rule !== '')
  return {
    ...sumsOf(rows),
    interrupted: !(await wasKeptSince(db, ran.newsletterId, { what: 'clicks', began: sql`${ran.ranAt}::timestamptz` })),
    excluded: [...Map.groupBy(left, ({ rule }) => rule)]
      .map(([rule, counted]) => ({ rule, clicks: sumsOf(counted).raw }))
      .toSorted((a, b) => b.clicks - a.clicks),
    hours: [...Map.groupBy(rows, ({ hour }) => hour)].map(([hour, counted]) => ({ hour, ...sumsOf(counted) })),
    ...(await countFacets(db, ran.newsletterId, linkId)),
    rules: RULES_VERSION,
  }
}

const sumsOf = (rows: Counted[]) => ({
  raw: rows.reduce((sum, { clicks }) => sum + clicks, 0),
  human: rows.reduce((sum, { clicks, rule }) => sum + (rule === '' ? clicks : 0), 0),
})

interface Value {
  value: string
  raw: number
  human: number
}

/** Since the link was made: what it was followed with and from where has no hours. */
async function countFacets(db: Db, newsletterId: string, linkId: string) {
  const { rows } = await sql<Value & { facet: 'device' | 'country' }>`
    select case when grouping(device) = 0 then 'device' else 'country' end as facet, coalesce(device, country) as value,
      sum(raw)::integer as raw, sum(human)::integer as human
    from link_clicks_by_source where newsletter_id = ${newsletterId} and short_link_id = ${linkId}
    group by grouping sets (device, country) having sum(raw) > 0 order by 4 desc, 3 desc, 2`.execute(db)
  const of = (facet: string) => rows.filter((row) => row.facet === facet).map(({ facet: _, ...row }) => row)
  const countries = of('country')
  return {
    devices: withRest(of('device')),
    // Where no database says which network is where.
    countries: countries.every(({ value }) => value === '') ? [] : withRest(countries),
  }
}

/** Values that few people have are added up as `rest`, so that none of them says who somebody is. */
function withRest(values: Value[]): Value[] {
  const shown = values.filter(({ human }) => human >= FEWEST)
  if (shown.length === 0) return []
  const rest = values.filter(({ human }) => human < FEWEST)
  const sum = (of: 'raw' | 'human') => rest.reduce((total, value) => total + value[of], 0)
  return rest.length === 0 ? shown : [...shown, { value: 'rest', raw: sum('raw'), human: sum('human') }]
}

interface OfLink {
  ran: Ran
  linkId: string
}

async function countYes(db: Db, { ran, linkId }: OfLink): Promise<Figures['yes']> {
  const campaignId = await campaignOf(db, { ran, linkId })
  if (campaignId === null) return null
  const { rows } = await sql<{ day: number; confirmed: number; undone: number }>`
    select floor(extract(epoch from confirmed_at - ${beginning(ran)}) / 86400)::integer as day,
      count(*) filter (where undone_at is null)::integer as confirmed, count(undone_at)::integer as undone
    from opt_in where newsletter_id = ${ran.newsletterId} and campaign_id = ${campaignId} and short_link_id = ${linkId}
      and confirmed_at >= ${beginning(ran)} and confirmed_at < ${end(ran)} group by 1 order by 1`.execute(db)
  const waiting = await sql<{ asked: number }>`
    select count(*)::integer as asked from opt_in_request
    where newsletter_id = ${ran.newsletterId} and campaign_id = ${campaignId} and short_link_id = ${linkId}
      and asked_at >= ${beginning(ran)} and asked_at < ${end(ran)}`.execute(db)
  const confirmed = rows.reduce((sum, day) => sum + day.confirmed, 0)
  const undone = rows.reduce((sum, day) => sum + day.undone, 0)
  return {
    said: confirmed + undone + (waiting.rows[0]?.asked ?? 0),
    ...{ confirmed, undone },
    days: rows.filter((day) => day.confirmed > 0).map((day) => ({ day: day.day, confirmed: day.confirmed })),
  }
}

/** The campaign of this newsletter to which a link leads, or null. */
async function campaignOf(db: Db, { ran: { newsletterId }, linkId }: OfLink): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select c.id from short_link l join opt_in_campaign c on c.newsletter_id = l.newsletter_id
      and c.id = substring(l.target from '/optin/([1-9A-HJ-NP-Za-km-z]{6,20})')
    where l.newsletter_id = ${newsletterId} and l.id = ${linkId} and starts_with(${leadsTo('l')}, '/optin/')`.execute(
    db,
  )
  return rows[0]?.id ?? null
}
