import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { wasKeptSince } from '../../links/kept-since.ts'
import { leadsTo } from '../../links/leads-to.ts'
import { addressOf } from '../../links/link.ts'
import { optInAddress } from './address.ts'
import type { OptInCampaign } from './contract.ts'
import type { Campaign } from './queries.ts'

type Shown = z.input<typeof OptInCampaign>
type Counts = Shown['counts']
type Place = Shown['places'][number]

const STAYED_DAYS = 14

interface Said {
  shortLinkId: string
  yes: number
  confirmed: number
  passed: number
  undone: number
  still: number
  of: number
}

/**
 * What was said, by where people came from. Whoever left the newsletter that they joined, took it back or was erased within fourteen days
 * was not there after them.
 */
async function readSaid(
  db: Db,
  { newsletterId, id, beneficiary, toNewsletterId }: Campaign,
  now: Date,
): Promise<Said[]> {
  const { rows } = await sql<Said>`
    with said as (
      select o.short_link_id, o.undone_at is null as stands, o.passed_at is not null as passed,
        o.confirmed_at <= ${now}::timestamptz - ${STAYED_DAYS} * interval '1 day' as is_due,
        o.confirmed_at + ${STAYED_DAYS} * interval '1 day' as due, o.undone_at, s.id as subscriber_id, s.status, s.left_at,
        t.status as other_status, t.left_at as other_left_at
      from opt_in o
      left join subscriber s on s.newsletter_id = o.newsletter_id and s.id = o.subscriber_id
      left join subscriber t on t.newsletter_id = ${toNewsletterId} and t.email_normalised = s.email_normalised
      where o.newsletter_id = ${newsletterId} and o.campaign_id = ${id}
    ),
    asked as (
      select short_link_id, count(*) as asked from opt_in_request
      where newsletter_id = ${newsletterId} and campaign_id = ${id} group by 1
    ),
    counted as (
      select short_link_id, count(*) as yes, count(*) filter (where stands) as confirmed,
        count(*) filter (where stands and passed) as passed, count(*) filter (where not stands) as undone,
        count(*) filter (where is_due) as of,
        count(*) filter (where is_due and subscriber_id is not null and (undone_at is null or undone_at > due)
          and case ${beneficiary}::text
            when 'newsletter' then status = 'active' or left_at > due
            when 'other_newsletter' then other_status = 'active' or other_left_at > due
            else true end) as still
      from said group by 1
    )
    select short_link_id as "shortLinkId", (coalesce(yes, 0) + coalesce(asked, 0))::integer as yes,
      coalesce(confirmed, 0)::integer as confirmed, coalesce(passed, 0)::integer as passed, coalesce(undone, 0)::integer as undone,
      coalesce(still, 0)::integer as still, coalesce(of, 0)::integer as of
    from counted full join asked using (short_link_id)`.execute(db)
  return rows
}

interface PlaceRow {
  id: string
  name: string
  publicationId: string | null
  number: number | null
  title: string | null
  raw: number
  human: number
}

/**
 * Every short link that leads to the page: those that were made for it, and those of publications whose text does. One that was made while the
 * server had another address still counts.
 */
async function readPlaces(db: Db, { newsletterId, id }: Campaign): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    select l.id, l.name, l.publication_id as "publicationId", p.number, p.title, coalesce(r.raw, 0)::integer as raw,
      coalesce(r.human, 0)::integer as human
    from short_link l
    left join publication p on p.newsletter_id = l.newsletter_id and p.id = l.publication_id
    left join lateral (select sum(raw) as raw, sum(human) as human from link_clicks_by_source r
      where r.newsletter_id = l.newsletter_id and r.short_link_id = l.id) r on true
    where l.newsletter_id = ${newsletterId} and l.target like '%/optin/%'
      and substring(${leadsTo('l')} from '^/optin/([1-9A-HJ-NP-Za-km-z]{6,20})') = ${id} and not l.canary and not l.tested
    order by l.created_at, l.id`.execute(db)
  return rows
}

/** The results of a campaign, in all and by place: the page itself first, then by age. */
export async function readResults(
  context: Pick<Context, 'db' | 'config' | 'now'>,
  campaign: Campaign,
): Promise<{ counts: Counts; places: Place[] }> {
  const { newsletterId, startsAt, createdAt } = campaign
  // Nobody visits a draft.
  const began = startsAt === null ? sql`null::timestamptz` : sql`greatest(${startsAt}::timestamptz, ${createdAt})`
  const [said, places, isCounted] = await Promise.all([
    readSaid(context.db, campaign, context.now()),
    readPlaces(context.db, campaign),
    wasKeptSince(context.db, newsletterId, { what: 'clicks', began }),
  ])
  const countsOf = (links: PlaceRow[], said: Said[]): Counts => ({
    ...saidOf(said),
    views: isCounted ? viewsOf(links) : null,
  })
  const known = new Set(places.map(({ id }) => id))
  const shown = places.map((place): Place => {
    const isPage = place.id === campaign.shortLinkId
    // Whoever came by a link that leads elsewhere by now counts with the page.
    const own = said.filter(({ shortLinkId }) => shortLinkId === place.id || (isPage && !known.has(shortLinkId)))
    return {
      shortLinkId: place.id,
      kind: isPage ? 'page' : place.publicationId ? 'publication' : 'link',
      name: place.title ?? place.name,
      number: place.number,
      url: isPage ? optInAddress(context.config, campaign.id) : addressOf(context.config, place.id),
      counts: countsOf([place], own),
    }
  })
  const inOrder = shown.toSorted((a, b) => Number(b.kind === 'page') - Number(a.kind === 'page'))
  return { counts: countsOf(places, said), places: inOrder }
}

const sum = <T>(rows: T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0)

const viewsOf = (links: PlaceRow[]) => ({ raw: sum(links, ({ raw }) => raw), human: sum(links, ({ human }) => human) })

const saidOf = (said: Said[]): Omit<Counts, 'views'> => ({
  yes: sum(said, ({ yes }) => yes),
  confirmed: sum(said, ({ confirmed }) => confirmed),
  passed: sum(said, ({ passed }) => passed),
  undone: sum(said, ({ undone }) => undone),
  stayed: { still: sum(said, ({ still }) => still), of: sum(said, ({ of }) => of) },
})

/** Of each campaign of a newsletter: how many said yes, and whose yes stands. */
export async function readYeses(
  db: Db,
  newsletterId: string,
): Promise<Map<string, { yes: number; confirmed: number }>> {
  const { rows } = await sql<{ id: string; yes: number; confirmed: number }>`
    select o.id, o.taken as confirmed,
      ((select count(*) from opt_in y where y.newsletter_id = o.newsletter_id and y.campaign_id = o.id)
        + (select count(*) from opt_in_request a where a.newsletter_id = o.newsletter_id and a.campaign_id = o.id))::integer as yes
    from opt_in_campaign o where o.newsletter_id = ${newsletterId}`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Yeses that stand, by the day on which they were confirmed in the newsletter's calendar. */
export async function readDays(db: Db, { newsletterId, id }: Campaign, timezone: string): Promise<Shown['days']> {
  const { rows } = await sql<Shown['days'][number]>`
    select to_char(confirmed_at at time zone ${timezone}, 'YYYY-MM-DD') as day, count(*)::integer as confirmed
    from opt_in where newsletter_id = ${newsletterId} and campaign_id = ${id} and undone_at is null group by 1 order by 1`.execute(
    db,
  )
  return rows
}
