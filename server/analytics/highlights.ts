import { sql } from 'kysely'
import type { z } from 'zod'
import { sponsorMoneyByPart, sponsorMoneyWithin } from '../campaigns/advertise/results.ts'
import { type MoneyOfPart, readMoney, readMoneyByPart } from '../charge/figures/money-figures.ts'
import { inParts, type Range } from '../charge/figures/range.ts'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Permission } from '../permissions.ts'
import type { getHighlights } from './contract.ts'
import type { Ranges } from './figures.ts'

export type Highlights = z.infer<typeof getHighlights.reply>

const SHOWN = 8

interface Reader {
  newsletter: NewsletterRow
  may: (permission: Permission) => boolean
}

/** The best links and sources of a range, and what came in. It is read from what was counted. */
export async function readHighlights(
  db: Db,
  { newsletter, may }: Reader,
  { range, before }: Ranges,
): Promise<Highlights> {
  const sold = may('charge.read') ? await whatWasSold(db, newsletter.id) : { subscriptions: false, bookings: false }
  const beside = async <T>(
    isSold: boolean,
    read: (range: Range) => Promise<T[]>,
    readParts: (range: Range) => Promise<MoneyOfPart[]>,
  ) =>
    isSold
      ? {
          now: await read(range),
          before: before ? await read(before) : [],
          parts: partsBy(range, await readParts(range)),
        }
      : null
  const [links, sources, subscriptions, bookings] = await Promise.all([
    may('links.read') ? bestLinks(db, newsletter, { range, before }) : null,
    bestSources(db, newsletter.id, { range, before }),
    beside(
      sold.subscriptions,
      (days) => incomeWithin(db, newsletter, days),
      (days) => readMoneyByPart(db, newsletter.id, days),
    ),
    beside(
      sold.bookings,
      (days) => sponsorMoneyWithin(db, newsletter, days),
      (days) => sponsorMoneyByPart(db, newsletter, days),
    ),
  ])
  return { range, before, links, sources, subscriptions, bookings }
}

const partsBy = (range: Range, sums: MoneyOfPart[]) =>
  [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, of]) => ({ currency, nets: inParts(range, of) }))

/** What is left of the payments of a range, by currency. */
export const incomeWithin = async (
  db: Db,
  newsletter: Pick<NewsletterRow, 'id' | 'timezone'>,
  range: Range,
): Promise<{ currency: string; net: number }[]> =>
  (await readMoney(db, newsletter, range)).map(({ currency, net }) => ({ currency, net }))

async function whatWasSold(db: Db, id: string): Promise<{ subscriptions: boolean; bookings: boolean }> {
  const { rows } = await sql<{ subscriptions: boolean; bookings: boolean }>`
    select exists (select from payment_count where newsletter_id = ${id}) as subscriptions,
      exists (select from booking where newsletter_id = ${id}) as bookings`.execute(db)
  return rows[0] ?? { subscriptions: false, bookings: false }
}

interface LinkRow {
  id: string
  name: string
  target: string
  publicationId: string | null
  title: string | null
  raw: number
  human: number
  rawBefore: number
  humanBefore: number
}

/** Those of the range, whatever was best before. */
async function bestLinks(
  db: Db,
  { id, timezone }: NewsletterRow,
  { range, before }: Ranges,
): Promise<NonNullable<Highlights['links']>> {
  const isWithin = ({ from, to }: Range) => sql`c.hour >= ${from}::date::timestamp at time zone ${timezone}
    and c.hour < (${to}::date + 1)::timestamp at time zone ${timezone}`
  const human = sql`coalesce(sum(c.clicks) filter (where c.rule = ''), 0)::integer`
  const { rows } = await sql<LinkRow>`
    with best as (
      select l.id, sum(c.clicks)::integer as raw, ${human} as human
      from short_link l join link_clicks_by_hour c on c.newsletter_id = ${id} and c.short_link_id = l.id
      where l.newsletter_id = ${id} and not l.canary and ${isWithin(range)}
      group by l.id having ${human} > 0 order by 3 desc, 2 desc, 1 limit ${SHOWN}
    ), earlier as (
      select c.short_link_id as id, sum(c.clicks)::integer as raw, ${human} as human
      from link_clicks_by_hour c
      where c.newsletter_id = ${id} and c.short_link_id = any(array(select id from best)) and ${before ? isWithin(before) : sql`false`}
      group by 1
    )
    select b.id, l.name, l.target, p.id as "publicationId", p.title, b.raw, b.human,
      coalesce(e.raw, 0) as "rawBefore", coalesce(e.human, 0) as "humanBefore"
    from best b join short_link l on l.newsletter_id = ${id} and l.id = b.id
    left join earlier e on e.id = b.id
    left join publication p on p.newsletter_id = ${id} and p.id = l.publication_id
    order by b.human desc, b.raw desc, b.id`.execute(db)
  return rows.map(({ publicationId, title, rawBefore, humanBefore, ...link }) => ({
    ...link,
    publication: publicationId === null ? null : { id: publicationId, title: title ?? '' },
    before: before && { raw: rawBefore, human: humanBefore },
  }))
}

async function bestSources(db: Db, id: string, { range, before }: Ranges): Promise<Highlights['sources']> {
  const isWithin = ({ from, to }: Range) => sql`day between ${from}::date and ${to}::date`
  const { rows } = await sql<{ source: string; joined: number; joinedBefore: number }>`
    with best as (
      select source, sum(joined)::integer as joined from source_count
      where newsletter_id = ${id} and ${isWithin(range)}
      group by source having sum(joined) > 0 order by 2 desc, 1 limit ${SHOWN}
    ), earlier as (
      select source, sum(joined)::integer as joined from source_count
      where newsletter_id = ${id} and source in (select source from best) and ${before ? isWithin(before) : sql`false`}
      group by source
    )
    select source, b.joined, coalesce(e.joined, 0) as "joinedBefore"
    from best b left join earlier e using (source) order by b.joined desc, source`.execute(db)
  return rows.map(({ joinedBefore, ...row }) => ({ ...row, joinedBefore: before && joinedBefore }))
}
