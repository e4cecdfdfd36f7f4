import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from '../../doctor.ts'
import { addPaidSubscription } from '../../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type StripeAccount, type StripeStandIn, startStripe } from '../../testing/stripe/stand-in.ts'
import { translator } from '../../translator.ts'
import { readablePlans } from '../change.ts'
import { findWebhookSecret } from './account.ts'

let stripe: StripeStandIn
let server: TestNewsletter
let account: StripeAccount
let path: string
beforeAll(async () => {
  stripe = await startStripe()
  server = await startTestNewsletter({ STRIPE_API: stripe.url, PUBLIC_URL: 'https://news.lowwater.test' })
  account = stripe.addAccount()
  path = `${server.path}/charge/stripe`
})
afterAll(async () => {
  await server?.stop()
  stripe?.stop()
})

const put = (key: string) => server.owner.call('PUT', path, { key })
const connection = async () => (await server.owner.call('GET', path)).json().connection
const endpoints = () => account.world.all('webhook_endpoint').map(({ id, url }) => ({ id, url }))

test.each([
  ['sk_live_51Stand1n0001w9Fh', 'plain secret key'],
  ['sk_test_51Stand1n0001w9Fh', 'plain secret key'],
  ['pk_test_51Stand1n0001w9Fh', 'publishable key'],
  ['hello', 'no key of Stripe'],
  ['rk_test_51Stand1n0001w9Fh extra', 'no key of Stripe'],
])('%s is refused before Stripe hears of it', async (key, reason) => {
  const asked = stripe.requests.length
  const answer = await put(key)
  expect(answer.statusCode).toBe(422)
  expect(JSON.stringify(answer.json().error.fields)).toContain(reason)
  expect(stripe.requests.length).toBe(asked)
})

test('a key that Stripe does not know is refused, and nothing is stored', async () => {
  const answer = await put('rk_test_51Unknown00001')
  expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'stripe_key_refused'])
  expect(await connection()).toBeNull()
})

test('a key that lacks rights hears which, and nothing is stored', async () => {
  const key = stripe.addKey(account, {
    account: 'read',
    checkout_session: 'write',
    customer: 'write',
    product: 'write',
    price: 'write',
    subscription: 'write',
    customer_portal: 'read',
    charge: 'write',
    invoice: 'read',
    webhook: 'write',
  })
  expect((await put(key)).json()).toEqual({
    connected: false,
    test: true,
    account: { id: account.world.account.id, name: 'Kerbrat Éditions' },
    missing: ['coupons', 'customer_portal', 'balance_transactions'],
  })
  expect(await connection()).toBeNull()
  expect(endpoints()).toEqual([])
})

test('trying a key changes nothing at Stripe', async () => {
  const writes = () =>
    (['customer', 'product', 'price', 'checkout.session', 'refund'] as const).flatMap((kind) => account.world.all(kind))
  await put(account.key)
  expect(writes()).toEqual([])
})

test('a connected key is never shown again, and is encrypted', async () => {
  await put(account.key)
  expect(await connection()).toMatchObject({ test: true, key: `rk_test_…${account.key.slice(-4)}`, missing: [] })
  const answers = await Promise.all([server.owner.call('GET', path), server.owner.call('GET', `${server.path}/audit`)])
  for (const { body } of answers) expect(body).not.toContain(account.key)
  const row = await server.context.db.selectFrom('stripe_account').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify({ ...row, key: row.key.toString('latin1') })).not.toContain(account.key)
})

test('the webhook endpoint is made by us, and a key that takes the place of another leaves one', async () => {
  await put(account.key)
  const [first] = endpoints()
  expect(first?.url).toBe(`https://news.lowwater.test/stripe/${server.newsletterId}`)
  const secret = await findWebhookSecret(server.context, server.newsletterId)
  await put(stripe.addKey(account))
  expect(endpoints()).toHaveLength(1)
  expect(endpoints()[0]?.id).not.toBe(first?.id)
  expect(await findWebhookSecret(server.context, server.newsletterId)).not.toBe(secret)
})

test('eight keys at once leave one endpoint that belongs to the stored secret', async () => {
  const keys = Array.from({ length: 8 }, () => stripe.addKey(account))
  const answers = await Promise.all(keys.map(put))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(keys.map(() => 200))
  const row = await server.context.db.selectFrom('stripe_account').selectAll().executeTakeFirstOrThrow()
  expect(endpoints().map(({ id }) => id)).toEqual([row.webhook_id])
})

test('checking again names a right that was taken away, and makes an endpoint anew that is gone', async () => {
  await put(account.key)
  const [endpoint] = endpoints()
  account.world.remove(endpoint?.id ?? '')
  expect((await server.owner.call('POST', `${path}/check`)).json()).toMatchObject({ missing: [] })
  expect(endpoints()).toHaveLength(1)
  stripe.revokeKey(account.key)
  const refused = await server.owner.call('POST', `${path}/check`)
  expect(refused.json().error.code).toBe('stripe_key_refused')
  account = { ...account, key: stripe.addKey(account) }
})

test.each([429, 500, 503] as const)(
  'while Stripe answers %i nothing is stored, and a sentence says so',
  async (status) => {
    await server.owner.call('DELETE', path)
    stripe.fail({ kind: 'refuse', status, of: 'POST /v1/webhook_endpoints', times: 6 })
    const answer = await put(account.key)
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'stripe_away'])
    expect(await connection()).toBeNull()
    stripe.heal()
  },
)

test('an answer that gets lost makes one endpoint', async () => {
  await server.owner.call('DELETE', path)
  const before = endpoints().length
  stripe.fail({ kind: 'lose', of: `POST /v1/webhook_endpoints` })
  expect((await put(account.key)).statusCode).toBe(200)
  expect(endpoints()).toHaveLength(before + 1)
})

test('a live key ends what was bought with the test key', async () => {
  await put(account.key)
  const [subscriberId = ''] = await server.addSubscribers(['tries@example.org'])
  const key = { newsletterId: server.newsletterId, subscriberId }
  await addPaidSubscription(server.context.db, key, { test: true, way: 'card', stripe_id: 'sub_1' })
  expect((await readablePlans(server.context.db, key, new Date())).size).toBe(1)
  const live = stripe.addAccount({ live: true })
  expect((await put(live.key)).json()).toMatchObject({ connected: true, test: false })
  expect((await readablePlans(server.context.db, key, new Date())).size).toBe(0)
})

test('disconnecting forgets the key and takes the endpoint away, also while Stripe is away', async () => {
  await put(account.key)
  stripe.fail({ kind: 'break', of: 'DELETE', times: 3 })
  expect((await server.owner.call('DELETE', path)).statusCode).toBe(200)
  expect(await connection()).toBeNull()
  expect((await server.owner.call('DELETE', path)).json().error.code).toBe('stripe_not_connected')
})

test('the switches of taxes are kept', async () => {
  await put(account.key)
  const changed = await server.owner.call('PATCH', path, { automaticTax: true })
  expect(changed.json()).toMatchObject({ automaticTax: true, taxIdCollection: false })
  expect((await server.owner.call('PATCH', path, { automaticTax: 'yes' })).statusCode).toBe(422)
})

test('doctor says what is missing', async () => {
  await put(account.key)
  const { config, db, pool } = server.context
  const env = { DATA_DIR: config.dataDir, DATABASE_URL: pool.options.connectionString, PUBLIC_URL: config.publicUrl }
  const said = async () => {
    const findings = await examine(env, translator('en'))
    return findings.flatMap(({ about, state, finding }) => (about === 'Stripe' ? [[state, finding]] : []))
  }
  expect(await said()).toEqual([['note', expect.stringContaining('test key')]])
  await db
    .updateTable('stripe_account')
    .set({ missing_rights: ['invoices'] })
    .execute()
  expect(await said()).toEqual([['bad', expect.stringContaining('lacks rights: invoices')]])
  await db.deleteFrom('stripe_account').execute()
  expect(await said()).toEqual([['note', expect.stringContaining('no account at Stripe')]])
})
