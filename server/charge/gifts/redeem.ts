import { type Kysely, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import { monthsLater } from '../../subscribers/leave.ts'
import { lockSubscriber } from '../../subscribers/queries.ts'
import { type ChargingNewsletter, storeSubscription } from '../change.ts'
import { type Plan, PlanWords } from '../plans/contract.ts'
import { isOpen } from './gifts.ts'

/** What somebody is given who has a code. */
export interface Given {
  id: string
  code: string
  planId: number
  words: Plan['words']
  months: number
  open: boolean
  /** Who took it, and until when it opens the plan. */
  taken: { subscriberId: string | null; until: Date | null } | null
}

type Sought = { code: string } | { giftId: string }

/** The gift of a code, or of an id, in any state; null when there is none. */
export async function findGift(
  db: Db,
  { newsletterId, ...sought }: { newsletterId: string } & Sought,
  now: Date,
): Promise<Given | null> {
  const { rows } = await sql<{
    id: string
    code: string
    planId: number
    words: unknown
    months: number
    open: boolean
    subscriptionId: string | null
    subscriberId: string | null
    until: Date | null
  }>`
    select g.id, g.code, g.plan_id as "planId", p.words, g.months, ${isOpen(now)} as open, g.subscription_id as "subscriptionId",
      s.subscriber_id as "subscriberId", s.paid_until as until
    from gift g
    join plan p on p.newsletter_id = g.newsletter_id and p.id = g.plan_id
    left join subscription s on s.newsletter_id = g.newsletter_id and s.id = g.subscription_id
    where g.newsletter_id = ${newsletterId}
      and ${'code' in sought ? sql`g.code = ${sought.code}` : sql`g.id = ${sought.giftId}`}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { subscriptionId, subscriberId, until, words, ...gift } = row
  return { ...gift, words: PlanWords.parse(words), taken: subscriptionId === null ? null : { subscriberId, until } }
}

/**
 * Gives a gift to a subscriber. Of all who take it at the same moment one has it: they wait for its row. It begins when what they
 * have of the plan ends. A plan that is full or closed by now is opened all the same, for the gift was a promise.
 *
 * @returns `has` for who has the plan without an end or renews it, whom it would give nothing; `over` when it cannot be taken any more
 */
export const redeem = (
  { db, now }: { db: Kysely<DB>; now: () => Date },
  newsletter: ChargingNewsletter,
  { giftId, subscriberId }: { giftId: string; subscriberId: string },
): Promise<'given' | 'has' | 'over'> =>
  db.transaction().execute(async (tx) => {
    const at = now()
    const newsletterId = newsletter.id
    const { rows } = await sql<{ plan_id: number; months: number; test: boolean }>`
      select g.plan_id, g.months, exists (select from gift_order o
        where o.newsletter_id = g.newsletter_id and o.gift_id = g.id and o.test) as test from gift g
      where g.newsletter_id = ${newsletterId} and g.id = ${giftId} and ${isOpen(at)} for update`.execute(tx)
    const [gift] = rows
    if (!gift || !(await lockSubscriber(tx, { newsletterId, subscriberId }))) return 'over'
    const from = await freeFrom(tx, { newsletterId, subscriberId, planId: gift.plan_id }, at)
    if (from === 'never') return 'has'
    const id = uuidv7()
    await storeSubscription(tx, newsletter, {
      ...{ id, subscriber_id: subscriberId, plan_id: gift.plan_id, way: 'gift', status: 'active', test: gift.test },
      ...{ started_at: at, paid_until: monthsLater(from, gift.months), at },
    })
    await tx
      .updateTable('gift')
      .set({ redeemed_at: at, subscription_id: id })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', giftId)
      .execute()
    // The one mail for which it was given has done its work.
    await tx
      .updateTable('gift_order')
      .set({ recipient_email: null, recipient_name: '', message: '' })
      .where('newsletter_id', '=', newsletterId)
      .where('gift_id', '=', giftId)
      .execute()
    return 'given'
  })

/** When a subscriber has a plan no more, as things are. */
async function freeFrom(
  tx: Db,
  { newsletterId, subscriberId, planId }: SubscriberKey & { planId: number },
  now: Date,
): Promise<Date | 'never'> {
  const { rows } = await sql<{ goesOn: boolean | null; until: Date | null }>`
    select bool_or(s.renews or s.paid_until is null) as "goesOn", max(s.paid_until) as until from subscription s
    where s.newsletter_id = ${newsletterId} and s.subscriber_id = ${subscriberId} and s.plan_id = ${planId}
      and s.status not in ('ended', 'incomplete') and not s.test`.execute(tx)
  const { goesOn, until } = rows[0] ?? {}
  if (goesOn) return 'never'
  return until && until > now ? until : now
}
