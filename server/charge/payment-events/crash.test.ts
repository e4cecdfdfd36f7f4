import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster, type WorkerProcess } from '../../testing/cluster.ts'
import { type Sink, startSink } from '../../testing/smtp-sink.ts'
import { type StripeAccount, type StripeStandIn, startStripe } from '../../testing/stripe/stand-in.ts'
import type { Posted } from '../../testing/stripe/webhooks.ts'

const NEWSLETTER = 'low'
const path = `/api/newsletters/${NEWSLETTER}/charge`
const BUYERS = Array.from({ length: 8 }, (_, n) => `buyer${n}@example.com`)
/** Of so many webhooks, one is taken by a process that is killed before it can answer, and one by a process that is killed right after it. */
const KILLED_AT = 24
const DAY_MS = 86_400_000

let relay: Sink
let stripe: StripeStandIn
let account: StripeAccount
let cluster: Cluster
let worker: WorkerProcess
/** The ids of the events that were answered with 200. */
const taken = new Set<string>()
beforeAll(async () => {
  relay = await startSink()
  stripe = await startStripe()
  account = stripe.addAccount()
  const env = { STRIPE_API: stripe.url, SUBSCRIBE_LIMIT: '1000', SUBSCRIBE_PRESSURE: '100000' }
  cluster = await startCluster({ settings: 'fast', env })
  await cluster.addNewsletter(NEWSLETTER, 0)
  worker = await cluster.startWorker(relay.url)
}, 60_000)
afterAll(async () => {
  await cluster?.stop()
  await relay?.stop()
  stripe?.stop()
})

async function sell(): Promise<number> {
  await cluster.call('PUT', `${path}/stripe`, { key: account.key })
  const words = { en: { name: 'Supporter', promise: 'Every letter to its last line.' } }
  const values = { words, trialDays: 0, devices: 4, places: null, payMore: false, shown: true }
  const plan = await cluster.call<{ id: number }>('POST', `${path}/plans`, { kind: 'paid', ...values })
  const prices = [{ currency: 'eur', period: 'month', amount: 600 }]
  await cluster.call('PUT', `${path}/plans/${plan.id}/prices`, { prices })
  const [price] = await cluster.query<{ id: number }>('select id from price')
  return price?.id ?? 0
}

/** As somebody who presses again when nothing came. Answers where they are led to. */
async function goToStripe(price: number, email: string): Promise<string> {
  for (;;) {
    const body = new URLSearchParams({ price: String(price), email, consent: 'yes' })
    const answer = await fetch(`${cluster.url}/checkout/${NEWSLETTER}`, { method: 'POST', body }).catch(() => null)
    if (answer?.status === 200) return answer.headers.get('refresh') ?? ''
    if (answer) throw new Error(`${answer.status} ${await answer.text()}`)
    // Whoever started the process again waits until it is ready.
    await restarted
  }
}

let restarted: Promise<unknown> = Promise.resolve()
async function kill(process: WorkerProcess): Promise<void> {
  restarted = process.end('SIGKILL').then(() => process.start())
  await restarted
}

/** As Stripe does: what is not answered with 200 is said again. */
async function hear(): Promise<void> {
  let posted = 0
  const post = async ({ event, url, body, signature }: Posted) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const answering = fetch(url, { method: 'POST', body, headers }).catch(() => null)
    posted += 1
    if (posted % KILLED_AT === 0) await Promise.all([kill(cluster.web), kill(worker)])
    const answer = await answering
    // What was answered must be on disk already.
    if (posted % KILLED_AT === 1) await kill(cluster.web)
    if (answer?.status === 200) taken.add(event.id)
    return answer?.status ?? 0
  }
  while ((await stripe.deliver(account, { post, order: (events) => events.toReversed() })).length > 0);
}

async function applied(): Promise<void> {
  const open = async () =>
    (await cluster.query<{ n: number }>('select count(*)::integer as n from payment_event where applied_at is null'))[0]
      ?.n
  await expect.poll(open, { timeout: 60_000, interval: 50 }).toBe(0)
}

const count = async (of: string) =>
  (await cluster.query<{ n: number }>(`select count(*)::integer as n from ${of}`))[0]?.n

test('processes that are killed between a charge and its record: everybody is charged once, and what they paid is open', {
  timeout: 180_000,
}, async () => {
  const price = await sell()
  const going = BUYERS.map((email) => goToStripe(price, email))
  await Promise.race(going)
  await kill(cluster.web)
  const sessions = (await Promise.all(going)).map((refresh) => /\/c\/pay\/([^/?;]+)/.exec(refresh)?.[1] ?? '')
  expect(new Set(sessions).size).toBe(BUYERS.length)
  for (const session of sessions) stripe.pay(account, session)
  // Charged, and nobody has heard of it yet.
  await Promise.all([kill(cluster.web), kill(worker)])
  await hear()
  stripe.moveTo(new Date(stripe.now().getTime() + 32 * DAY_MS))
  await hear()
  await applied()

  // What was answered with 200 is stored.
  const stored = await cluster.query<{ id: string }>('select id from payment_event')
  expect([...taken].filter((id) => !stored.some((event) => event.id === id))).toEqual([])
  const charges = account.world.all('charge').filter(({ paid }) => paid)
  expect(charges).toHaveLength(2 * BUYERS.length)
  expect(await count('subscriber')).toBe(BUYERS.length)
  expect(await count(`subscription where status = 'active' and subscriber_id is not null`)).toBe(BUYERS.length)
  expect(await count(`payment where kind = 'payment' and amount = 600`)).toBe(2 * BUYERS.length)
  expect(await count('payment')).toBe(2 * BUYERS.length)
  const open = `entitlement e join subscription s on s.subscriber_id = e.subscriber_id where e.until = s.paid_until + interval '14 days'`
  expect(await count(open)).toBe(BUYERS.length)
  const [revenue] = await cluster.query<{ yearly: number; movements: number }>(
    'select sum(yearly)::integer as yearly, count(*)::integer as movements from revenue_change',
  )
  expect(revenue).toEqual({ yearly: BUYERS.length * 12 * 600, movements: BUYERS.length })
})
