import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan } from '../../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type StripeAccount, type StripeStandIn, startStripe } from '../../testing/stripe/stand-in.ts'

let stripe: StripeStandIn
let server: TestNewsletter
let account: StripeAccount
let price: string
beforeAll(async () => {
  stripe = await startStripe()
  server = await startTestNewsletter({
    STRIPE_API: stripe.url,
    PUBLIC_URL: 'https://tirage.example',
    SUBSCRIBE_LIMIT: '1000',
    SUBSCRIBE_PRESSURE: '0',
  })
  account = stripe.addAccount({ live: true })
  await server.owner.call('PUT', `${server.path}/charge/stripe`, { key: account.key })
  await addPaidPlan(server.context.db, server.newsletterId)
  const { id } = await server.context.db.selectFrom('price').select('id').limit(1).executeTakeFirstOrThrow()
  price = String(id)
})
afterAll(async () => {
  await server?.stop()
  stripe?.stop()
})

const buy = (fields: Record<string, string>, language = 'en') =>
  server.inject({
    method: 'POST',
    url: `/checkout/${server.newsletterId}?lang=${language}`,
    payload: new URLSearchParams({ price, email: 'karin@harbour.example', consent: 'yes', ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const sessions = () => account.world.all('checkout.session').length

/** The form of a page as a browser sends it. */
const fieldsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )

test('while very many forms come, a buyer is asked for a proof and loses nothing; one proof opens one checkout', async () => {
  const asked = await buy({ source: 'radio' }, 'fr')
  expect([asked.statusCode, sessions()]).toEqual([422, 0])
  expect(asked.body).toContain('Rien n’a encore été débité')
  expect(asked.body).toContain(`action="/checkout/${server.newsletterId}?lang=fr"`)
  expect(asked.body).toContain('data-challenge')
  const fields = fieldsOf(asked.body)
  expect(fields).toEqual({ price, email: 'karin@harbour.example', consent: 'yes', source: 'radio' })
  const challenge = (await server.inject({ method: 'GET', url: `/subscribe/${server.newsletterId}/challenge` })).json()
  const solution = await solveChallenge({ challenge, deriveKey })
  const proof = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  const answer = await buy({ ...fields, proof })
  expect([answer.statusCode, sessions()]).toEqual([200, 1])
  expect(answer.headers.refresh).toContain(stripe.url)
  expect((await buy({ email: 'other@harbour.example', proof })).statusCode).toBe(422)
  expect((await buy({ proof: 'eyJ4IjoxfQ==' })).statusCode).toBe(422)
  expect(sessions()).toBe(1)
})
