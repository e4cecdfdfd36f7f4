import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { lockWaiters } from '../../testing/lock-waiters.ts'
import { type PublicSite, startPublicSite } from '../../testing/public-site.ts'
import { type Offer, offeredCurrencies, offeredPeriods, priceOf, visitorsCurrency } from './offers.ts'

const offer: Offer = {
  id: 1,
  kind: 'paid',
  words: { en: { name: 'Supporter', promise: '' } },
  trialDays: 0,
  payMore: false,
  giftable: false,
  full: false,
  prices: [
    { id: 1, currency: 'eur', period: 'year', amount: 5400, months: null, suggested: null },
    { id: 2, currency: 'eur', period: 'month', amount: 600, months: null, suggested: null },
    { id: 3, currency: 'gbp', period: 'month', amount: 500, months: null, suggested: null },
  ],
}

test.each<[string, { chosen?: string; accepts?: string }, string]>([
  ['the one that was chosen', { chosen: 'gbp', accepts: 'fr-FR' }, 'gbp'],
  ['that of the country of the browser', { accepts: 'en-GB,en;q=0.9' }, 'gbp'],
  ['the euro where it is the money', { accepts: 'de-AT' }, 'eur'],
  ['of a later country when the first has none that is offered', { accepts: 'ja-JP, en-GB;q=0.5' }, 'gbp'],
  ['the newsletter’s own for everybody else', { accepts: 'tr-TR' }, 'eur'],
  ['not one that nothing is sold in, nor nonsense', { chosen: 'jpy\0', accepts: '-;;,q=-US' }, 'eur'],
])('a visitor sees %s', (_what, { chosen, accepts }, currency) => {
  expect(visitorsCurrency([offer], { chosen, accepts, usual: 'eur' })).toBe(currency)
})

test('currencies stand with the newsletter’s own first, as in the forms of its owners', () => {
  expect(offeredCurrencies([offer], 'gbp')).toEqual(['gbp', 'eur'])
  expect(offeredCurrencies([offer], 'jpy')).toEqual(['eur', 'gbp'])
})

test('a plan without the period that was asked for is shown by one that it has', () => {
  expect(offeredPeriods([offer], 'eur')).toEqual(['year', 'month'])
  expect(priceOf(offer, 'gbp', 'year')?.id).toBe(3)
  expect(priceOf(offer, 'usd', 'year')).toBeNull()
})

let server: PublicSite
let newsletterId: string
let planId: number
beforeAll(async () => {
  server = await startPublicSite()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  newsletterId = await server.addNewsletter()
  planId = await addPaidPlan(server.context.db, newsletterId)
})

const visit = (query = '', language = 'en-IE') =>
  server.get(`/plans/${newsletterId}${query}`, { 'accept-language': language })

test('the plans are shown with their prices, in the visitor’s language', async () => {
  const english = await visit()
  expect(english.statusCode).toBe(200)
  expect(english.body).toContain('Supporter')
  expect(english.body).toMatch(/€54<\/b>\s*a year, which is €4\.50 a month/)
  expect(english.body).toContain('Tax is included.')
  expect((await visit('?per=month')).body).toMatch(/€6<\/b>\s*a month/)
  const french = await visit('?lang=fr', 'fr-FR')
  expect(french.body).toContain('Chaque lettre jusqu’à sa dernière ligne.')
  expect(french.body).toMatch(/54\u00a0€<\/b>\s*par an, soit 4,50\u00a0€ par mois/)
})

test('every public page leads to the plans while one can be seen there', async () => {
  const { db } = server.context
  const change = (values: { closed_at?: Date | null; shown?: boolean }) =>
    db.updateTable('plan').set(values).where('id', '=', planId).execute()
  // The news of a change comes to the pages a moment later.
  const leads = (expected: boolean) =>
    expect
      .poll(async () => {
        const pages = await Promise.all(
          ['n', 'subscribe'].map((part) => server.get(`/${part}/${newsletterId}`, { 'accept-language': 'en' })),
        )
        return pages.map(({ body }) => body.includes(`href="/plans/${newsletterId}?lang=en"`))
      })
      .toEqual([expected, expected])
  await leads(true)
  await change({ shown: false })
  await leads(false)
  await change({ shown: true })
  await leads(true)
  await change({ closed_at: new Date() })
  await leads(false)
  await change({ closed_at: null })
  await leads(true)
})

test('of two plans that are hidden at the same moment none keeps the way to them open', async () => {
  const { db } = server.context
  const other = await addPaidPlan(db, newsletterId)
  const hide = (tx: typeof db, id: number) =>
    tx.updateTable('plan').set({ shown: false }).where('id', '=', id).execute()
  const second = await db.transaction().execute(async (tx) => {
    await hide(tx, planId)
    const waiting = hide(db, other)
    await expect.poll(() => lockWaiters(db)).toBe(1)
    return { waiting }
  })
  await second.waiting
  const shows = db.selectFrom('newsletter').select('shows_plans').where('id', '=', newsletterId)
  expect(await shows.executeTakeFirst()).toEqual({ shows_plans: false })
})

test('a plan that is closed, hidden or without a price is not shown, and one without a place says so', async () => {
  const { db } = server.context
  const change = (values: { closed_at?: Date | null; shown?: boolean; places?: number }) =>
    db.updateTable('plan').set(values).where('id', '=', planId).execute()
  await change({ shown: false })
  const closed = (await visit()).body
  expect(closed).toContain('There is no paid plan here')
  // A gift is kept when its plan is closed.
  expect(closed).toContain('Take your gift')
  await change({ shown: true, closed_at: new Date() })
  expect((await visit()).body).not.toContain('Supporter')
  await change({ closed_at: null, places: 1 })
  const free = (await visit()).body
  expect(free).not.toContain('All places are taken')
  for (const way of ['By bank transfer', 'Subscribe for free', 'Take your gift']) expect(free).toContain(way)
  const subscriberId = '0192c0de-0000-7000-8000-00000000000b'
  const subscriber = {
    newsletter_id: newsletterId,
    id: subscriberId,
    email: 'a@example.org',
    email_normalised: 'a@example.org',
  }
  await db
    .insertInto('subscriber')
    .values({ ...subscriber, language: 'en', status: 'active', confirmed_at: new Date() })
    .execute()
  await addPaidSubscription(db, { newsletterId, subscriberId }, { planId })
  // Nobody is asked to write for it, and codes and the free letter are still to be had.
  const full = (await visit()).body
  for (const way of ['All places are taken', 'Subscribe for free', 'Take your gift']) expect(full).toContain(way)
  expect(full).not.toContain('By bank transfer')
  await db.updateTable('price').set({ replaced_at: new Date() }).where('plan_id', '=', planId).execute()
  expect((await visit()).body).toContain('There is no paid plan here')
})

test('nonsense in the address is answered as nothing, and an unknown newsletter with 404', async () => {
  const nonsense = await visit('?currency=%00&per=week&to=../../me&lang=xx&currency=eur')
  expect(nonsense.statusCode).toBe(200)
  expect(nonsense.body).not.toContain('../me')
  expect((await server.get('/plans/nobody')).statusCode).toBe(404)
})
