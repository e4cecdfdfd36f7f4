import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { csvText } from '../../database/csv.ts'
import { isUuid, uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { ShownIds } from '../../http/shown-ids.ts'
import type { Language } from '../../languages.ts'
import { PlanWords } from '../plans/contract.ts'
import { wordsIn } from '../plans/offers.ts'
import { queueGiftMail } from './apply-order.ts'
import { newCode } from './code.ts'
import { type Gift, giftLimits, type makeGifts as making } from './contract.ts'

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

/** Whether a row `g` of `gift` can be taken at a moment. */
export const isOpen = (now: Date) =>
  sql<boolean>`(g.redeemed_at is null and g.withdrawn_at is null and (g.until is null or g.until > ${now}))`

interface GiftRow extends Omit<Gift, 'createdAt' | 'until' | 'takenAt' | 'subscriber' | 'bought'> {
  createdAt: Date
  until: Date | null
  takenAt: Date | null
  subscriberId: string | null
  email: string | null
  name: string | null
  test: boolean | null
  buyer: string | null
  recipient: string | null
  mailAt: Date | null
  mailedAt: Date | null
  returned: boolean
}

interface Listing extends Clocked {
  shownIds: ShownIds
}

async function giftsWhere(
  { db, shownIds, now }: Omit<Listing, 'db'> & { db: Db },
  newsletterId: string,
  { narrowed, limit }: { narrowed: RawBuilder<unknown>; limit: number },
): Promise<Gift[]> {
  const { rows } = await sql<GiftRow>`
    select g.id, g.code, g.plan_id as "planId", g.months, g.note, g.created_at as "createdAt", g.until, g.redeemed_at as "takenAt",
      case when g.redeemed_at is not null then 'taken' when g.withdrawn_at is not null then 'withdrawn'
        when ${isOpen(now())} then 'open' else 'over' end as state,
      r.id as "subscriberId", r.email, r.name, o.test, o.buyer_email as buyer, o.recipient_email as recipient, o.mail_at as "mailAt",
      case when o.mail_at is null then o.buyer_mailed_at else o.recipient_mailed_at end as "mailedAt", o.returned_at is not null as returned
    from gift g
    left join subscription s on s.newsletter_id = g.newsletter_id and s.id = g.subscription_id
    left join subscriber r on r.newsletter_id = s.newsletter_id and r.id = s.subscriber_id
    left join gift_order o on o.newsletter_id = g.newsletter_id and o.gift_id = g.id
    where g.newsletter_id = ${newsletterId} ${narrowed} order by g.id desc limit ${limit}`.execute(db)
  return rows.map(({ subscriberId, email, name, createdAt, until, takenAt, ...row }) => ({
    ...withOrder(row),
    createdAt: createdAt.toISOString(),
    until: until?.toISOString() ?? null,
    takenAt: takenAt?.toISOString() ?? null,
    subscriber: subscriberId && email ? { id: shownIds.show(subscriberId), email, name } : null,
  }))
}

function withOrder<Row extends Pick<GiftRow, 'test' | 'buyer' | 'recipient' | 'mailAt' | 'mailedAt' | 'returned'>>(
  row: Row,
) {
  const { test, buyer, recipient, mailAt, mailedAt, returned, ...gift } = row
  if (test === null) return { ...gift, bought: null }
  const times = { mailAt: mailAt?.toISOString() ?? null, mailedAt: mailedAt?.toISOString() ?? null }
  return { ...gift, bought: { test, buyer, recipient, returned, ...times } }
}

/** A page of gifts, the newest first. After what is no cursor there is nothing. */
export async function listGifts(
  context: Listing,
  newsletterId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) {
  const after = cursor === undefined ? sql`` : isUuid(cursor) ? sql`and g.id < ${cursor}` : sql`and false`
  const found = await giftsWhere(context, newsletterId, { narrowed: after, limit: limit + 1 })
  const rows = found.slice(0, limit)
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null }
}

/** @throws AppError plan_not_found, plan_closed, too_many_gifts, invalid for an end that has passed */
export const makeGifts = (
  context: Listing,
  newsletterId: string,
  { planId, months, count, until, note }: z.output<typeof making.body>,
): Promise<Gift[]> =>
  context.db.transaction().execute(async (tx) => {
    const now = context.now()
    if (until && new Date(until) <= now) throw new AppError('invalid', { fields: { until: 'day_past' } })
    // Requests at the same moment are counted one after the other.
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
    await requireSold(tx, { newsletterId, planId })
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from gift g where g.newsletter_id = ${newsletterId} and ${isOpen(now)}`.execute(tx)
    const maximum = giftLimits.open
    if ((rows[0]?.open ?? 0) + count > maximum) throw new AppError('too_many_gifts', { params: { maximum } })
    const made = Array.from({ length: count }, () => ({
      ...{ newsletter_id: newsletterId, id: uuidv7(), code: newCode(), plan_id: planId, months, note },
      ...{ until: until && new Date(until), created_at: now },
    }))
    await tx.insertInto('gift').values(made).execute()
    const narrowed = sql`and g.id = any(${made.map(({ id }) => id)}::uuid[])`
    return giftsWhere({ ...context, db: tx }, newsletterId, { narrowed, limit: count })
  })

async function requireSold(tx: Db, { newsletterId, planId }: { newsletterId: string; planId: number }): Promise<void> {
  const plan = await tx
    .selectFrom('plan')
    .select(['kind', 'closed_at'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', planId)
    .forKeyShare()
    .executeTakeFirst()
  if (plan?.kind !== 'paid') throw new AppError('plan_not_found')
  if (plan.closed_at) throw new AppError('plan_closed', { field: 'planId' })
}

/** @throws AppError gift_not_found, gift_taken */
export async function withdrawGift(context: Listing, newsletterId: string, id: string): Promise<Gift> {
  if (!isUuid(id)) throw new AppError('gift_not_found')
  await context.db
    .updateTable('gift')
    .set({ withdrawn_at: sql<Date>`coalesce(withdrawn_at, ${context.now()})` })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .where('redeemed_at', 'is', null)
    .execute()
  const [gift] = await giftsWhere(context, newsletterId, { narrowed: sql`and g.id = ${id}`, limit: 1 })
  if (!gift) throw new AppError('gift_not_found')
  if (gift.state === 'taken') throw new AppError('gift_taken')
  return gift
}

/** Queues the mail of a gift that was bought, now. One that waits takes no second place. @throws AppError gift_not_found, gift_taken */
export async function mailAgain({ db, now }: Clocked, newsletterId: string, id: string): Promise<void> {
  if (!isUuid(id)) throw new AppError('gift_not_found')
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ orderId: string; open: boolean; to: 'buyer' | 'recipient' }>`
      select o.id as "orderId", ${isOpen(now())} as open, case when o.mail_at is null then 'buyer' else 'recipient' end as to
      from gift g join gift_order o on o.newsletter_id = g.newsletter_id and o.gift_id = g.id
      where g.newsletter_id = ${newsletterId} and g.id = ${id} for update of g`.execute(tx)
    const [gift] = rows
    if (!gift) throw new AppError('gift_not_found')
    if (!gift.open) throw new AppError('gift_taken')
    await queueGiftMail(tx, { newsletterId, orderId: gift.orderId, to: gift.to }, null)
  })
}

/** The gifts that can be taken as CSV, with a line of names. Those are the API's in every language, for programs. */
export async function giftsCsv(
  { db, now }: Clocked,
  { id: newsletterId, language }: { id: string; language: Language },
  sheet?: Language,
): Promise<string> {
  const { rows } = await sql<{ code: string; words: unknown; months: number; until: Date | null; note: string }>`
    select g.code, p.words, g.months, g.until, g.note
    from gift g join plan p on p.newsletter_id = g.newsletter_id and p.id = g.plan_id
    where g.newsletter_id = ${newsletterId} and ${isOpen(now())} order by g.id desc limit ${giftLimits.open}`.execute(
    db,
  )
  const lines = rows.map(({ code, words, months, until, note }) => [
    ...[code, wordsIn(PlanWords.parse(words), language).name, months, until?.toISOString() ?? null, note],
  ])
  return csvText([['code', 'plan', 'months', 'until', 'note'], ...lines], sheet)
}
