import { type RawBuilder, sql } from 'kysely'
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

/** Those of the range, and after them those that were clicked only before. */
async function bestLinks(
  db: Db,
  { id, timezone }: NewsletterRow,
  { range, before }: Ranges,
): Promise<NonNullable<Highlights['links']>> {
  const isWithin = (days: Range | null) =>
    days
      ? sql`(c.hour >= ${days.from}::date::timestamp at time zone ${timezone}
          and c.hour < (${days.to}::date + 1)::timestamp at time zone ${timezone})`
      : sql`false`
  const clicks = (when: RawBuilder<unknown>) => sql`coalesce(sum(c.clicks) filter (where ${when}), 0)::integer`
  const { rows } = await sql<LinkRow>`
    with counted as (
      select c.short_link_id as id, ${clicks(isWithin(range))} as raw, ${clicks(isWithin(before))} as raw_before,
        ${clicks(sql`c.rule = '' and ${isWithin(range)}`)} as human, ${clicks(sql`c.rule = '' and ${isWithin(before)}`)} as human_before
      from link_clicks_by_hour c where c.newsletter_id = ${id} and (${isWithin(range)} or ${isWithin(before)})
      group by 1
    )
    select l.id, l.name, l.target, p.id as "publicationId", p.title, c.raw, c.human,
      c.raw_before as "rawBefore", c.human_before as "humanBefore"
    from counted c join short_link l on l.newsletter_id = ${id} and l.id = c.id
    left join publication p on p.newsletter_id = ${id} and p.id = l.publication_id
    where not l.canary and c.human + c.human_before > 0
    order by c.human desc, c.raw desc, c.human_before desc, l.id limit ${SHOWN}`.execute(db)
  return rows.map(({ publicationId, title, rawBefore, humanBefore, ...link }) => ({
    ...link,
    publication: publicationId === null ? null : { id: publicationId, title: title ?? '' },
    before: before && { raw: rawBefore, human: humanBefore },
  }))
}

async function bestSources(db: Db, id: string, { range, before }: Ranges): Promise<Highlights['sources']> {
  const isWithin = (days: Range | null) =>
    days ? sql`day between ${days.from}::date and ${days.to}::date` : sql`false`
  const joined = (days: Range | null) => sql`coalesce(sum(joined) filter (where ${isWithin(days)}), 0)::integer`
  const { rows } = await sql<{ source: string; joined: number; joinedBefore: number }>`
    select * from (
      select source, ${joined(range)} as joined, ${joined(before)} as "joinedBefore" from source_count
      where newsletter_id = ${id} and (${isWithin(range)} or ${isWithin(before)}) group by source
    ) counted where joined > 0 or "joinedBefore" > 0
    order by joined desc, "joinedBefore" desc, source limit ${SHOWN}`.execute(db)
  return rows.map(({ joinedBefore, ...row }) => ({ ...row, joinedBefore: before && joinedBefore }))
}
