import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { isUuid, uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { enqueue } from '../../jobs/queue.ts'
import { Currency } from '../currency.ts'
import type { PlanKey } from '../plans/plans.ts'
import { findAccount } from '../stripe/account.ts'
import type { LeftOut, listPriceMoves, MoveGroup, PriceMove } from './contract.ts'
import { firstPayment, noticeOver } from './schedule.ts'

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

/**
 * SQL for those of a plan who are charged a price by Stripe that is not offered any more, each with the price that took its place and the reason why they are left out.
 * Who has cancelled is not among them, nor who gives more than both prices because they chose to.
 */
const candidates = ({ newsletterId, planId }: PlanKey, test: boolean) => sql`
  select s.id, s.price_id as from_price_id, s.amount as from_amount, s.currency, s.period, s.paid_until, o.id as price_id, o.amount,
    case when s.status = 'paused' then 'paused' when s.status = 'past_due' then 'failing'
      when s.discount > 0 or cardinality(s.stripe_discounts) > 0 then 'coupon'
      when o.amount > s.amount and (r.id is null or x.email_normalised is not null) then 'no_mail' end as reason
  from subscription s
  join price p on p.newsletter_id = s.newsletter_id and p.id = s.price_id
  join price o on o.newsletter_id = s.newsletter_id and o.plan_id = s.plan_id and o.currency = s.currency and o.period = s.period
    and o.replaced_at is null and o.period <> 'once'
  left join subscriber r on r.newsletter_id = s.newsletter_id and r.id = s.subscriber_id
  left join suppression x on x.newsletter_id = r.newsletter_id and x.email_normalised = r.email_normalised
  where s.newsletter_id = ${newsletterId} and s.plan_id = ${planId} and s.way = 'card' and s.test = ${test} and s.stripe_id like 'sub\\_%'
    and s.status not in ('ended', 'incomplete') and s.renews and s.paid_until is not null
    and s.price_id <> o.id and s.amount <> o.amount and not (s.amount > p.amount and s.amount > o.amount)`

interface GroupRow {
  priceId: number
  currency: string
  period: 'month' | 'year'
  from: number
  to: number
  reason: LeftOut | null
  earliest: Date
  latest: Date
  subscribers: number
}

/** Who pays a former price of a plan by card, and what became of earlier moves. @throws AppError plan_not_found */
export async function movesOf({ db, now }: Clocked, key: PlanKey): Promise<z.output<typeof listPriceMoves.reply>> {
  const plan = db.selectFrom('plan').select('id').where('newsletter_id', '=', key.newsletterId)
  if (!(await plan.where('id', '=', key.planId).executeTakeFirst())) throw new AppError('plan_not_found')
  const account = await findAccount(db, key.newsletterId)
  const rows = account ? await groupsOf(db, key, { test: account.test, at: now() }) : []
  return {
    groups: grouped(
      rows.filter(({ reason }) => reason === null),
      now(),
    ),
    leftOut: leftOutOf(rows),
    moves: await shownMoves(db, key.newsletterId, sql`m.plan_id = ${key.planId}`),
  }
}

/** Apart by whether their next payment is far enough away to be the first one, so that the first of each part is the first of all. */
async function groupsOf(db: Db, key: PlanKey, { test, at }: { test: boolean; at: Date }): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select c.price_id as "priceId", c.currency, c.period, c.from_amount as "from", c.amount as "to", c.reason,
      min(c.paid_until) as earliest, max(c.paid_until) as latest, count(*) as subscribers
    from (${candidates(key, test)}) c
    group by c.price_id, c.currency, c.period, c.from_amount, c.amount, c.reason, c.paid_until >= ${noticeOver(at)}
    order by c.currency, c.period, c.from_amount, c.price_id`.execute(db)
  return rows
}

function grouped(rows: GroupRow[], at: Date): MoveGroup[] {
  const groups = Map.groupBy(rows, ({ priceId, from }) => `${priceId} ${from}`)
  return [...groups.values()].map((parts) => {
    const [{ priceId, currency, period, from, to }] = parts as [GroupRow]
    const firsts = parts.flatMap(({ earliest, latest }) =>
      [earliest, latest].map((paidUntil) => firstPayment(paidUntil, period, at).getTime()),
    )
    const rises = Number(to) > Number(from)
    return {
      ...{ priceId, currency: Currency.parse(currency), period, from: Number(from), to: Number(to) },
      subscribers: parts.reduce((sum, { subscribers }) => sum + subscribers, 0),
      firstAt: rises ? new Date(Math.min(...firsts)).toISOString() : null,
      lastAt: rises ? new Date(Math.max(...firsts)).toISOString() : null,
    }
  })
}

function leftOutOf(rows: Pick<GroupRow, 'reason' | 'subscribers'>[]): PriceMove['leftOut'] {
  const reasons = Map.groupBy(rows, ({ reason }) => reason)
  return [...reasons].flatMap(([reason, parts]) =>
    reason ? [{ reason, subscribers: parts.reduce((sum, { subscribers }) => sum + subscribers, 0) }] : [],
  )
}

interface MoveRow {
  id: string
  test: boolean
  startedAt: Date
  stoppedAt: Date | null
  doneAt: Date | null
  state: PriceMoveState | null
  reason: LeftOut | null
  subscribers: number
}
type PriceMoveState = 'waiting' | 'noticed' | 'moved' | 'left_out' | 'kept'

const SHOWN = 5

async function shownMoves(db: Db, newsletterId: string, condition: RawBuilder<unknown>): Promise<PriceMove[]> {
  const { rows } = await sql<MoveRow>`
    select m.id, m.test, m.started_at as "startedAt", m.stopped_at as "stoppedAt", m.done_at as "doneAt", s.state, s.reason,
      count(s.subscription_id) as subscribers
    from (select * from price_move m where m.newsletter_id = ${newsletterId} and ${condition} order by m.started_at desc, m.id limit ${SHOWN}) m
    left join price_move_subscription s on s.newsletter_id = m.newsletter_id and s.move_id = m.id
    group by m.id, m.test, m.started_at, m.stopped_at, m.done_at, s.state, s.reason
    order by m.started_at desc, m.id, s.reason`.execute(db)
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((parts) => {
    const [{ id, test, startedAt, stoppedAt, doneAt }] = parts as [MoveRow]
    const count = (state: PriceMoveState) => parts.find((one) => one.state === state)?.subscribers ?? 0
    return {
      ...{ id, test, startedAt: startedAt.toISOString() },
      stoppedAt: stoppedAt?.toISOString() ?? null,
      doneAt: doneAt?.toISOString() ?? null,
      ...{ waiting: count('waiting'), noticed: count('noticed'), moved: count('moved'), kept: count('kept') },
      leftOut: leftOutOf(parts),
    }
  })
}

/**
 * Begins to move people to prices that are offered. A job tells and moves them.
 *
 * @param seen how many were to be moved when it was decided
 * @throws AppError plan_not_found, price_not_found, stripe_not_connected, price_move_under_way; price_move_changed when by now there are others or none
 */
export const startMove = (
  { db, now }: Clocked,
  key: PlanKey,
  { priceIds, seen }: { priceIds: number[]; seen: number },
): Promise<PriceMove> =>
  db.transaction().execute(async (tx) => {
    const { newsletterId, planId } = key
    // Whoever changes the prices, or begins a move, at the same moment waits.
    const plan = tx.selectFrom('plan').select('id').where('newsletter_id', '=', newsletterId).where('id', '=', planId)
    if (!(await plan.forNoKeyUpdate().executeTakeFirst())) throw new AppError('plan_not_found')
    const account = await findAccount(tx, newsletterId)
    if (!account) throw new AppError('stripe_not_connected')
    await requireOffered(tx, key, priceIds)
    const open = tx
      .selectFrom('price_move')
      .select('id')
      .where('newsletter_id', '=', newsletterId)
      .where('plan_id', '=', planId)
      .where('stopped_at', 'is', null)
      .where('done_at', 'is', null)
    if (await open.executeTakeFirst()) throw new AppError('price_move_under_way')
    const id = uuidv7()
    const at = now()
    await tx
      .insertInto('price_move')
      .values({ newsletter_id: newsletterId, id, plan_id: planId, test: account.test, started_at: at })
      .execute()
    const { rows } = await sql<{ state: string }>`
      insert into price_move_subscription (newsletter_id, move_id, subscription_id, from_price_id, from_amount, price_id, amount, state, reason, decided_at)
      select ${newsletterId}, ${id}, c.id, c.from_price_id, c.from_amount, c.price_id, c.amount,
        case when c.reason is null then 'waiting' else 'left_out' end, c.reason, case when c.reason is not null then ${at}::timestamptz end
      from (${candidates(key, account.test)}) c where c.price_id = any(${priceIds}::integer[]) returning state`.execute(
      tx,
    )
    if (rows.filter(({ state }) => state === 'waiting').length !== seen) throw new AppError('price_move_changed')
    await enqueue(tx, 'move_prices', { newsletterId, moveId: id })
    return findMove(tx, newsletterId, id)
  })

async function requireOffered(tx: Db, { newsletterId, planId }: PlanKey, priceIds: number[]): Promise<void> {
  const rows = await tx
    .selectFrom('price')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('plan_id', '=', planId)
    .where('replaced_at', 'is', null)
    .where('id', 'in', priceIds)
    .execute()
  if (rows.length !== new Set(priceIds).size) throw new AppError('price_not_found')
}

/** @throws AppError price_move_not_found */
async function findMove(db: Db, newsletterId: string, id: string): Promise<PriceMove> {
  const [move] = await shownMoves(db, newsletterId, sql`m.id = ${id}`)
  if (!move) throw new AppError('price_move_not_found')
  return move
}

/**
 * Stops a move. It waits for the one subscription that is being changed at Stripe; from its answer on nobody else is. One that is over stays as it is.
 *
 * @throws AppError price_move_not_found
 */
export const stopMove = ({ db, now }: Clocked, newsletterId: string, moveId: string): Promise<PriceMove> =>
  db.transaction().execute(async (tx) => {
    if (!isUuid(moveId)) throw new AppError('price_move_not_found')
    const { numUpdatedRows } = await tx
      .updateTable('price_move')
      .set({ stopped_at: now() })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', moveId)
      .where('stopped_at', 'is', null)
      .where('done_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await enqueue(tx, 'move_prices', { newsletterId, moveId })
    return findMove(tx, newsletterId, moveId)
  })
