import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import type { Db } from '../../database/client.ts'
import type { Newsletter, Price, StripeObject } from '../../database/types.ts'
import type { Language } from '../../languages.ts'
import { PlanWords } from '../plans/contract.ts'
import { wordsIn } from '../plans/offers.ts'
import type { Connected } from './account.ts'
import { isGone } from './client.ts'

/** What is sold, as Stripe has to know it. */
export interface Sold {
  newsletterId: string
  planId: number
  /** In the language of the newsletter: it stands on receipts. */
  name: string
  price: Pick<Selectable<Price>, 'id' | 'currency' | 'period' | 'amount'>
  taxInside: boolean
}

/** What is sold at one of a newsletter's prices. */
export async function soldAt(db: Db, newsletterId: string, priceId: number): Promise<Sold> {
  const price = await db
    .selectFrom('price')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', priceId)
    .executeTakeFirstOrThrow()
  const { words } = await db
    .selectFrom('plan')
    .select('words')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', price.plan_id)
    .executeTakeFirstOrThrow()
  const newsletter = await db
    .selectFrom('newsletter')
    .select(['name', 'language', 'tax_inside'])
    .where('id', '=', newsletterId)
    .executeTakeFirstOrThrow()
  return {
    newsletterId,
    planId: price.plan_id,
    name: nameOfPlan(words, newsletter),
    price,
    taxInside: newsletter.tax_inside,
  }
}

/** It stands on invoices, so it is in the newsletter's own language where it has words in that. */
function nameOfPlan(words: unknown, { name, language }: Pick<Selectable<Newsletter>, 'name' | 'language'>): string {
  const own = wordsIn(PlanWords.parse(words), language as Language).name
  return own ? `${name}: ${own}` : name
}

/**
 * The id at Stripe of the product of a plan. It is made when it is needed, under an id of ours, so that two buyers at the same time find
 * the same one.
 */
export function productOf(db: Db, connected: Connected, sold: Sold): Promise<string> {
  const { stripe, account } = connected
  const id = `tirage_${sold.newsletterId}_${sold.planId}`
  return kept(db, { account, kind: 'product', ourId: sold.planId }, async () => {
    const found = await stripe.products.retrieve(id).catch(nullIfGone)
    if (found) return found.id
    const metadata = { tirage_newsletter: sold.newsletterId, tirage_plan: sold.planId }
    const product = { id, name: sold.name, metadata }
    const made = await stripe.products.create(product, { idempotencyKey: randomUUID() }).catch(nullIfThere)
    return made?.id ?? id
  })
}

/**
 * The id at Stripe of one of our prices. Its lookup key is ours, so that it is found again by another process or after a loss, and is
 * refused a second time. An idempotency key that outlived its call would bring back what was deleted meanwhile.
 */
export function priceOf(db: Db, connected: Connected, sold: Sold): Promise<string> {
  const { stripe, account } = connected
  const { price, newsletterId, taxInside } = sold
  // Whether tax is inside belongs to a price at Stripe and cannot be changed there.
  const lookup_key = `tirage_${newsletterId}_${price.id}${taxInside ? '' : '_net'}`
  return kept(db, { account, kind: taxInside ? 'price' : 'net_price', ourId: price.id }, async () => {
    const product = await productOf(db, connected, sold)
    const find = async () => (await stripe.prices.list({ lookup_keys: [lookup_key], limit: 1 })).data[0]?.id
    const found = await find()
    if (found) return found
    const recurring = recurringOf(price.period)
    const made = await stripe.prices
      .create(
        {
          product,
          lookup_key,
          currency: price.currency,
          unit_amount: price.amount,
          tax_behavior: taxInside ? 'inclusive' : 'exclusive',
          ...(recurring && { recurring }),
          metadata: { tirage_newsletter: newsletterId, tirage_plan: sold.planId, tirage_price: price.id },
        },
        { idempotencyKey: randomUUID() },
      )
      .catch(nullIfThere)
    return made?.id ?? (await find()) ?? ''
  })
}

/** How often a price is charged; null: once. */
export const recurringOf = (period: Price['period']): { interval: 'month' | 'year' } | null =>
  period === 'once' ? null : { interval: period }

interface Key {
  account: Connected['account']
  kind: StripeObject['kind']
  ourId: number
}

/** The id that is stored for something of ours; what `make` answers when none is. */
export async function kept(db: Db, { account, kind, ourId }: Key, make: () => Promise<string>): Promise<string> {
  const { newsletter_id, test } = account
  const known = await db
    .selectFrom('stripe_object')
    .select('stripe_id')
    .where('newsletter_id', '=', newsletter_id)
    .where('test', '=', test)
    .where('kind', '=', kind)
    .where('our_id', '=', ourId)
    .executeTakeFirst()
  if (known) return known.stripe_id
  const row = { newsletter_id, test, kind, our_id: ourId, stripe_id: await make() }
  await db
    .insertInto('stripe_object')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return row.stripe_id
}

export const nullIfGone = (error: unknown): null => {
  if (isGone(error)) return null
  throw error
}

/** Somebody made it at the same time. */
export const nullIfThere = (error: Stripe.errors.StripeError): null => {
  if (error.code === 'resource_already_exists') return null
  throw error
}

/** Forgets what was made for a newsletter, so that it is made anew: somebody deleted it at Stripe. */
export const forgetObjects = (db: Db, { newsletter_id, test }: Connected['account']): Promise<unknown> =>
  db.deleteFrom('stripe_object').where('newsletter_id', '=', newsletter_id).where('test', '=', test).execute()
