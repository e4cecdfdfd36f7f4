import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import type { ShownIds } from '../../http/shown-ids.ts'
import { Currency } from '../currency.ts'
import type { chargeOverview, Payment, Subscription } from './contract.ts'

type Begun = z.infer<typeof chargeOverview.reply>['begun']

interface SubscriptionRow {
  id: string
  subscriberId: string | null
  email: string | null
  name: string | null
  planId: number
  way: Subscription['way']
  test: boolean
  status: Subscription['status']
  currency: string | null
  amount: number | null
  discount: number
  period: Subscription['period']
  nextAmount: number | null
  startedAt: Date
  paidUntil: Date | null
  renews: boolean
  remindedDays: number | null
  endedAt: Date | null
  note: string
  means: string | null
}

/** The subscriptions `s` that fit a condition, each with its subscriber and what its last payment says. */
async function subscriptionsWhere(
  db: Db,
  condition: RawBuilder<SqlBool>,
  { order, limit }: { order: RawBuilder<unknown>; limit: number },
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select s.id, s.subscriber_id as "subscriberId", r.email, r.name, s.plan_id as "planId", s.way, s.test, s.status, s.currency,
      s.amount, s.discount, s.period, n.amount as "nextAmount", s.started_at as "startedAt", s.paid_until as "paidUntil", s.renews,
      case when s.reminded_for = s.paid_until then s.reminded_days end as "remindedDays", s.ended_at as "endedAt", s.note,
      (select p.means from payment p where p.newsletter_id = s.newsletter_id and p.subscription_id = s.id and p.kind = 'payment'
        order by p.at desc limit 1) as means
    from subscription s
    left join subscriber r on r.newsletter_id = s.newsletter_id and r.id = s.subscriber_id
    left join price n on n.newsletter_id = s.newsletter_id and n.id = s.next_price_id
    where ${condition} order by ${order} limit ${limit}`.execute(db)
  return rows
}

const inWords = (shownIds: ShownIds, row: SubscriptionRow): Subscription => ({
  id: row.id,
  subscriber: personOf(shownIds, row),
  planId: row.planId,
  way: row.way,
  test: row.test,
  status: row.status,
  currency: Currency.safeParse(row.currency).data ?? null,
  amount: row.amount,
  discount: row.discount,
  period: row.period,
  nextAmount: row.nextAmount,
  startedAt: row.startedAt.toISOString(),
  paidUntil: row.paidUntil?.toISOString() ?? null,
  renews: row.renews,
  remindedDays: row.remindedDays,
  endedAt: row.endedAt?.toISOString() ?? null,
  note: row.note,
  means: row.means,
})

const personOf = (
  shownIds: ShownIds,
  { subscriberId, email, name }: { subscriberId: string | null; email: string | null; name: string | null },
) => (subscriberId && email ? { id: shownIds.show(subscriberId), email, name } : null)

interface Asked {
  way?: Subscription['way'] | undefined
  /** As the database has it. */
  subscriberId?: string | undefined
  planId?: number | undefined
  due?: Due | undefined
  cursor?: string | undefined
  limit: number
}

interface Listing {
  db: Db
  shownIds: ShownIds
}

/** A page of subscriptions, the newest first; of those that are due, the most pressing first. */
export async function listSubscriptions(
  { db, shownIds, now }: Listing & { now: () => Date },
  newsletterId: string,
  { way, subscriberId, planId, due, cursor, limit }: Asked,
) {
  const order = due ? sql`${dueAt[due]}, s.id` : sql`s.id desc`
  const condition = sql<SqlBool>`${due ? dueConditions(newsletterId, now())[due] : sql`s.newsletter_id = ${newsletterId}`}
    ${way ? sql`and s.way = ${way}` : sql``} ${subscriberId ? sql`and s.subscriber_id = ${subscriberId}` : sql``}
    ${planId ? sql`and s.plan_id = ${planId}` : sql``} ${due ? afterDue(due, newsletterId, cursor) : after(cursor)}`
  const rows = await subscriptionsWhere(db, condition, { order, limit: limit + 1 })
  const page = rows.slice(0, limit).map((row) => inWords(shownIds, row))
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** After what is no cursor there is nothing. */
const after = (cursor: string | undefined) =>
  cursor === undefined ? sql`` : isUuid(cursor) ? sql`and s.id < ${cursor}` : sql`and false`

/** After the subscription that the cursor names, wherever it is now: what is due changes while somebody looks at it. */
const afterDue = (due: Due, newsletterId: string, cursor: string | undefined) => {
  if (cursor === undefined) return sql``
  if (!isUuid(cursor)) return sql`and false`
  return sql`and (${dueAt[due]}, s.id) > (
    select ${dueAt[due]}, s.id from subscription s where s.newsletter_id = ${newsletterId} and s.id = ${cursor})`
}

/** @throws AppError subscription_not_found */
export async function findSubscription(
  { db, shownIds }: Listing,
  newsletterId: string,
  id: string,
): Promise<Subscription> {
  const condition = sql<SqlBool>`s.newsletter_id = ${newsletterId} and s.id = ${isUuid(id) ? id : null}::uuid`
  const [row] = await subscriptionsWhere(db, condition, { order: sql`s.id`, limit: 1 })
  if (!row) throw new AppError('subscription_not_found')
  return inWords(shownIds, row)
}

const FIRST = 5

/** What is due: it ends within 30 days, the last of them to its end, and does not renew, or its payment failed. */
const dueConditions = (newsletterId: string, now: Date) => {
  const own = sql`s.newsletter_id = ${newsletterId} and not s.test and s.subscriber_id is not null`
  return {
    ending: sql<SqlBool>`${own} and s.status in ('active', 'trialing') and not s.renews
      and s.paid_until > ${now} and s.paid_until < (
        select ((${now}::timestamptz at time zone n.timezone)::date + 31)::timestamp at time zone n.timezone
        from newsletter n where n.id = ${newsletterId}
      )`,
    failed: sql<SqlBool>`${own} and s.status = 'past_due'`,
  }
}
const dueAt = { ending: sql`s.paid_until`, failed: sql`coalesce(s.past_due_since, s.started_at)` }
type Due = keyof typeof dueAt

/** The first of each that is due, and what of a beginning is done. */
export async function overviewOf({ db, shownIds }: Listing, newsletterId: string, now: Date) {
  const conditions = dueConditions(newsletterId, now)
  const part = async (due: Due) => {
    const [condition, order] = [conditions[due], sql`${dueAt[due]}, s.id`]
    const { rows } = await sql<{
      total: number
    }>`select count(*) as total from subscription s where ${condition}`.execute(db)
    const first = await subscriptionsWhere(db, condition, { order, limit: FIRST })
    return { total: rows[0]?.total ?? 0, rows: first.map((row) => inWords(shownIds, row)) }
  }
  return {
    ending: await part('ending'),
    failed: await part('failed'),
    begun: await begunOf(db, newsletterId),
  }
}

/** What of a beginning is done. */
async function begunOf(db: Db, newsletterId: string): Promise<Begun> {
  const { rows } = await sql<Begun>`
    select
      exists (select from plan p join price r on r.newsletter_id = p.newsletter_id and r.plan_id = p.id and r.replaced_at is null
        where p.newsletter_id = ${newsletterId} and p.closed_at is null) as priced,
      exists (select from subscription s where s.newsletter_id = ${newsletterId} and s.way not in ('card', 'gift')) as entered,
      exists (select from stripe_account a where a.newsletter_id = ${newsletterId}) as card,
      exists (select from (select content from publication where newsletter_id = ${newsletterId}
        order by edited_at desc limit 100) as newest
        where jsonb_path_exists(newest.content, '$.content[*] ? (@.type == "paywall")')) as paywall`.execute(db)
  return rows[0] ?? { priced: false, entered: false, card: false, paywall: false }
}

interface PaymentRow {
  id: string
  subscriptionId: string | null
  subscriberId: string | null
  email: string | null
  name: string | null
  planId: number | null
  kind: Payment['kind']
  test: boolean
  at: Date
  instant: string
  currency: string
  amount: number
  fee: number
  tax: number
  means: string
  until: Date | null
  note: string
  refunded: number | null
  byStripe: boolean
  gift: boolean
  bookingId: string | null
  sponsor: string | null
}

const INSTANT = `YYYY-MM-DD"T"HH24:MI:SS.US"Z"`
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~([0-9a-f-]{36})$/

/** A page of the books, the newest first; or one payment. */
export async function listPayments(
  { db, shownIds }: Listing,
  newsletterId: string,
  asked: { subscriberId?: string | undefined; paymentId?: string; cursor?: string | undefined; limit: number },
): Promise<{ rows: Payment[]; next: string | null }> {
  const { subscriberId, paymentId, cursor, limit } = asked
  const [, at = '', id = ''] = CURSOR.exec(cursor ?? '') ?? []
  const isCursor = isUuid(id) && z.iso.datetime().safeParse(at).success
  const before =
    cursor === undefined ? sql`` : isCursor ? sql`and (p.at, p.id) < (${at}::timestamptz, ${id}::uuid)` : sql`and false`
  const { rows } = await sql<PaymentRow>`
    select p.id, p.subscription_id as "subscriptionId", p.subscriber_id as "subscriberId", r.email, r.name, p.plan_id as "planId",
      p.kind, p.test, p.at, to_char(p.at at time zone 'UTC', ${INSTANT}) as instant, p.currency, p.amount, p.fee, p.tax, p.means,
      p.period_until as until, p.note, p.stripe_id is not null as "byStripe", p.gift_id is not null as gift,
      b.id as "bookingId", b.sponsor,
      case p.kind when 'payment' then (select -sum(f.amount) from payment f where f.newsletter_id = p.newsletter_id
        and f.refund_of = p.id) end as refunded
    from payment p left join subscriber r on r.newsletter_id = p.newsletter_id and r.id = p.subscriber_id
    left join booking b on b.newsletter_id = p.newsletter_id and b.id = p.booking_id
    where p.newsletter_id = ${newsletterId} ${subscriberId ? sql`and p.subscriber_id = ${subscriberId}` : sql``}
      ${paymentId ? sql`and p.id = ${paymentId}` : sql``} ${before}
    order by p.at desc, p.id desc limit ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page.map((row) => shownPayment(shownIds, row)),
    next: rows.length > limit && last ? `${last.instant}~${last.id}` : null,
  }
}

const shownPayment = (shownIds: ShownIds, row: PaymentRow): Payment => ({
  id: row.id,
  subscriptionId: row.subscriptionId,
  subscriber: personOf(shownIds, row),
  planId: row.planId,
  kind: row.kind,
  test: row.test,
  at: row.at.toISOString(),
  currency: Currency.parse(row.currency),
  amount: row.amount,
  fee: row.fee,
  tax: row.tax,
  means: row.means,
  until: row.until?.toISOString() ?? null,
  note: row.note,
  refunded: Number(row.refunded),
  byStripe: row.byStripe,
  gift: row.gift,
  booking: row.bookingId && row.sponsor !== null ? { id: row.bookingId, sponsor: row.sponsor } : null,
})
