import { sql } from 'kysely'
import StripeSdk from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EventApplier } from '../../charge/payment-events/applier.ts'
import { beginComparison, continueComparison, findUnderWay } from '../../charge/payment-events/comparison.ts'
import { besideTwin } from '../../testing/beside-twin.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { SECRET } from '../../testing/stripe/history.ts'

const HOUR_MS = 3_600_000
const SUM = 41_000
let connected: ConnectedNewsletter
let server: ConnectedNewsletter['server']
let history: ConnectedNewsletter['history']
let placementId: number
beforeAll(async () => {
  connected = await startConnectedNewsletter({ clock: "Stripe's" })
  ;({ server, history } = connected)
  placementId = await addPlacement()
})
afterAll(() => connected?.stop())
beforeEach(async () => {
  history.stripe.heal()
  await sql`delete from rate_limit`.execute(server.context.db)
  await history.events()
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'
const call = async (method: Method, rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${server.path}/sponsorship${rest}`, body)
  return { status: answer.statusCode, ...answer.json() }
}
const words = { en: { name: 'Middle', disclosure: 'From our sponsor' } }
const addPlacement = async (values = {}): Promise<number> =>
  (await call('POST', '/placements', { words, place: 'middle', maxWords: 10, ...values })).id
let people = 0
const someone = () => `sponsor${++people}@example.org`
let nextDay = 0
/** A day that the newsletter sells and that no other test has. */
async function soldDay(): Promise<string> {
  nextDay += 1
  const day = new Date(history.stripe.now().getTime() + (60 + nextDay) * 24 * HOUR_MS).toISOString().slice(0, 10)
  await call('PUT', '/days', { day, kind: 'added' })
  return day
}
const read = (bookingId: string) => call('GET', `/bookings/${bookingId}`)
const act = (bookingId: string, done: string) => call('POST', `/bookings/${bookingId}/acts`, { act: done })
const money = (bookingId: string, done: string) => call('POST', `/bookings/${bookingId}/money`, { act: done })

interface Booked {
  id: string
  email: string
  /** The sponsor's own page. */
  own: string
}

async function booked(values: Record<string, unknown> = {}): Promise<Booked> {
  const email = someone()
  const sponsor = { sponsor: 'Maison Quéré', language: 'en', currency: 'eur', amount: SUM, email }
  const made = await call('POST', '/bookings', {
    ...sponsor,
    placementId,
    day: values.day ?? (await soldDay()),
    ...values,
  })
  expect(made.status, JSON.stringify(made)).toBe(200)
  const { url } = await call('POST', `/bookings/${made.id}/link`, {})
  return { id: made.id, email, own: new URL(url).pathname }
}

/** A booking whose time is over, as the job leaves it. */
async function lapsed(values: Record<string, unknown> = {}): Promise<Booked> {
  const booking = await booked(values)
  const held = { held_until: new Date(history.stripe.now().getTime() - 1000) }
  await server.context.db.updateTable('booking').set(held).where('id', '=', booking.id).execute()
  await sql`select graphile_worker.add_job('expire_bookings')`.execute(server.context.db)
  await server.work()
  expect((await read(booking.id)).state).toBe('expired')
  return booking
}

const press = ({ own }: Booked) =>
  server.inject({
    method: 'POST',
    url: `${own}?lang=en`,
    payload: 'act=pay',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  })
const shown = async ({ own }: Booked, query = 'lang=en') => (await server.inject(`${own}?${query}`)).body

/** The checkout that a sponsor goes on to. */
async function atCheckout(booking: Booked) {
  const answer = await press(booking)
  expect([answer.statusCode, answer.headers.refresh]).toEqual([200, expect.stringContaining('/c/pay/')])
  const id = String(answer.headers.refresh).split('/c/pay/')[1] ?? ''
  return history.account.world.get('checkout.session', id)
}

async function paid(booking: Booked) {
  const session = await atCheckout(booking)
  history.stripe.pay(history.account, session.id)
  return { session, bodies: (await history.events()).map(({ body }) => body) }
}

async function post(payload: string): Promise<void> {
  const timestamp = Math.floor(history.stripe.now().getTime() / 1000)
  const signature = StripeSdk.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  const url = `/stripe/${server.newsletterId}`
  expect((await server.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(200)
}
async function tell(bodies: string[]) {
  for (const body of bodies) await post(body)
  await server.work()
}

const bodiesOf = async () => (await history.events()).map(({ body }) => body)
const refund = async (paymentIntent: unknown, amount?: number) => {
  await history.api.refunds.create({ payment_intent: String(paymentIntent), ...(amount && { amount }) })
  return bodiesOf()
}
const books = (bookingId: string) =>
  server.context.db
    .selectFrom('payment')
    .select(['kind', 'amount', 'test', 'subscription_id', 'plan_id'])
    .where('booking_id', '=', bookingId)
    .orderBy('at')
    .orderBy('amount', 'desc')
    .execute()
const subjectsTo = async (email: string) =>
  (await server.context.relays.outbox.list()).filter(({ to }) => to === email).map(({ subject }) => subject)
const problems = async () =>
  (await server.context.db.selectFrom('payment_event').select('problem').where('problem', 'is not', null).execute())
    .map(({ problem }) => problem)
    .toSorted()

test('a sponsor pays by card on their own page: the booking is paid, the books have it, both are told, and no recurring revenue comes of it', async () => {
  const booking = await booked()
  expect(await shown(booking)).toContain('Pay €410')
  const session = await atCheckout(booking)
  expect(session).toMatchObject({ mode: 'payment', amount_total: SUM, currency: 'eur', locale: 'en' })
  expect(session).toMatchObject({ customer_email: booking.email, billing_address_collection: 'required' })
  expect(session.metadata).toMatchObject({ tirage_newsletter: server.newsletterId, tirage_booking: booking.id })
  expect([session.success_url, session.cancel_url]).toEqual([
    expect.stringContaining(`${booking.own}?lang=en&said=paying`),
    expect.stringContaining(`${booking.own}?lang=en&said=not_paid`),
  ])
  expect(await shown(booking, 'lang=en&said=not_paid')).toContain('Nothing was charged')
  const button = 'name="act" value="pay"'
  const back = await shown(booking, 'lang=en&said=paying')
  expect([back.includes('as soon as your payment is through'), back.includes(button)]).toEqual([true, false])
  expect(await shown(booking)).toContain(button)
  expect(await read(booking.id)).toMatchObject({ state: 'accepted', paidAt: null, cardPayments: [] })
  history.stripe.pay(history.account, session.id)
  await tell(await bodiesOf())
  const found = await read(booking.id)
  expect(found).toMatchObject({ state: 'paid', paidAt: expect.any(String), owed: false })
  expect(found.cardPayments).toMatchObject([{ amount: SUM, currency: 'eur', test: true, refunded: 0, owed: false }])
  expect(found.cardPayments[0].url).toBe(`https://dashboard.stripe.com/test/payments/${session.payment_intent}`)
  expect(await books(booking.id)).toEqual([
    { kind: 'payment', amount: SUM, test: true, subscription_id: null, plan_id: null },
  ])
  expect(await subjectsTo(booking.email)).toEqual(['Low Water has your payment'])
  expect(
    (await subjectsTo('ines@example.org')).filter((subject) => subject.startsWith('Maison Quéré paid')),
  ).toHaveLength(1)
  expect((await sql`select from revenue_change`.execute(server.context.db)).rows).toEqual([])
  const { rows } = (await server.owner.call('GET', `${server.path}/charge/payments`)).json()
  expect(rows[0]).toMatchObject({ planId: null, booking: { id: booking.id, sponsor: 'Maison Quéré' }, means: 'card' })
  const page = await shown(booking, 'lang=en&said=paying')
  expect(page).toContain('Thank you, it is paid')
  expect(page).not.toContain('Pay €410')
  expect((await press(booking)).headers.location).toContain('said=moved')
})

test('the page says that nothing is really charged in test mode, and without Stripe that an invoice comes', async () => {
  const booking = await booked()
  expect(await shown(booking)).toContain('class="test-band"')
  expect((await press(booking)).body).toContain('no money moves')
  const accounts = await server.context.db.selectFrom('stripe_account').selectAll().execute()
  await server.context.db.deleteFrom('stripe_account').execute()
  try {
    const page = await shown(booking)
    expect([page.includes('an invoice'), page.includes('Pay €410'), page.includes('class="test-band"')]).toEqual([
      true,
      false,
      false,
    ])
    const pressed = await press(booking)
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, expect.stringContaining('said=invoice')])
  } finally {
    await server.context.db.insertInto('stripe_account').values(accounts).execute()
  }
})

test('pressing again leads to the same checkout, and it ends before the slot lapses', async () => {
  const booking = await booked()
  const now = history.stripe.now().getTime()
  const until = new Date(now + 45 * 60_000)
  await server.context.db.updateTable('booking').set({ held_until: until }).where('id', '=', booking.id).execute()
  const [first, second, third] = await Promise.all([press(booking), press(booking), press(booking)])
  expect(new Set([first, second, third].map((answer) => answer?.headers.refresh)).size).toBe(1)
  const session = await atCheckout(booking)
  expect(session.expires_at * 1000).toBeLessThanOrEqual(until.getTime())
  const open = await booked()
  expect((await atCheckout(open)).expires_at * 1000).toBeLessThanOrEqual(now + 2 * HOUR_MS)
  // What is cancelled cannot be paid on a page that is still open.
  await act(open.id, 'cancel')
  await server.work()
  const closed = history.account.world
    .all('checkout.session')
    .find(({ metadata }) => metadata?.tirage_booking === open.id)
  expect(closed?.status).toBe('expired')
})

test('events that come again, shuffled, late or never end in the same state', async () => {
  const told = async (order: (bodies: string[]) => string[], alter = false) => {
    const booking = await booked()
    const { session, bodies } = await paid(booking)
    await tell(order([...bodies, ...(await refund(session.payment_intent, 400))]))
    if (alter) await compare()
    const { state, owed, steps } = await read(booking.id)
    return {
      ...{ state, owed, acts: steps.map((step: { act: string }) => step.act) },
      books: (await books(booking.id)).map(({ kind, amount }) => `${kind} ${amount}`).toSorted(),
      mails: (await subjectsTo(booking.email)).length,
    }
  }
  const expected = {
    ...{ state: 'paid', owed: false, acts: ['enter', 'pay'] },
    ...{ books: ['payment 41000', 'refund -400'], mails: 1 },
  }
  expect(await told((bodies) => bodies)).toEqual(expected)
  expect(await told((bodies) => bodies.toReversed())).toEqual(expected)
  expect(await told((bodies) => [...bodies, ...bodies.toReversed(), ...bodies])).toEqual(expected)
  // Another event, by its id, that says the same.
  const again = (body: string) => JSON.stringify({ ...JSON.parse(body), id: `${JSON.parse(body).id}_again` })
  expect(await told((bodies) => [...bodies, ...bodies.map(again)])).toEqual(expected)
  expect(await told(() => [], true)).toEqual(expected)
})

async function compare() {
  const { db, now, log } = server.context
  await beginComparison(db, server.newsletterId, now())
  const comparison = (await findUnderWay(db, server.newsletterId)) ?? expect.fail('none is under way')
  const newsletter = { id: server.newsletterId, grace_days: 14 }
  await continueComparison({ db, now, log, newsletter, stripe: history.api, test: true, comparison })
  await server.work()
}

test('the nightly comparison brings the fee of a payment, and finds a refund of which nothing was heard', async () => {
  const booking = await booked()
  const { session, bodies } = await paid(booking)
  await tell(bodies)
  await refund(session.payment_intent)
  await compare()
  const found = await read(booking.id)
  expect(found).toMatchObject({ state: 'refunded', refundedAt: expect.any(String) })
  expect(found.cardPayments[0]).toMatchObject({ refunded: SUM, fee: expect.any(Number) })
  expect(found.cardPayments[0].fee).toBeGreaterThan(0)
})

test('fifty who pay for one slot at the same moment: one has it, the money of the others is in plain sight, goes back or gets another day', async () => {
  const day = await soldDay()
  const rivals: Booked[] = []
  for (let n = 0; n < 50; n += 1) {
    const rival = await booked({ day })
    await server.context.db.updateTable('booking').set({ state: 'expired' }).where('id', '=', rival.id).execute()
    rivals.push(rival)
  }
  const bodies: string[] = []
  for (const rival of rivals) bodies.push(...(await paid(rival)).bodies)
  const { context } = server
  const appliers = [1, 2, 3].map(() => new EventApplier(context))
  await Promise.all([
    ...bodies.map(post),
    ...appliers.flatMap((applier) => [applier.drain(), applier.drain()]),
    ...bodies.map(post),
  ])
  await Promise.all(appliers.map((applier) => applier.drain()))
  await server.work()
  const found = await Promise.all(rivals.map(({ id }) => read(id)))
  const winners = found.filter(({ state }) => state === 'paid')
  const owed = found.filter((one) => one.owed)
  expect([winners.length, owed.length]).toEqual([1, 49])
  expect(owed.every(({ state, cardPayments }) => state === 'expired' && cardPayments[0].owed)).toBe(true)
  const rows = await Promise.all(rivals.map(({ id }) => books(id)))
  expect(rows.every((row) => row.length === 1)).toBe(true)
  const due = (await call('GET', '/bookings?which=due&limit=100')).rows.filter((row: { owed: boolean }) => row.owed)
  expect(due).toHaveLength(49)
  const told = await subjectsTo('ines@example.org')
  expect(told.filter((subject) => subject.includes('has no slot'))).toHaveLength(49)
  const [first, second] = rivals.filter((_, n) => found[n]?.owed)
  if (!first || !second) return expect.fail('two are owed')
  expect(await shown(first)).toContain('the day is no longer yours')
  expect((await press(first)).headers.location).toContain('said=moved')
  expect((await act(first.id, 'accept')).error.code).toBe('booking_moved_on')
  // Given back at Stripe, twice pressed.
  const [payment] = (await read(first.id)).cardPayments
  const give = () =>
    server.owner.call('POST', `${server.path}/charge/payments/${payment.id}/give-back`, {
      ...{ amount: SUM, seen: 0, access: 'goes_on' },
    })
  const answers = await Promise.all([give(), give()])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  await tell(await bodiesOf())
  const returned = await read(first.id)
  expect(returned).toMatchObject({ state: 'expired', owed: false, paidAt: null })
  expect(returned.cardPayments).toMatchObject([{ refunded: SUM, owed: false }])
  expect((await subjectsTo(first.email)).filter((subject) => subject.includes('gave your money back'))).toHaveLength(1)
  // Another day.
  const good = await call('POST', `/bookings/${second.id}/make-good`, { day: await soldDay() })
  expect(good).toMatchObject({ status: 200, state: 'replacement', amount: 0, makesGood: second.id })
  expect(await read(second.id)).toMatchObject({ state: 'made_good', owed: false })
}, 120_000)

test('a payment for what lapsed takes the slot while it is free, and what lost it gets it when a member gives it', async () => {
  const first = await lapsed()
  expect(await shown(first)).toContain('It is still free now')
  await tell((await paid(first)).bodies)
  expect(await read(first.id)).toMatchObject({ state: 'paid', owed: false })
  const day = await soldDay()
  const late = await lapsed({ day })
  const { bodies } = await paid(late)
  const other = await booked({ day })
  expect(await shown(late)).not.toContain('Pay €410')
  await tell(bodies)
  expect(await read(late.id)).toMatchObject({ state: 'expired', owed: true, paidAt: null })
  expect((await money(late.id, 'pay')).error.code).toBe('slot_taken')
  await act(other.id, 'cancel')
  expect(await money(late.id, 'pay')).toMatchObject({ state: 'paid', owed: false })
})

test('nobody gets a day that is blocked or over by paying late, and what was paid already is not paid twice', async () => {
  const day = await soldDay()
  const blocked = await lapsed({ day })
  const { bodies } = await paid(blocked)
  await call('PUT', '/days', { day, kind: 'blocked' })
  await tell(bodies)
  expect(await read(blocked.id)).toMatchObject({ state: 'expired', owed: true })
  const twice = await booked()
  const { bodies: late } = await paid(twice)
  await money(twice.id, 'pay')
  await tell(late)
  const found = await read(twice.id)
  expect(found).toMatchObject({ state: 'paid', owed: true })
  // What came outside is still given back outside, in sums that count, and what came by card goes back at Stripe.
  const givenBack = async () =>
    (await server.owner.call('GET', `${server.path}/advertise/results`))
      .json()
      .revenue.reduce((sum: number, row: { givenBack: number }) => sum + row.givenBack, 0)
  const before = await givenBack()
  const part = { act: 'refund', amount: 1_000, seen: 0 }
  expect(await call('POST', `/bookings/${twice.id}/money`, part)).toMatchObject({ state: 'paid', givenBack: 1_000 })
  expect(await givenBack()).toBe(before + 1_000)
  await tell(await refund((await sessionOf(twice)).payment_intent))
  expect(await read(twice.id)).toMatchObject({ state: 'paid', owed: false, refundedAt: null })
})

const sessionOf = async ({ id }: Booked) =>
  history.account.world.all('checkout.session').find(({ metadata }) => metadata?.tirage_booking === id) ??
  expect.fail('no session')

test('another sum, another currency, and a booking that is not here are evidence and no payment', async () => {
  const booking = await booked()
  const { session, bodies } = await paid(booking)
  const event = JSON.parse(bodies.find((body) => body.includes('checkout.session.completed')) ?? '')
  let number = 0
  const saying = (changes: object, metadata: object = {}) =>
    JSON.stringify({
      ...event,
      id: `${event.id}_${++number}`,
      data: { object: { ...event.data.object, ...changes, metadata: { ...event.data.object.metadata, ...metadata } } },
    })
  const before = await problems()
  await tell([
    saying({ amount_total: 1 }),
    saying({ currency: 'usd' }),
    saying({}, { tirage_booking: '01890000-0000-7000-8000-000000000000' }),
    saying({}, { tirage_booking: 'x' }),
    saying({}, { tirage_checkout: '01890000-0000-7000-8000-000000000000' }),
    saying({}, { tirage_checkout: '' }),
    saying({ livemode: true }),
    saying({}, { tirage_newsletter: 'another' }),
  ])
  expect((await read(booking.id)).state).toBe('accepted')
  expect(await books(booking.id)).toEqual([])
  const unknown = 'booking_unknown'
  expect(await problems()).toEqual(
    [...before, 'sum_differs', 'sum_differs', unknown, unknown, unknown, unknown, unknown, 'not_ours'].toSorted(),
  )
  // A booking of another newsletter, with a checkout of this one.
  const other = await booked()
  await tell([saying({}, { tirage_booking: other.id })])
  expect((await read(other.id)).state).toBe('accepted')
  await tell(bodies)
  expect((await read(booking.id)).state).toBe('paid')
  // What is paid by one checkout is not paid again by another that takes its name.
  await tell([saying({ id: `${session.id}x` })])
  expect(await books(booking.id)).toHaveLength(1)
})

test('what was paid by card goes back at Stripe and not by a note; a refund that fails leaves money without a slot', async () => {
  const booking = await booked()
  const { session, bodies } = await paid(booking)
  await tell(bodies)
  expect((await money(booking.id, 'refund')).error.code).toBe('charged_by_stripe')
  expect(await shown(booking)).toContain('class="test-band"')
  await act(booking.id, 'cancel')
  const due = async () => (await call('GET', '/bookings?which=due&limit=100')).rows.map(({ id }: { id: string }) => id)
  expect(await due()).toContain(booking.id)
  const told = await refund(session.payment_intent)
  await tell([...told, ...told])
  expect(await read(booking.id)).toMatchObject({ state: 'refunded', owed: false, refundedAt: expect.any(String) })
  expect(await due()).not.toContain(booking.id)
  const event = JSON.parse(told.find((body) => body.includes('"refund.created"')) ?? '')
  const failed = { ...event.data.object, status: 'failed' }
  await tell([JSON.stringify({ ...event, id: `${event.id}_f`, type: 'refund.failed', data: { object: failed } })])
  expect(await read(booking.id)).toMatchObject({ state: 'refunded', owed: true })
  const good = await call('POST', `/bookings/${booking.id}/make-good`, { day: await soldDay() })
  expect(good).toMatchObject({ status: 200, state: 'replacement', amount: 0 })
  expect((await read(booking.id)).owed).toBe(false)
})

test('what a bank takes back is noted, and a member decides about the slot', async () => {
  const booking = await booked()
  const { session, bodies } = await paid(booking)
  await tell(bodies)
  const intent = history.account.world.get('payment_intent', String(session.payment_intent))
  history.stripe.dispute(history.account, String(intent.latest_charge))
  const told = await bodiesOf()
  await tell([...told, ...told])
  const found = await read(booking.id)
  expect(found).toMatchObject({ state: 'paid', disputed: true, owed: false })
  expect(found.cardPayments[0]).toMatchObject({ disputed: SUM })
  expect((await call('GET', '/bookings?which=due')).rows.map(({ id }: { id: string }) => id)).toContain(booking.id)
  const [subject, ...more] = (await subjectsTo('ines@example.org')).filter((one) => one.startsWith('A bank'))
  expect([subject, more]).toEqual([expect.stringContaining('Maison Quéré'), []])
})

test('members cannot fill the inbox of a sponsor by doing and undoing', async () => {
  const booking = await booked()
  const tries: number[] = []
  for (let n = 0; n < 14; n += 1) tries.push((await act(booking.id, 'approve')).status)
  expect(tries.filter((status) => status === 409)).toHaveLength(12)
  expect(tries.slice(12)).toEqual([429, 429])
  // Nor by making one booking after the other for one address.
  const email = someone()
  let refused = 0
  for (let n = 0; n < 26; n += 1) {
    const { id } = await booked({ email })
    if ((await act(id, 'cancel')).status === 429) refused += 1
  }
  expect(refused).toBe(2)
}, 120_000)

test('what is really paid is money of the newsletter, named in the books, and no recurring revenue, no sale and no plan', async () => {
  const booking = await booked()
  const { bodies } = await paid(booking)
  await server.context.db
    .updateTable('booking_checkout')
    .set({ test: false })
    .where('booking_id', '=', booking.id)
    .execute()
  await tell(bodies.map((body) => body.replaceAll(/"livemode":\s*false/g, '"livemode":true')))
  expect((await read(booking.id)).cardPayments[0].url).toMatch(/stripe\.com\/payments\/pi_/)
  const figures = (await server.owner.call('GET', `${server.path}/charge/figures`)).json()
  expect(figures.money).toMatchObject([{ currency: 'eur', payments: 1, paid: SUM }])
  expect([figures.recurring.end, figures.recurring.payingEnd, figures.sources, figures.plans]).toEqual([0, 0, [], []])
  const csv = (await server.owner.call('GET', `${server.path}/charge/books.csv?rows=each`)).body
  expect(csv.split('\n')[1]).toContain(',Sponsorship,EUR,410.00,')
})

test('what came by card before another day was given goes back from there, and is due when that day is cancelled too', async () => {
  const booking = await booked()
  const { session, bodies } = await paid(booking)
  await tell(bodies)
  const { id: other } = await call('POST', `/bookings/${booking.id}/make-good`, { day: await soldDay() })
  const due = async () => (await call('GET', '/bookings?which=due&limit=100')).rows.map(({ id }: { id: string }) => id)
  expect(await due()).not.toContain(booking.id)
  await act(other, 'cancel')
  expect(await due()).toContain(booking.id)
  expect((await money(booking.id, 'refund')).error.code).toBe('charged_by_stripe')
  await tell(await refund(session.payment_intent))
  expect(await read(booking.id)).toMatchObject({ state: 'refunded', refundedAt: expect.any(String), owed: false })
  expect(await due()).not.toContain(booking.id)
})

test('a payment by card for what was made good meanwhile is its payment, and is not without a slot', async () => {
  const booking = await booked()
  await money(booking.id, 'invoice')
  const { bodies } = await paid(booking)
  await call('POST', `/bookings/${booking.id}/make-good`, { day: await soldDay() })
  await tell(bodies)
  expect(await read(booking.id)).toMatchObject({ state: 'made_good', paidAt: expect.any(String), owed: false })
})

test('the money of sponsors by month agrees with the books, and adds what was noted by hand', async () => {
  const currency = 'gbp'
  const [whole, part, taken, late, hand] = [
    await booked({ currency }),
    await booked({ currency }),
    await booked({ currency }),
    await lapsed({ currency }),
    await booked({ currency, amount: 700 }),
  ]
  const { session: first, bodies } = await paid(whole)
  await tell(bodies)
  await call('POST', `/bookings/${whole.id}/make-good`, { day: await soldDay() })
  await tell(await refund(first.payment_intent))
  const { session: second, bodies: more } = await paid(part)
  await tell(more)
  await tell(await refund(second.payment_intent, 1_500))
  const { session: third, bodies: others } = await paid(taken)
  await tell(others)
  const intent = history.account.world.get('payment_intent', String(third.payment_intent))
  history.stripe.dispute(history.account, String(intent.latest_charge))
  await tell(await bodiesOf())
  const { bodies: last } = await paid(late)
  const { day } = await read(late.id)
  const rival = await booked({ currency, day })
  await tell(last)
  // The money is in the books since it came, so the slot that a member gives for it adds none.
  await act(rival.id, 'cancel')
  await money(late.id, 'pay')
  await money(hand.id, 'pay')
  const ids = [whole, part, taken, late].map(({ id }) => id)
  await server.context.db.transaction().execute(async (tx) => {
    // A trigger keeps what is in the books from being changed, and the account of this test is one of test mode.
    await sql`set local session_replication_role = replica`.execute(tx)
    await tx.updateTable('payment').set({ test: false }).where('booking_id', 'in', ids).execute()
  })
  const inBooks = (await Promise.all(ids.map(books))).flat().reduce((sum, { amount }) => sum + amount, 0)
  expect(inBooks).toBe(2 * SUM - 1_500)
  const { revenue } = (await server.owner.call('GET', `${server.path}/advertise/results`)).json()
  const months: { currency: string; paid: number; givenBack: number }[] = revenue
  const net = months.filter((one) => one.currency === currency).reduce((sum, m) => sum + m.paid - m.givenBack, 0)
  expect(net).toBe(inBooks + 700)
})

test('a payment, its refund and what is read of them touch nothing of a newsletter with the same ids', async () => {
  const beside = await besideTwin(server)
  const booking = await booked()
  const { session, bodies } = await beside.act('pay', () => paid(booking))
  await beside.act('tell', () => tell(bodies))
  await beside.read(`/sponsorship/bookings/${booking.id}`)
  await beside.read('/sponsorship/bookings?which=due')
  await beside.read('/charge/payments')
  await beside.act('refund', async () => tell(await refund(session.payment_intent)))
  expect((await read(booking.id)).state).toBe('refunded')
}, 60_000)
