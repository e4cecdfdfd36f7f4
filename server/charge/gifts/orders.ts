import { type Selectable, sql } from 'kysely'
import type Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { GiftOrder } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import type { Currency } from '../money.ts'
import type { Offer, OfferedPrice } from '../plans/offers.ts'
import { type Connected, requireConnected } from '../stripe/account.ts'
import { isGone, stripeRefusal } from '../stripe/client.ts'
import { forgetObjects, productOf, type Sold, soldAt } from '../stripe/objects.ts'

/** As long as a buyer who presses twice, or comes back to the page, gets the same checkout, in milliseconds. */
const SAME_ORDER_MS = 15 * 60_000
/** So many orders an hour may name one address to be written to. */
const MOST_FOR_ONE = 5
const HOUR_MS = 3_600_000

export type OrderRow = Selectable<GiftOrder>

/** What of a plan can be given: its year, else what is bought once for some months. */
export function giftPrice(
  { giftable, prices }: Offer,
  currency: Currency | null,
): (OfferedPrice & { months: number }) | null {
  if (!giftable) return null
  const inCurrency = prices.filter((one) => one.currency === currency)
  const year = inCurrency.find(({ period }) => period === 'year')
  if (year) return { ...year, months: 12 }
  const once = inCurrency.find(({ period, months }) => period === 'once' && months !== null)
  return once ? { ...once, months: once.months ?? 12 } : null
}

export interface Ordering {
  newsletterId: string
  planId: number
  priceId: number
  months: number
  language: Language
  buyer: string
  recipient: { email: string; name: string; at: Date } | null
  message: string
  /** Where Stripe leads back to: paid, and not paid. */
  done: string
  back: string
}

type Opening = Pick<Context, 'db' | 'sealer' | 'config' | 'now'>

/**
 * Stores what somebody orders, and begins its payment on Stripe's page. Nobody is written to before it is paid.
 *
 * @returns the address of that page, and whether no money moves there
 * @throws AppError too_many_requests, stripe_not_connected, stripe_away, stripe_refused, stripe_right_missing, stripe_key_refused
 */
export async function orderGift(context: Opening, ordering: Ordering): Promise<{ url: string; test: boolean }> {
  const connected = await requireConnected(context, ordering.newsletterId)
  const order = await storeOrder(context, connected, ordering)
  const sold = await soldAt(context.db, ordering.newsletterId, ordering.priceId)
  const beginning = { ordering, order, sold }
  try {
    return await begin(context.db, connected, beginning)
  } catch (error) {
    if (!isGone(error)) throw stripeRefusal(error)
    // Somebody deleted at Stripe what was sold. It is made anew, once.
    await forgetObjects(context.db, connected.account)
    return begin(context.db, connected, { ...beginning, anew: ' again' }).catch((again: unknown) => {
      throw stripeRefusal(again)
    })
  }
}

/** The order of the same words that is not paid yet is taken again. */
const storeOrder = (
  { db, now }: Opening,
  { account }: Connected,
  { newsletterId, planId, priceId, months, language, buyer, recipient, message }: Ordering,
): Promise<OrderRow> =>
  db.transaction().execute(async (tx) => {
    const at = now()
    // Orders at the same moment are counted one after the other.
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
    const row = {
      ...{ newsletter_id: newsletterId, plan_id: planId, price_id: priceId, months, test: account.test, language },
      ...{
        buyer_email: buyer,
        recipient_email: recipient?.email ?? null,
        recipient_name: recipient?.name ?? '',
        message,
      },
      mail_at: recipient?.at ?? null,
    }
    const { rows } = await sql<OrderRow>`
      select * from gift_order o where o.newsletter_id = ${newsletterId} and o.created_at > ${new Date(at.getTime() - SAME_ORDER_MS)}
        and o.paid_at is null and o.plan_id = ${planId} and o.price_id = ${priceId} and o.test = ${account.test} and o.language = ${language}
        and o.buyer_email = ${buyer} and o.recipient_email is not distinct from ${row.recipient_email}
        and o.recipient_name = ${row.recipient_name} and o.message = ${message}
        and o.mail_at::date is not distinct from ${row.mail_at}::timestamptz::date
      order by o.id limit 1`.execute(tx)
    if (rows[0]) return rows[0]
    if (recipient) await requireRoom(tx, { newsletterId, email: recipient.email, at })
    const order = { ...row, id: uuidv7(at.getTime()), created_at: at }
    return tx.insertInto('gift_order').values(order).returningAll().executeTakeFirstOrThrow()
  })

async function requireRoom(tx: Db, { newsletterId, email, at }: { newsletterId: string; email: string; at: Date }) {
  const { rows } = await sql<{ orders: number }>`
    select count(*)::integer as orders from gift_order o where o.newsletter_id = ${newsletterId}
      and lower(o.recipient_email) = lower(${email}) and o.created_at > ${new Date(at.getTime() - HOUR_MS)}`.execute(tx)
  if ((rows[0]?.orders ?? 0) >= MOST_FOR_ONE) throw new AppError('too_many_requests', { params: { seconds: 3600 } })
}

interface Beginning {
  ordering: Ordering
  order: OrderRow
  sold: Sold
  anew?: string
}

async function begin(db: Db, connected: Connected, { ordering, order, sold, anew = '' }: Beginning) {
  const { account, stripe } = connected
  const metadata = { tirage_newsletter: order.newsletter_id, tirage_gift: order.id }
  const params: Stripe.Checkout.SessionCreateParams = {
    customer_email: ordering.buyer,
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          product: await productOf(db, connected, sold),
          currency: sold.price.currency,
          unit_amount: Number(sold.price.amount),
          tax_behavior: sold.taxInside ? 'inclusive' : 'exclusive',
        },
      },
    ],
    locale: ordering.language,
    automatic_tax: { enabled: account.automatic_tax },
    tax_id_collection: { enabled: account.tax_id_collection },
    metadata,
    payment_intent_data: { metadata },
    invoice_creation: { enabled: true },
    success_url: ordering.done,
    cancel_url: ordering.back,
  }
  const session = await stripe.checkout.sessions.create(params, { idempotencyKey: `gift ${order.id}${anew}` })
  if (!session.url) throw new AppError('stripe_refused', { params: { reason: 'checkout' } })
  await db
    .updateTable('gift_order')
    .set({ stripe_id: session.id })
    .where('newsletter_id', '=', order.newsletter_id)
    .where('id', '=', order.id)
    .where('paid_at', 'is', null)
    .execute()
  return { url: session.url, test: account.test }
}
