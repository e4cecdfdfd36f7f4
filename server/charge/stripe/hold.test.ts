import { sql } from 'kysely'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { SECRET } from '../../testing/stripe/history.ts'

let connected: ConnectedNewsletter
let people = 0
beforeAll(async () => {
  connected = await startConnectedNewsletter()
})
afterAll(() => connected?.stop())
beforeEach(() => connected.history.stripe.heal())

async function bought() {
  const { server, history, plan } = connected
  people += 1
  const [subscriberId = ''] = await server.addSubscribers([`holder${people}@example.org`])
  const stripeId = await history.buy({ newsletterId: server.newsletterId, subscriberId }, plan)
  await hear()
  return stripeId
}

async function hear() {
  const { server, history } = connected
  for (const { event } of await history.events()) {
    const payload = JSON.stringify(event)
    const timestamp = Math.floor(server.context.now().getTime() / 1000)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    await server.inject({ method: 'POST', url: `/stripe/${server.newsletterId}`, payload, headers })
  }
  await server.work()
}

const retrieve = (id: string) => connected.history.api.subscriptions.retrieve(id)
async function remove() {
  const { server } = connected
  expect((await server.owner.call('DELETE', server.path)).statusCode).toBe(200)
  await server.work()
}
async function restore() {
  const { server } = connected
  const body = { newsletterId: server.newsletterId }
  expect((await server.owner.call('POST', '/api/me/newsletters/restore', body)).statusCode).toBe(200)
  await server.work()
}
const runAgain = () => sql`update graphile_worker._private_jobs set run_at = now()`.execute(connected.server.context.db)

test('nobody is charged for a newsletter that was deleted, and all goes on as it was when it is restored', async () => {
  const { history } = connected
  const going = await bought()
  const resting = await bought()
  const resumesAt = Math.floor(history.stripe.now().getTime() / 1000) + 90 * 86_400
  await history.api.subscriptions.update(resting, { pause_collection: { behavior: 'void', resumes_at: resumesAt } })
  await hear()
  await remove()
  const again = JSON.stringify({ newsletterId: connected.server.newsletterId })
  await sql`select graphile_worker.add_job('hold_charges', ${again}::json)`.execute(connected.server.context.db)
  await connected.server.work()
  for (const id of [going, resting])
    expect((await retrieve(id)).pause_collection).toEqual({ behavior: 'void', resumes_at: null })
  await hear()
  await restore()
  expect((await retrieve(going)).pause_collection).toBeNull()
  expect((await retrieve(resting)).pause_collection).toEqual({ behavior: 'void', resumes_at: resumesAt })
  expect((await retrieve(going)).metadata.tirage_held).toBeUndefined()
  const { data } = await history.api.charges.list({ customer: await history.customerOf(going) })
  expect(data).toHaveLength(1)
  await hear()
})

test('Stripe that is away when it is deleted or restored is asked again', async () => {
  const { history } = connected
  const id = await bought()
  history.stripe.fail({ kind: 'refuse', status: 503, times: 200 })
  await remove()
  history.stripe.heal()
  expect((await retrieve(id)).pause_collection).toBeNull()
  await runAgain()
  await connected.server.work()
  expect((await retrieve(id)).pause_collection).not.toBeNull()
  history.stripe.fail({ kind: 'refuse', status: 503, times: 200 })
  await restore()
  history.stripe.heal()
  await runAgain()
  await connected.server.work()
  expect((await retrieve(id)).pause_collection).toBeNull()
  await hear()
})

test('what is removed for good is cancelled at Stripe first, and waits while Stripe is away', async () => {
  const { history, server } = connected
  const { db } = server.context
  const id = await bought()
  await remove()
  await sql`update newsletter set deleted_at = now() - interval '31 days' where id = ${server.newsletterId}`.execute(db)
  const sweep = () => sql`select graphile_worker.add_job('forget_newsletters', '{}'::json)`.execute(db)
  const isThere = async () =>
    (await db.selectFrom('newsletter').select('id').where('id', '=', server.newsletterId).execute()).length === 1
  history.stripe.fail({ kind: 'refuse', status: 503, times: 200 })
  await sweep()
  await server.work()
  expect([await isThere(), (await retrieveAnyway(id)).status]).toEqual([true, 'active'])
  history.stripe.heal()
  await sweep()
  await server.work()
  expect([await isThere(), (await retrieve(id)).status]).toEqual([false, 'canceled'])
})

/** As the stand-in has it, which answers nobody at the moment. */
const retrieveAnyway = async (id: string) => connected.history.account.world.get('subscription', id)
