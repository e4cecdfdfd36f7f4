import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan } from '../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type StripeAccount, type StripeStandIn, startStripe } from '../testing/stripe/stand-in.ts'

const EMAIL = 'karin@harbour.example'
const SECRET = 'What the bell says at night.'

let stripe: StripeStandIn
let server: TestNewsletter
let account: StripeAccount
beforeAll(async () => {
  stripe = await startStripe()
  server = await startTestNewsletter({ STRIPE_API: stripe.url })
  account = stripe.addAccount()
})
afterAll(async () => {
  await server?.stop()
  stripe?.stop()
})

const visit = (url: string, cookie = '') =>
  server.inject({ method: 'GET', url, headers: { 'accept-language': 'en', ...(cookie && { cookie }) } })
const submit = (url: string, form: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
  })
/** The webhooks of Stripe, each said twice and the newest first, and what follows of them. */
const hear = async () => {
  const told = await stripe.deliver(account, {
    times: 2,
    order: (events) => events.toReversed(),
    post: async ({ url, body, signature }) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      const { pathname } = new URL(url)
      return (await server.inject({ method: 'POST', url: pathname, payload: body, headers })).statusCode
    },
  })
  expect(told.filter(({ status }) => status !== 200)).toEqual([])
  await server.work()
}

test('a stranger comes to a paywall, pays, signs in by mail and reads on, through the days of grace until the end', async () => {
  const { db } = server.context
  expect((await server.owner.call('PUT', `${server.path}/charge/stripe`, { key: account.key })).json()).toMatchObject({
    connected: true,
  })
  await addPaidPlan(db, server.newsletterId)
  const content = {
    type: 'doc',
    content: [paragraph('Everybody hears the sea.'), { type: 'paywall' }, paragraph(SECRET)],
  }
  const { id } = await server.draft({ content })
  await server.send(id, { channel: 'web' })
  await server.work()
  const { slug } = await db.selectFrom('publication').select('slug').where('id', '=', id).executeTakeFirstOrThrow()
  const address = `/n/${server.newsletterId}/${slug}`

  const shut = await visit(address)
  expect(shut.body).not.toContain(SECRET)
  const plans = /href="(\/plans\/[^"]+)"/.exec(shut.body)?.[1] ?? ''
  const form = await visit(plans)
  const price = /name="price" value="(\d+)"/.exec(form.body)?.[1] ?? ''
  const going = await submit(`/checkout/${server.newsletterId}`, { price, email: EMAIL, consent: 'yes' })
  expect(going.statusCode).toBe(200)
  const [session] = account.world.all('checkout.session')
  if (!session) throw new Error('nothing was bought')
  const paid = stripe.pay(account, session.id)
  await hear()

  const link = async () => {
    await submit(`/signin/${server.newsletterId}`, { email: EMAIL, to: String(slug) })
    await server.work()
    const { outbox } = server.context.relays
    const newest = (await outbox.list()).find(({ subject }) => subject.startsWith('Your link to read'))
    const source = (await outbox.read(newest?.id ?? ''))?.source
      .toString()
      .replaceAll(/=\r?\n/g, '')
      .replaceAll('=3D', '=')
    return /(\/read\/[\w.?=-]+)/.exec(source ?? '')?.[1] ?? ''
  }
  const opened = await submit(await link(), { act: 'open' })
  expect(opened.headers.location).toBe(address)
  const cookie = String(opened.headers['set-cookie']).split(';')[0]
  expect((await visit(address, cookie)).body).toContain(SECRET)

  // The books and the figures know it, and say that no money has moved.
  const payments = await db.selectFrom('payment').select(['kind', 'amount', 'currency', 'test']).execute()
  expect(payments).toEqual([{ kind: 'payment', amount: expect.any(Number), currency: 'eur', test: true }])

  // A bank that says no leaves the days of grace; the end that Stripe states after it is the end.
  const customer = typeof paid.customer === 'string' ? paid.customer : (paid.customer?.id ?? '')
  stripe.declineCards(account, customer)
  const stripeId = String(paid.subscription)
  const stored = () =>
    db.selectFrom('subscription').selectAll().where('stripe_id', '=', stripeId).executeTakeFirstOrThrow()
  const { paid_until } = await stored()
  stripe.moveTo(new Date((paid_until?.getTime() ?? 0) + 86_400_000))
  await hear()
  expect((await stored()).status).toBe('past_due')
  expect((await visit(address, cookie)).body).toContain(SECRET)
  stripe.moveTo(new Date((paid_until?.getTime() ?? 0) + 60 * 86_400_000))
  await hear()
  expect((await stored()).status).toBe('ended')
  const left = await db.selectFrom('entitlement').select('until').executeTakeFirstOrThrow()
  expect(left.until.getTime()).toBeLessThanOrEqual(stripe.now().getTime())
})
