import Stripe from 'stripe'
import { KEY_PURPOSE, WEBHOOK_PURPOSE } from '../../charge/stripe/account.ts'
import type { Context } from '../../context.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import { type StripeAccount, type StripeStandIn, startStripe } from './stand-in.ts'
import type { Posted } from './webhooks.ts'

/** An account of a newsletter at the stand-in, with a monthly price, whose events are kept instead of being posted. */
export interface StripeHistory {
  stripe: StripeStandIn
  account: StripeAccount
  api: Stripe
  /** Buys a month of a plan, or it for good; answers the id of the subscription or of the checkout. */
  buy(subscriber: SubscriberKey, bought: Bought): Promise<string>
  /** The customer of a subscription. */
  customerOf(subscription: string): Promise<string>
  /** Lets days pass. */
  pass(days: number): void
  /** What happened since the last time, each event once. */
  events(): Promise<Posted[]>
  stop(): void
}

interface Bought {
  planId: number
  priceId: number
  once?: boolean
  trialDays?: number
  names?: Record<string, string>
}

const DAY_MS = 86_400_000

/** The SDK as it talks to the stand-in. */
function stripeClient({ url }: Pick<StripeStandIn, 'url'>, key: string, retries = 2): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe(key, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: retries })
}

/** An account as it is stored when its key was accepted. */
export async function connectAccount(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  newsletterId: string,
  key: string,
): Promise<void> {
  const sealed = { key: sealer.seal(KEY_PURPOSE, key), webhook_secret: sealer.seal(WEBHOOK_PURPOSE, SECRET) }
  const account = { newsletter_id: newsletterId, test: true, key_shown: key.slice(-4), webhook_id: 'we_1' }
  await db
    .insertInto('stripe_account')
    .values({ ...account, ...sealed })
    .execute()
}

/** With which the events of `connectAccount` are signed. */
export const SECRET = 'whsec_of_a_test'

export async function startHistory(now?: () => Date): Promise<StripeHistory> {
  const stripe = await startStripe(now ? { now } : {})
  const account = stripe.addAccount()
  const api = stripeClient(stripe, account.key)
  const product = await api.products.create({ name: 'Supporter' })
  const sold = { product: product.id, currency: 'eur', tax_behavior: 'inclusive' as const }
  const monthly = await api.prices.create({ ...sold, unit_amount: 600, recurring: { interval: 'month' } })
  const once = await api.prices.create({ ...sold, unit_amount: 9000 })
  await api.webhookEndpoints.create({ url: 'http://127.0.0.1:9/stripe', enabled_events: ['*'] })
  return {
    stripe,
    account,
    api,
    async buy({ newsletterId, subscriberId }, { planId, priceId, once: isOnce = false, trialDays, names = {} }) {
      const metadata = {
        tirage_newsletter: newsletterId,
        tirage_subscriber: subscriberId,
        tirage_plan: String(planId),
        tirage_price: String(priceId),
        ...names,
      }
      const session = await api.checkout.sessions.create({
        mode: isOnce ? 'payment' : 'subscription',
        line_items: [{ price: isOnce ? once.id : monthly.id, quantity: 1 }],
        success_url: 'https://news.example.org/done',
        automatic_tax: { enabled: true },
        metadata,
        ...(!isOnce && {
          subscription_data: { metadata, ...(trialDays && { trial_period_days: trialDays }) },
        }),
      })
      const paid = stripe.pay(account, session.id)
      return isOnce ? paid.id : String(paid.subscription)
    },
    customerOf: async (subscription) => String((await api.subscriptions.retrieve(subscription)).customer),
    pass: (days) => stripe.moveTo(new Date(stripe.now().getTime() + days * DAY_MS)),
    async events() {
      const kept: Posted[] = []
      const post = (posted: Posted) => Promise.resolve(void kept.push(posted)).then(() => 200)
      await stripe.deliver(account, { post })
      return kept
    },
    stop: () => stripe.stop(),
  }
}

let made = 0

/** An event that no stand-in said. @param created in seconds */
export const madeEvent = (type: string, object: object, created: number): Stripe.Event =>
  ({ id: `evt_made${++made}`, object: 'event', type, created, livemode: false, data: { object } }) as Stripe.Event
