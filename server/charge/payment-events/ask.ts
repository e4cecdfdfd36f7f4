import Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { ChargingNewsletter } from '../change.ts'
import { type Batch, lockObjects, wakeWaiting } from './apply-batch.ts'
import { linkPayment } from './apply-payments.ts'
import { applySubscriptions } from './apply-subscriptions.ts'
import type { EventProblem } from './contract.ts'
import { idOf, moment, readSubscription } from './read-subscription.ts'

interface Asking extends Pick<Context, 'db' | 'now'> {
  newsletter: ChargingNewsletter
  stripe: Stripe
}

/**
 * Asks Stripe for what its events left open, one object after the other: a subscription of which two statements of one moment differ, or
 * that never was stated; the invoice behind a payment intent. What cannot be asked now is asked again when its events are due.
 */
export async function askStripe(asking: Asking, names: readonly string[]): Promise<void> {
  for (const name of names) {
    try {
      if (name.startsWith('sub_')) await askForSubscription(asking, name)
      else await askForInvoice(asking, name)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error
      await note(asking, name, error.statusCode === 404 ? 'gone' : 'stripe_away')
      // It is as far away for the next one.
      if (error.statusCode !== 404) return
    }
  }
}

async function askForSubscription({ stripe, ...asking }: Asking, id: string): Promise<void> {
  await applyAnswer(asking, await stripe.subscriptions.retrieve(id, { expand: ['discounts.source.coupon'] }))
}

/** Stores a subscription as Stripe has just answered that it is. Its webhook says the same later. */
export async function applyAnswer(
  { db, now, newsletter }: Omit<Asking, 'stripe'>,
  answer: Stripe.Response<Stripe.Subscription>,
): Promise<void> {
  const { id } = answer
  const at = answeredAt(answer, now())
  const statement = { stated: readSubscription(answer), at, asked: true as const }
  await inBatch(db, { newsletter, now: now() }, async (batch) => {
    await lockObjects(batch.tx, newsletter.id, [id])
    const outcome = (await applySubscriptions(batch.tx, newsletter, new Map([[id, [statement]]]))).get(id)
    const problem = outcome === 'not_ours' || outcome === 'plan_unknown' ? outcome : null
    await settle(batch, { about: id, until: at, problem })
    await wakeWaiting(batch, [id])
  })
}

async function askForInvoice({ db, now, newsletter, stripe }: Asking, paymentIntent: string): Promise<void> {
  const payment = { type: 'payment_intent' as const, payment_intent: paymentIntent }
  const { data } = await stripe.invoicePayments.list({ payment, limit: 1 })
  const [first] = data
  await inBatch(db, { newsletter, now: now() }, async (batch) => {
    if (!first) return settleWaiting(batch, paymentIntent)
    const isLinked = await linkPayment(batch.tx, newsletter.id, { invoice: idOf(first.invoice), paymentIntent })
    if (isLinked) await wakeWaiting(batch, [paymentIntent])
  })
}

const inBatch = (db: Context['db'], { newsletter, now }: Omit<Batch, 'tx'>, act: (batch: Batch) => Promise<unknown>) =>
  db.transaction().execute((tx) => act({ tx, newsletter, now }))

/**
 * When Stripe answered, by its own clock: ours may be ahead of it, and what happens next would then seem to be older than the answer. Of the
 * same second as an event, it says the same as the event or settles it.
 */
export function answeredAt(answer: { lastResponse: { headers: Record<string, string> } }, now: Date): Date {
  const said = Date.parse(answer.lastResponse.headers.date ?? '')
  const seconds = Math.floor((Number.isNaN(said) ? now.getTime() : said) / 1000)
  return new Date(moment(seconds).getTime() + 500)
}

interface Settled {
  about: string
  until: Date
  problem: EventProblem | null
}

async function settle({ tx, newsletter, now }: Batch, { about, until, problem }: Settled): Promise<void> {
  await tx
    .updateTable('payment_event')
    .set(problem === 'plan_unknown' ? { problem, due_at: 'infinity' } : { problem, applied_at: now, waits_for: null })
    .where('newsletter_id', '=', newsletter.id)
    .where('object_id', '=', about)
    .where('stated_at', '<=', until)
    .where('applied_at', 'is', null)
    .execute()
}

/** What waits for a payment that no invoice of this account knows is about something else that it sells. */
async function settleWaiting({ tx, newsletter, now }: Batch, waitsFor: string): Promise<void> {
  await tx
    .updateTable('payment_event')
    .set({ applied_at: now, problem: 'not_ours', waits_for: null })
    .where('newsletter_id', '=', newsletter.id)
    .where('waits_for', '=', waitsFor)
    .where('applied_at', 'is', null)
    .execute()
}

async function note(
  { db, newsletter }: { db: Db; newsletter: ChargingNewsletter },
  name: string,
  problem: EventProblem,
) {
  await db
    .updateTable('payment_event')
    .set(problem === 'gone' ? { problem, due_at: 'infinity' } : { problem })
    .where('newsletter_id', '=', newsletter.id)
    .where('waits_for', '=', name)
    .where('applied_at', 'is', null)
    .execute()
}
