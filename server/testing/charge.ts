import { type SubscriptionRow, storeSubscription } from '../charge/change.ts'
import { storePayment } from '../charge/payments.ts'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { SubscriberKey } from '../subscribers/change.ts'

const DAY_MS = 86_400_000

/** A plan with a monthly and a yearly price in euros; answers its id. */
export async function addPaidPlan(db: Db, newsletterId: string, name = 'Supporter'): Promise<number> {
  const words = JSON.stringify({
    en: { name, promise: 'Every letter to its last line.' },
    fr: { name, promise: 'Chaque lettre jusqu’à sa dernière ligne.' },
  })
  const plan = { newsletter_id: newsletterId, kind: 'paid' as const, words }
  const { id } = await db.insertInto('plan').values(plan).returning('id').executeTakeFirstOrThrow()
  const price = { newsletter_id: newsletterId, plan_id: id, currency: 'eur' }
  await db
    .insertInto('price')
    .values([
      { ...price, period: 'month', amount: 600 },
      { ...price, period: 'year', amount: 5400 },
    ])
    .execute()
  return id
}

/** A subscription that was paid for a year, with its payment. A plan is made when none is named. Answers its id. */
export function addPaidSubscription(
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  { planId, at = new Date(), ...values }: { planId?: number; at?: Date } & Partial<SubscriptionRow> = {},
): Promise<string> {
  const store = async (tx: Db) => {
    const { grace_days } = await tx
      .selectFrom('newsletter')
      .select('grace_days')
      .where('id', '=', newsletterId)
      .executeTakeFirstOrThrow()
    const subscription = {
      id: uuidv7(),
      subscriber_id: subscriberId,
      plan_id: planId ?? (await addPaidPlan(tx, newsletterId)),
      way: 'outside' as const,
      status: 'active' as const,
      currency: 'eur',
      amount: 5400,
      period: 'year' as const,
      started_at: at,
      paid_until: new Date(at.getTime() + 365 * DAY_MS),
      ...values,
      at,
    }
    await storeSubscription(tx, { id: newsletterId, grace_days }, subscription)
    const { id, plan_id, currency, amount } = subscription
    await storePayment(tx, newsletterId, {
      id: uuidv7(),
      subscription_id: id,
      subscriber_id: subscriberId,
      plan_id,
      kind: 'payment',
      test: values.test ?? false,
      at,
      currency: currency ?? 'eur',
      amount: amount ?? 0,
      means: 'transfer',
    })
    return id
  }
  return db.isTransaction ? store(db) : db.transaction().execute(store)
}

/** The paid order of a gift, as if it had been bought by card at a price that is not offered any more. */
export async function addGiftOrder(
  db: Db,
  { newsletterId, planId, giftId }: { newsletterId: string; planId: number; giftId: string },
): Promise<void> {
  const at = new Date()
  const price = { newsletter_id: newsletterId, plan_id: planId, currency: 'eur', period: 'year' as const, amount: 5400 }
  const replaced = { ...price, replaced_at: at }
  const { id } = await db.insertInto('price').values(replaced).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('gift_order')
    .values({
      ...{ newsletter_id: newsletterId, id: uuidv7(), plan_id: planId, price_id: id, months: 12, test: false },
      ...{ language: 'en', buyer_email: 'giver@example.org', created_at: at, paid_at: at, gift_id: giftId },
    })
    .execute()
}
