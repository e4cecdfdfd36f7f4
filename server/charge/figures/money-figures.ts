import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { Payment } from '../../database/types.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { getChargeFigures } from './contract.ts'
import { isStepOf, isWithin, partOf } from './pieces.ts'
import { daysLater, type Range } from './range.ts'

type Reply = z.infer<typeof getChargeFigures.reply>
type Sales = Reply['sources'][number]

const SHOWN = 10
const SHOWN_REFUNDS = 5

/** What came in and what went back, by currency. */
export async function readMoney(
  db: Db,
  { id: newsletterId, timezone }: Pick<NewsletterRow, 'id' | 'timezone'>,
  range: Range,
): Promise<Reply['money']> {
  const { rows } = await sql<Reply['money'][number]>`
    with to_come as (
      select currency, count(*) as payments from payment
      where newsletter_id = ${newsletterId} and fee = 0 and kind = 'payment' and stripe_id is not null and amount > 0 and not test
        and at >= ${beginOf(range.from, timezone)} and at < ${beginOf(daysLater(range.to, 1), timezone)}
      group by currency
    )
    select currency,
      ${ofKind('payments', 'payment')} as payments, ${ofKind('amount', 'payment')} as paid,
      ${ofKind('payments', 'refund')} as refunds, ${ofKind('amount', 'refund')} as refunded,
      ${ofKind('payments', 'dispute')} as disputes, ${ofKind('amount', 'dispute')} as disputed,
      sum(tax)::bigint as tax, sum(fee)::bigint as fee, sum(amount - fee)::bigint as net,
      coalesce((select t.payments from to_come t where t.currency = payment_count.currency), 0)::bigint as "feesToCome"
    from payment_count where newsletter_id = ${newsletterId} and ${isWithin(range)}
    group by currency order by sum(amount) desc, currency`.execute(db)
  return rows
}

/** What was left of payments in one of the equal parts of a range. */
export interface MoneyOfPart {
  currency: string
  part: number
  net: number
}

/** What was left of payments in each equal part of a range, by currency. */
export async function readMoneyByPart(db: Db, newsletterId: string, range: Range): Promise<MoneyOfPart[]> {
  const { rows } = await sql<MoneyOfPart>`
    select currency, ${partOf(sql`since`, range)} as part, sum(amount - fee)::bigint as net
    from payment_count where newsletter_id = ${newsletterId} and ${isStepOf(range, 'day')} group by 1, 2`.execute(db)
  return rows
}

/** The moment at which a day begins in a newsletter. */
const beginOf = (day: string, timezone: string) => sql<Date>`(${day}::timestamp at time zone ${timezone})`

const ofKind = (column: 'payments' | 'amount', kind: Payment['kind']) =>
  sql`coalesce(sum(${sql.ref(column)}) filter (where kind = ${kind}), 0)::bigint`

interface Of {
  newsletterId: string
  currency: string
  range: Range
}

/** What the first payments of a range are due to, those that brought in most first. */
export async function readSales(
  db: Db,
  { newsletterId, currency, range, dueTo }: Of & { dueTo: 'publication' | 'source' },
): Promise<Sales[]> {
  const { rows } = await sql<Sales>`
    select nullif(origin, '') as origin, sum(sales)::bigint as sales, sum(amount)::bigint as amount from sale_count
    where newsletter_id = ${newsletterId} and currency = ${currency} and due_to = ${dueTo} and ${isWithin(range)}
    group by origin having sum(sales) <> 0 or sum(amount) <> 0 order by sum(amount) desc, origin limit ${SHOWN}`.execute(
    db,
  )
  return rows
}

/** With the titles and numbers of the publications. One that was deleted has neither. */
export async function titled(db: Db, newsletterId: string, sales: Sales[]): Promise<Reply['publications']> {
  const ids = sales.flatMap(({ origin }) => (origin === null ? [] : [origin]))
  if (ids.length === 0) return sales.map((each) => ({ ...each, title: null, number: null }))
  const found = await db
    .selectFrom('publication')
    .select(['id', 'title', 'number'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(found.map((publication) => [publication.id, publication]))
  return sales.map((each) => {
    const { title = null, number = null } = byId.get(each.origin ?? '') ?? {}
    return { ...each, title, number }
  })
}

/** The newest refunds and disputes of a range. */
export async function readGivenBack(
  db: Db,
  { newsletterId, currency, range, timezone, withNames }: Of & { timezone: string; withNames: boolean },
): Promise<Reply['givenBack']> {
  const rows = await db
    .selectFrom('payment as p')
    .leftJoin('subscriber as s', (join) =>
      join.onRef('s.newsletter_id', '=', 'p.newsletter_id').onRef('s.id', '=', 'p.subscriber_id'),
    )
    .select(['p.kind', 'p.at', 'p.amount', 's.name', 's.email'])
    .where('p.newsletter_id', '=', newsletterId)
    .where('p.kind', '<>', 'payment')
    .where('p.test', '=', sql.lit(false))
    .where('p.currency', '=', currency)
    .where('p.at', '>=', beginOf(range.from, timezone))
    .where('p.at', '<', beginOf(daysLater(range.to, 1), timezone))
    .orderBy('p.at', 'desc')
    .orderBy('p.id')
    .limit(SHOWN_REFUNDS)
    .execute()
  return rows.map(({ kind, at, amount, name, email }) => ({
    kind: kind === 'refund' ? ('refund' as const) : ('dispute' as const),
    at: at.toISOString(),
    amount,
    name: withNames ? name || email : null,
  }))
}
