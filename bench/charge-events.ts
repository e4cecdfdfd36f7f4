import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Stripe from 'stripe'
import { Sealer } from '../server/http/sealing.ts'
import { type Claim, thousands } from './claim.ts'
import { BENCH_SECRET, type BenchServer, startBenchServer } from './server.ts'

const SUBSCRIPTIONS = 1_000
const LEAST_A_SECOND = 500
const SIGNING = 'whsec_of_the_bench'
const CONNECTIONS = 32
/** What Stripe says of a purchase by the month, as its stand-in of the tests does. Names in capitals and two numbers stand for ids. */
const purchase = join(import.meta.dirname, 'samples', 'stripe-purchase.json')

/** 10,000 webhooks of Stripe, each event twice and all in any order, are taken and applied without a wrong entitlement. */
export const chargeEvents: Claim = {
  name: 'charge:events',
  async measure() {
    const server = await startBenchServer()
    try {
      const events = shuffled(await eventsOfAll(server))
      const begun = performance.now()
      await postAll(server, [...events, ...shuffled(events)])
      const taken = performance.now() - begun
      while ((await count(server, `payment_event where applied_at is null`)) > 0) await delay(50)
      const seconds = (performance.now() - begun) / 1000
      const posted = events.length * 2
      const wrong = await wrongOnes(server)
      const rate = posted / seconds
      return [
        {
          claim: `${thousands(posted)} webhooks of Stripe in any order, half of them repeated, taken and applied`,
          promised: `≥ ${LEAST_A_SECOND} a second, no wrong entitlement`,
          measured: `${thousands(rate)} a second (all answered after ${(taken / 1000).toFixed(1)} s), ${wrong} wrong`,
          kept: rate >= LEAST_A_SECOND && wrong === 0,
        },
      ]
    } finally {
      await server.stop()
    }
  },
}

async function count({ database }: BenchServer, of: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>(`select count(*) from ${of}`)
  return Number(rows[0]?.count)
}

/** Subscriptions, payments and entitlements that are not as they were bought: all are active and paid, and open to the end of grace. */
async function wrongOnes(server: BenchServer): Promise<number> {
  const right = await count(
    server,
    `subscription s join entitlement e on e.newsletter_id = s.newsletter_id and e.subscriber_id = s.subscriber_id
      join payment p on p.newsletter_id = s.newsletter_id and p.subscription_id = s.id and p.stripe_payment_intent is not null
    where s.status = 'active' and s.renews and e.until = s.paid_until + interval '14 days'`,
  )
  const all = [await count(server, 'subscription'), await count(server, 'entitlement'), await count(server, 'payment')]
  return Math.max(...all.map((each) => Math.abs(each - SUBSCRIPTIONS)), SUBSCRIPTIONS - right)
}

/** One purchase, said again of each subscriber with ids of their own. */
async function eventsOfAll({ database, newsletterId }: BenchServer): Promise<string[]> {
  const sealed = new Sealer(BENCH_SECRET).seal('stripe webhook secret', SIGNING)
  await database.query(
    `insert into stripe_account (newsletter_id, test, key, key_shown, webhook_id, webhook_secret) values ($1, true, '', '', 'we_1', $2)`,
    [newsletterId, sealed],
  )
  const plan = await database.query<{ id: number }>(
    `insert into plan (newsletter_id, kind, words) values ($1, 'paid', '{"en": {"name": "Supporter", "promise": ""}}') returning id`,
    [newsletterId],
  )
  const planId = plan.rows[0]?.id ?? 0
  const price = await database.query<{ id: number }>(
    `insert into price (newsletter_id, plan_id, currency, period, amount) values ($1, $2, 'eur', 'month', 600) returning id`,
    [newsletterId, planId],
  )
  const { rows } = await database.query<{ id: string }>(
    `insert into subscriber (newsletter_id, id, email, email_normalised, language, source, status, confirmed_at)
     select $1, uuidv7(), 'reader' || i || '@example.org', 'reader' || i || '@example.org', 'en', 'page', 'active', now()
     from generate_series(1, $2::integer) i returning id`,
    [newsletterId, SUBSCRIPTIONS],
  )
  const said = (JSON.parse(readFileSync(purchase, 'utf8')) as object[]).map((event) => JSON.stringify(event))
  return rows.flatMap(({ id }, index) =>
    said.map((body) =>
      body
        .replaceAll('NEWSLETTER', newsletterId)
        .replaceAll('SUBSCRIBER', id)
        .replaceAll('424242', String(planId))
        .replaceAll('434343', String(price.rows[0]?.id ?? 0))
        .replaceAll(
          /"((?:evt|sub|in|pi|cus|cs_test|inpay|ch|si|il)_\w+)"/g,
          (_, known: string) => `"${known}n${index}"`,
        ),
    ),
  )
}

function shuffled<T>(items: T[]): T[] {
  const mixed = [...items]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    const [one, two] = [mixed[at] as T, mixed[other] as T]
    mixed[at] = two
    mixed[other] = one
  }
  return mixed
}

async function postAll({ url, newsletterId }: BenchServer, bodies: string[]): Promise<void> {
  const waiting = bodies.values()
  const post = async () => {
    for (const payload of waiting) {
      const timestamp = Math.floor(Date.now() / 1000)
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SIGNING, timestamp })
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      const answer = await fetch(`${url}/stripe/${newsletterId}`, { method: 'POST', body: payload, headers })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`a webhook was answered with ${answer.status}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, post))
}
