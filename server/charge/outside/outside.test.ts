import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfirmationSender } from '../../sending/confirmation-sender.ts'
import { findByAddress } from '../../subscribers/queries.ts'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { translator } from '../../translator.ts'
import { readablePlans } from '../change.ts'

const t = translator('en')
let server: TestNewsletter
let planId: number
let round = 0
beforeAll(async () => {
  server = await startTestNewsletter()
  planId = await addPaidPlan(server.context.db, server.newsletterId)
})
afterAll(() => server?.stop())

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const call = async (method: 'GET' | 'POST' | 'PATCH', rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${server.path}/charge${rest}`, body)
  return { status: answer.statusCode, ...answer.json() }
}
const cash = { amount: 5400, currency: 'eur', means: 'cash', at: inDays(0) }
const shown = (id: string) => server.context.shownIds.show(id)

async function subscriber() {
  round += 1
  const [subscriberId = ''] = await server.addSubscribers([`reader${round}@example.org`])
  return { newsletterId: server.newsletterId, subscriberId }
}
async function entered(values = {}) {
  const key = await subscriber()
  const body = { subscriberId: shown(key.subscriberId), planId, way: 'outside', until: inDays(365), ...values }
  const subscription = await call('POST', '/subscriptions', { payment: cash, period: 'year', ...body })
  return { key, subscription }
}
const isOpen = async (key: Awaited<ReturnType<typeof subscriber>>, at = new Date()) =>
  (await readablePlans(server.context.db, key, at)).has(planId)

test('what was paid in cash opens the plan until its end, and is in the books and in the recurring revenue', async () => {
  const { key, subscription } = await entered({ note: 'at the book fair' })
  expect(subscription).toMatchObject({
    ...{ status: 'active', way: 'outside', amount: 5400, currency: 'eur', period: 'year', means: 'cash' },
    note: 'at the book fair',
  })
  expect([await isOpen(key), await isOpen(key, new Date(inDays(366)))]).toEqual([true, false])
  const { rows } = await call('GET', `/payments?subscriberId=${shown(key.subscriberId)}`)
  expect(rows).toMatchObject([{ kind: 'payment', amount: 5400, means: 'cash', byStripe: false, refunded: 0 }])
  const moved = await server.context.db
    .selectFrom('revenue_change')
    .selectAll()
    .where('subscription_id', '=', subscription.id)
    .execute()
  expect(moved).toMatchObject([{ kind: 'new', yearly: 5400 }])
})

test('a payment for several months is recurring revenue by the month, at first and again', async () => {
  const start = new Date()
  const monthsOn = (months: number) => new Date(new Date(start).setMonth(start.getMonth() + months)).toISOString()
  const yearly = async (id: string) => {
    const moved = server.context.db.selectFrom('revenue_change').select('yearly').where('subscription_id', '=', id)
    return (await moved.execute()).reduce((sum, one) => sum + Number(one.yearly), 0)
  }
  const paid = { ...cash, amount: 1_650, at: start.toISOString() }
  const { key, subscription } = await entered({ payment: paid, period: 'month', until: monthsOn(3) })
  expect(subscription).toMatchObject({ amount: 550, period: 'month' })
  expect(await yearly(subscription.id)).toBe(6_600)
  const again = { ...paid, amount: 3_000, until: monthsOn(9) }
  expect(await call('POST', `/subscriptions/${subscription.id}/payments`, again)).toMatchObject({ amount: 500 })
  expect(await yearly(subscription.id)).toBe(6_000)
  const { rows } = await call('GET', `/payments?subscriberId=${shown(key.subscriberId)}`)
  expect(rows).toMatchObject([{ amount: 3_000 }, { amount: 1_650 }])
})

test('whoever has the plan already is said to, and goes on behind it or has another one; neither is a return, and both are one person', async () => {
  const [first, second] = [inDays(365), inDays(730)]
  const own = await addPaidPlan(server.context.db, server.newsletterId)
  const { key, subscription } = await entered({ planId: own, until: first })
  const body = { subscriberId: shown(key.subscriberId), planId: own, way: 'outside', period: 'year', payment: cash }
  const refused = await call('POST', '/subscriptions', { ...body, until: second })
  expect(refused).toMatchObject({
    status: 409,
    error: { code: 'plan_held', detail: { until: first, way: 'outside', canGoOn: true } },
  })
  // It asks where the time goes, so that nothing was refused.
  const audit = (await server.owner.call('GET', `${server.path}/audit?limit=50`)).json()
  expect(audit.rows.filter(({ outcome }: { outcome: string }) => outcome === 'refused')).toEqual([])
  const behind = await call('POST', '/subscriptions', {
    ...body,
    until: second,
    ifHeld: 'behind',
  })
  expect(behind).toMatchObject({ id: subscription.id, paidUntil: second })
  const { rows } = await call('GET', `/payments?subscriberId=${shown(key.subscriberId)}`)
  expect(rows.map((row: { subscriptionId: string }) => row.subscriptionId)).toEqual([subscription.id, subscription.id])
  const early = { ...body, until: inDays(500), ifHeld: 'behind' }
  expect(await call('POST', '/subscriptions', early)).toMatchObject({
    error: { fields: { until: t('errors.fields.before_held') } },
  })
  expect(
    await call('POST', `/subscriptions/${subscription.id}/payments`, { ...cash, until: inDays(500) }),
  ).toMatchObject({ error: { fields: { until: t('errors.fields.before_held') } } })
  const beside = await call('POST', '/subscriptions', { ...early, ifHeld: 'beside' })
  expect(beside.id).not.toBe(subscription.id)
  expect(await movementsOf(beside.id)).toEqual(['expansion'])
  const { plans } = await call('GET', '/plans')
  expect(plans.find(({ id }: { id: number }) => id === own)).toMatchObject({ placesTaken: 1 })
  await call('PATCH', `/subscriptions/${beside.id}`, { ended: true })
  expect(await movementsOf(beside.id)).toEqual(['expansion', 'contraction'])
  await call('PATCH', `/subscriptions/${subscription.id}`, { ended: true })
  expect(await movementsOf(subscription.id)).toEqual(['new', 'churn'])
})

const movementsOf = async (subscriptionId: string) =>
  (
    await server.context.db
      .selectFrom('revenue_change')
      .select('kind')
      .where('subscription_id', '=', subscriptionId)
      .orderBy('at')
      .execute()
  ).map(({ kind }) => kind)

test('a subscriber is told by mail what was opened, until when and how to read, once and only when that is asked for', async () => {
  const mailsTo = async (email: string) => {
    await server.work()
    const outbox = `${server.path}/outbox`
    const { rows } = (await server.owner.call('GET', `${outbox}?search=${email}`)).json()
    const sources = await Promise.all(rows.map(({ id }: { id: string }) => server.owner.call('GET', `${outbox}/${id}`)))
    const mails = await Promise.all(sources.map((answer) => PostalMime.parse(answer.json().source)))
    return mails.map(({ text = '' }) => text.replaceAll(/\s+/g, ' '))
  }
  await entered({ tell: false })
  expect(await mailsTo(`reader${round}@example.org`)).toEqual([])
  const gift = { way: 'complimentary', payment: null, until: '2090-08-31T12:00:00.000Z', tell: true }
  await entered(gift)
  const [told, ...others] = await mailsTo(`reader${round}@example.org`)
  expect(others).toEqual([])
  expect(told).toContain('31 August 2090')
  expect(told).toContain('You pay nothing for it.')
  expect(told).toContain('/signin/')
  await entered({ tell: true })
  expect((await mailsTo(`reader${round}@example.org`))[0]).toContain('has noted your plan')
  // No mail goes to whom a member has stopped it, and whoever enters reads that.
  const email = `reader${round}@example.org`
  const row = { newsletter_id: server.newsletterId, email_normalised: email, reason: 'by_hand' as const }
  await server.context.db.insertInto('suppression').values(row).execute()
  const before = (await mailsTo(email)).length
  const stopped = await call('POST', '/subscriptions', { ...gift, email, planId, ifHeld: 'beside' })
  expect(stopped).toMatchObject({ status: 'active', mailStopped: true })
  expect(await mailsTo(email)).toHaveLength(before)
  const asked = await call('POST', '/subscriptions', { ...gift, email: 'unknown@example.com', planId })
  expect(asked).toMatchObject({ status: 'active', way: 'complimentary', mailStopped: false })
  expect((await mailsTo('unknown@example.com')).filter((mail) => mail.includes('You get this mail because'))).toEqual(
    [],
  )
})

test('a new address is asked whether it wants the mail, and may read meanwhile', async () => {
  const body = { email: 'Odile@example.com', planId, way: 'complimentary', until: null, language: 'fr' }
  const subscription = await call('POST', '/subscriptions', body)
  expect(subscription).toMatchObject({ status: 'active', paidUntil: null, amount: null })
  const found = await server.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('email_normalised', '=', 'odile@example.com')
    .executeTakeFirstOrThrow()
  expect(found).toMatchObject({ status: 'pending', language: 'fr' })
  expect(await isOpen({ newsletterId: server.newsletterId, subscriberId: found.id })).toBe(true)
  await new ConfirmationSender(server.context).drain()
  expect(await askedBy('Odile')).toMatchObject({ subject: 'Votre formule « Supporter » de Low Water, et une question' })
  const again = await call('POST', '/subscriptions', { ...body, way: 'gift', until: inDays(30), ifHeld: 'beside' })
  expect(again).toMatchObject({ subscriber: { id: subscription.subscriber.id } })
  expect(await call('POST', '/subscriptions', { ...body, email: 'nobody' })).toMatchObject({ status: 422 })
})

/** The one mail that asked an address, as it is read. */
async function askedBy(search: string) {
  await new ConfirmationSender(server.context).drain()
  const outbox = `${server.path}/outbox`
  const { rows } = (await server.owner.call('GET', `${outbox}?search=${search}`)).json()
  expect(rows).toHaveLength(1)
  const { source } = (await server.owner.call('GET', `${outbox}/${rows[0].id}`)).json()
  const { subject, text = '', html = '' } = await PostalMime.parse(source)
  const inWords = (words: string) => words.replaceAll(/\s+/g, ' ')
  return { subject, text: inWords(text), html: inWords(html.replaceAll(/<style.*?<\/style>|<[^>]+>/gs, ' ')) }
}

test.each([
  {
    language: 'en',
    way: 'gift',
    opened: 'has given you the plan “Supporter”. You pay nothing for it. It lasts until 3 March 2090',
  },
  {
    language: 'fr',
    way: 'gift',
    opened: 'vous offre la formule « Supporter ». Vous n’avez rien à payer. C’est valable jusqu’au 3 mars 2090',
  },
  {
    language: 'en',
    way: 'outside',
    opened: 'has noted your plan “Supporter”: it is open to you. It lasts until 3 March 2090',
  },
  {
    language: 'fr',
    way: 'outside',
    opened: 'a noté votre formule « Supporter » : elle vous est ouverte. C’est valable jusqu’au 3 mars 2090',
  },
])(
  'whoever is asked in $language with a plan ($way) reads which it is and until when, above the question',
  async (asked) => {
    const { language, way, opened } = asked
    const email = `asked-${way}-${language}@example.com`
    const body = {
      email,
      planId,
      way,
      until: '2090-03-03T12:00:00Z',
      language,
      ...(way === 'outside' && { payment: cash }),
    }
    await call('POST', '/subscriptions', body)
    const { text, html } = await askedBy(email)
    const question = language === 'en' ? 'Would you like' : 'Souhaitez-vous'
    for (const words of [text, html]) {
      expect(words).toContain(opened)
      expect(words.indexOf(question)).toBeGreaterThan(words.indexOf(opened))
    }
  },
)

test('what a mail names is the plan that was entered, so it waits for it, and nobody is asked for one that cannot be entered', async () => {
  const { db } = server.context
  const sender = new ConfirmationSender(server.context)
  const isAsked = async (email: string) => (await findByAddress(db, server.newsletterId, email)) !== null
  const lost = addPaidPlan(db, server.newsletterId, 'Lost')
  await db
    .updateTable('plan')
    .set({ closed_at: new Date() })
    .where('id', '=', await lost)
    .execute()
  const body = { way: 'complimentary', until: null }
  const closed = await call('POST', '/subscriptions', { ...body, email: 'closed@example.com', planId: await lost })
  expect([closed.status, await isAsked('closed@example.com')]).toEqual([409, false])
  // Asked, and the server was killed before the plan was entered.
  const early = { ...body, email: 'early@example.com', planId, until: inDays(-1) }
  expect(await call('POST', '/subscriptions', early)).toMatchObject({ status: 422 })
  await sender.drain()
  const mails = async () => (await server.owner.call('GET', `${server.path}/outbox?search=early@`)).json().rows
  expect(await mails()).toEqual([])
  await db.updateTable('confirmation_mail').set({ due_at: new Date() }).execute()
  const { text } = await askedBy('early@')
  expect(text).not.toContain('Supporter')
})

test.each<[string, Record<string, unknown>]>([
  ['a payment of what is given for nothing', { way: 'complimentary' }],
  ['a gift without an end', { way: 'gift', payment: null, until: null }],
  ['an end before the beginning', { until: '2020-01-01T00:00:00Z' }],
  ['neither a subscriber nor an address', { subscriberId: undefined }],
  ['both', { email: 'ada@example.org' }],
  ['a sum in words', { payment: { ...cash, amount: '54' } }],
  ['a payment without a sum', { payment: { ...cash, amount: 0 } }],
  ['what is paid and has neither a payment nor a price', { payment: null }],
  ['a way that is Stripe’s', { way: 'card' }],
  ['a note of a page', { note: 'x'.repeat(300) }],
])('it refuses %s', async (_what, values) => {
  const { subscription } = await entered(values)
  expect(subscription).toMatchObject({ status: 422 })
})

test('a day that is past or still to come is said of its own field', async () => {
  const said = async (values: Record<string, unknown>) => (await entered(values)).subscription.error?.fields
  const past = t('errors.fields.day_past')
  const ahead = t('errors.fields.day_ahead')
  expect(await said({ until: inDays(-3) })).toEqual({ until: past })
  expect(await said({ payment: { ...cash, at: inDays(2) } })).toEqual({ 'payment.at': ahead })
  expect(await said({ startsAt: inDays(20), until: inDays(10) })).toEqual({
    until: t('errors.fields.before_start'),
  })
  const { subscription } = await entered({})
  const further = { ...cash, at: inDays(2), until: inDays(800) }
  const refused = await call('POST', `/subscriptions/${subscription.id}/payments`, further)
  expect(refused.error.fields).toEqual({ at: ahead })
})

test('an unknown subscriber, plan and price are not found', async () => {
  const unknown = { subscriberId: shown('00000000-0000-7000-8000-000000000000') }
  for (const values of [unknown, { planId: 999_999 }, { priceId: 999_999 }])
    expect([values, (await entered(values)).subscription]).toMatchObject([values, { status: 404 }])
  expect(await call('PATCH', '/subscriptions/nothing', { note: 'x' })).toMatchObject({ status: 404 })
})

test('a further payment goes on from the end, at the price that was agreed for it', async () => {
  const { db } = server.context
  const { key, subscription } = await entered({ until: inDays(10) })
  const paid = { ...cash, amount: 6000, until: inDays(375) }
  const longer = await call('POST', `/subscriptions/${subscription.id}/payments`, paid)
  expect(longer).toMatchObject({ amount: 6000, paidUntil: paid.until })
  expect(await isOpen(key, new Date(inDays(300)))).toBe(true)
  const { rows } = await call('GET', `/payments?subscriberId=${shown(key.subscriberId)}`)
  expect(rows).toHaveLength(2)
  const moved = await db
    .selectFrom('revenue_change')
    .select('yearly')
    .where('subscription_id', '=', subscription.id)
    .orderBy('id')
    .execute()
  expect(moved).toEqual([{ yearly: 5400 }, { yearly: 600 }])
  expect(await call('POST', `/subscriptions/${subscription.id}/payments`, { ...paid, until: inDays(5) })).toMatchObject(
    {
      status: 422,
    },
  )
})

test('it is corrected, ended, and opened again', async () => {
  const { key, subscription } = await entered()
  const at = `/subscriptions/${subscription.id}`
  expect(await call('PATCH', at, { until: inDays(30), note: '2026-031' })).toMatchObject({ note: '2026-031' })
  expect(await isOpen(key, new Date(inDays(31)))).toBe(false)
  expect(await call('PATCH', at, { ended: true })).toMatchObject({ status: 'ended', endedAt: expect.any(String) })
  expect(await isOpen(key)).toBe(false)
  expect(await call('PATCH', at, { until: inDays(60) })).toMatchObject({ status: 'active', endedAt: null })
  expect(await isOpen(key)).toBe(true)
  const card = await addPaidSubscription(server.context.db, key, { planId, way: 'card' })
  for (const rest of ['', '/payments']) {
    const body = rest ? { ...cash, until: inDays(400) } : { ended: true }
    const answer = await call(rest ? 'POST' : 'PATCH', `/subscriptions/${card}${rest}`, body)
    expect([rest, answer]).toMatchObject([rest, { status: 409, error: { code: 'charged_by_stripe' } }])
  }
})

test('nobody opens again what somebody had who was erased', async () => {
  const { key, subscription } = await entered()
  expect((await server.owner.call('DELETE', server.subscriberPath(key.subscriberId))).statusCode).toBe(200)
  const path = `/subscriptions/${subscription.id}`
  const tries = [
    ...[{ until: inDays(30) }, { until: null }, { note: 'Once more' }, { planId }].map((body) =>
      call('PATCH', path, body),
    ),
    call('POST', `${path}/payments`, { ...cash, until: inDays(365), note: '' }),
  ]
  for (const answer of await Promise.all(tries))
    expect(answer).toMatchObject({ status: 404, error: { code: 'subscription_not_found' } })
  const row = await server.context.db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', subscription.id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: 'ended', subscriber_id: null, note: '' })
})

test('no more is given back than was paid, however many note it at once', async () => {
  const { key } = await entered()
  const list = `/payments?subscriberId=${shown(key.subscriberId)}`
  const [payment] = (await call('GET', list)).rows
  const back = { amount: 2000, at: inDays(0), note: 'moved away' }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => call('POST', `/payments/${payment.id}/refund`, back)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  const { rows } = await call('GET', list)
  expect(rows.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount])).toEqual(
    expect.arrayContaining([
      ['payment', 5400],
      ['refund', -2000],
      ['refund', -2000],
    ]),
  )
  expect(rows.find(({ kind }: { kind: string }) => kind === 'payment')).toMatchObject({ refunded: 4000 })
})

test('a file is tried line by line, entered once, and can be entered again', async () => {
  const [known = ''] = await server.addSubscribers(['known@file.example'])
  const csv = [
    'Email;Formule;Fin;Montant;Note',
    'known@file.example;Supporter;2099-12-31;54,00;"Virement; mars"',
    'new@file.example;supporter;2099-12-31;;',
    'new@file.example;Supporter;2099-12-31;;',
    'nobody;Supporter;2099-12-31;;',
    'a@file.example;Unknown;2099-12-31;;',
    'b@file.example;Supporter;31/12/99;;',
    'c@file.example;Supporter;2020-12-31;;',
    'd@file.example;Supporter;2099-12-31;5,4,0;',
  ].join('\r\n')
  const expected = [
    'subscriber',
    'new_address',
    'twice',
    'no_address',
    'unknown_plan',
    'bad_end',
    'past_end',
    'bad_amount',
  ]
  const results = ({ lines }: { lines: { result: string }[] }) => lines.map(({ result }) => result)
  const count = async () => (await call('GET', `/subscriptions?planId=${planId}&limit=200`)).rows.length
  const before = await count()
  const tried = await call('POST', '/outside-file', { csv, dryRun: true })
  expect([results(tried), tried.entered, await count()]).toEqual([expected, 0, before])
  expect(tried.unknownColumns).toEqual([])
  const more = csv.replace(/\r\n/, ';Payé le\r\n')
  expect((await call('POST', '/outside-file', { csv: more, dryRun: true })).unknownColumns).toEqual(['Payé le'])
  expect(tried.lines[0]).toMatchObject({ line: 2, amount: 5400, currency: 'eur', until: '2099-12-31T22:59:59.000Z' })
  const done = await call('POST', '/outside-file', { csv, dryRun: false })
  expect([results(done), done.entered, await count()]).toEqual([expected, 2, before + 2])
  const again = await call('POST', '/outside-file', { csv, dryRun: false })
  expect([results(again).slice(0, 2), again.entered, await count()]).toEqual([['there', 'there'], 0, before + 2])
  expect((await call('GET', `/payments?subscriberId=${shown(known)}`)).rows).toMatchObject([
    { amount: 5400, note: 'Virement; mars' },
  ])
  const { rows: entries } = await call('GET', `/subscriptions?planId=${planId}&limit=200`)
  const wayOf = (email: string) =>
    entries.find(({ subscriber }: { subscriber: { email: string } }) => subscriber.email === email).way
  expect([wayOf('known@file.example'), wayOf('new@file.example')]).toEqual(['outside', 'complimentary'])
})

test('a sum without a currency is in that of its plan, and one that equals a price is paid at that price', async () => {
  const { db } = server.context
  const plan = async (
    name: string,
    prices: { currency: string; period: 'month' | 'year' | 'once'; amount: number }[],
  ) => {
    const id = await addPaidPlan(db, server.newsletterId, name)
    await db.deleteFrom('price').where('plan_id', '=', id).execute()
    const rows = prices.map((price) => ({ newsletter_id: server.newsletterId, plan_id: id, ...price }))
    await db.insertInto('price').values(rows).execute()
    return id
  }
  await plan('Sterling', [
    { currency: 'gbp', period: 'month', amount: 800 },
    { currency: 'gbp', period: 'year', amount: 8000 },
  ])
  await plan('Both', [
    { currency: 'eur', period: 'year', amount: 9000 },
    { currency: 'gbp', period: 'year', amount: 7000 },
  ])
  await plan('Same', [
    { currency: 'eur', period: 'year', amount: 9000 },
    { currency: 'eur', period: 'once', amount: 9000 },
  ])
  await plan('Level', [
    { currency: 'eur', period: 'year', amount: 9000 },
    { currency: 'gbp', period: 'year', amount: 9000 },
  ])
  const within = inDays(200).slice(0, 10)
  const cases: [string, string, string, string | number | undefined, string?][] = [
    ['Sterling', '80', '', 8000, 'year'],
    ['Sterling', '£8', '', 800, 'month'],
    ['Sterling', '80', 'GBP', 8000, 'year'],
    ['Sterling', '75', '', 7500],
    ['Sterling', '80', 'eur', 8000],
    ['Sterling', '€80', '', 'bad_amount'],
    ['Sterling', '80', 'pounds', 'bad_amount'],
    ['Both', '70', '', 7000, 'year'],
    ['Both', '71', '', 'no_currency'],
    ['Both', '£71', '', 7100],
    ['Level', '90', '', 'no_currency'],
    ['Same', '90', '', 9000, 'year'],
  ]
  const csv = [
    'email,plan,until,amount,currency',
    ...cases.map(([name, amount, currency], at) => `sum${at}@file.example,${name},${within},${amount},${currency}`),
    'late@file.example,Same,2099-12-31,90,',
  ].join('\n')
  const { lines } = await call('POST', '/outside-file', { csv, dryRun: true })
  await call('POST', '/outside-file', { csv, dryRun: false })
  const { rows } = await call('GET', '/subscriptions?limit=200')
  const entry = (email: string) =>
    rows.find(({ subscriber }: { subscriber: { email: string } | null }) => subscriber?.email === email)
  for (const [at, [name, amount, currency, expected, period = null]] of cases.entries()) {
    const found = entry(`sum${at}@file.example`)
    const got = found ? [found.amount, found.period] : lines[at].result
    expect([name, amount, currency, got]).toEqual([
      ...[name, amount, currency],
      typeof expected === 'number' ? [expected, period] : expected,
    ])
  }
  const currencies = cases.map((_, at) => entry(`sum${at}@file.example`)?.currency)
  expect(currencies).toEqual([
    'gbp',
    'gbp',
    'gbp',
    'gbp',
    'eur',
    undefined,
    undefined,
    'gbp',
    undefined,
    'gbp',
    undefined,
    'eur',
  ])
  expect(entry('late@file.example')).toMatchObject({ amount: 9000, period: null })
  const moved = db
    .selectFrom('revenue_change')
    .select('yearly')
    .where('subscription_id', '=', entry('sum0@file.example').id)
  expect(await moved.execute()).toEqual([{ yearly: 8000 }])
})

test.each<[string, string[], string[]]>([
  ['the day first', ['03/04/2099', '31/12/2099', '2099-05-01'], ['2099-04-03', '2099-12-31', '2099-05-01']],
  ['the month first', ['03/04/2099', '12/31/2099 18:00'], ['2099-03-04', '2099-12-31']],
  ['no order', ['03/04/2099', '05.05.2099'], ['day_order', '2099-05-05']],
  ['two orders', ['03/04/2099', '31/12/2099', '12/30/2099'], ['day_order', '2099-12-31', '2099-12-30']],
])('ends that prove %s are read by it', async (_what, ends, expected) => {
  const rows = ends.map((end, at) => `e${at}@ends.example,Supporter,${end}`)
  const csv = ['email,plan,until', ...rows].join('\n')
  const { lines } = await call('POST', '/outside-file', { csv, dryRun: true })
  const read = lines.map(({ until, result }: { until: string | null; result: string }) => until?.slice(0, 10) ?? result)
  expect(read).toEqual(expected)
})

test.each<[string, string]>([
  ['without a column for the plan', 'email,until\na@example.org,2099-01-01\n'],
  ['with its first line alone', 'email,plan,until\n'],
  ['of nothing but a quote', '"'],
  ['with more lines than are taken', `email,plan,until\n${'a@example.org,Supporter,2099-01-01\n'.repeat(5_001)}`],
])('a file is refused %s', async (_what, csv) => {
  expect(await call('POST', '/outside-file', { csv, dryRun: true })).toMatchObject({
    ...{ status: 422, error: { code: 'file_refused' } },
  })
})

test('what ends soon and whose payment failed is on the overview', async () => {
  const { subscription } = await entered({ until: inDays(6) })
  const { key } = await entered()
  await addPaidSubscription(server.context.db, key, {
    planId,
    way: 'card',
    status: 'past_due',
    past_due_since: new Date(),
  })
  const overview = await call('GET', '/overview')
  expect(overview.ending.rows[0]).toMatchObject({ id: subscription.id })
  expect(overview.failed).toMatchObject({
    total: 1,
    rows: [{ status: 'past_due', subscriber: { id: shown(key.subscriberId) } }],
  })
})

test('pages of subscriptions and of payments hold each row once', async () => {
  for (const list of ['subscriptions', 'payments']) {
    const all = (await call('GET', `/${list}?limit=200`)).rows.map(({ id }: { id: string }) => id)
    const paged: string[] = []
    for (let cursor = ''; ; ) {
      const page = await call('GET', `/${list}?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      paged.push(...page.rows.map(({ id }: { id: string }) => id))
      if (!page.next) break
      cursor = page.next
    }
    expect(paged).toEqual(all)
    expect((await call('GET', `/${list}?cursor=nothing`)).rows).toEqual([])
  }
})

test('what is due comes in pages, the most pressing first, and nothing else is among it', async () => {
  const { db } = server.context
  const day = (days: number) => new Date(Date.now() + days * 86_400_000)
  const expected: string[] = []
  const add = async (values: Parameters<typeof addPaidSubscription>[2]) => {
    const [subscriberId = ''] = await server.addSubscribers([`${crypto.randomUUID()}@due.example`])
    return addPaidSubscription(db, { newsletterId: server.newsletterId, subscriberId }, values)
  }
  for (const days of [21, 3, 14, 3]) expected.push(await add({ paid_until: day(days) }))
  const { rows } = await sql<{ at: Date }>`
    select ((now() at time zone timezone)::date + 31)::timestamp at time zone timezone - interval '1 second' as at
    from newsletter where id = ${server.newsletterId}`.execute(db)
  expected.push(await add({ paid_until: rows[0]?.at ?? null }))
  await add({ paid_until: day(32) })
  await add({ paid_until: day(5), renews: true })
  await add({ paid_until: day(-1) })
  const late = await add({ status: 'past_due', renews: true, past_due_since: day(-2) })
  const listed = async (due: string) => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { rows: { id: string }[]; next: string | null } = await call(
        'GET',
        `/subscriptions?due=${due}&limit=2${cursor && `&cursor=${cursor}`}`,
      )
      ids.push(...page.rows.map(({ id }) => id))
      cursor = page.next
    }
    return ids
  }
  const [third, first, second, also, last] = expected
  const ending = await listed('ending')
  expect(ending.filter((id) => expected.includes(id))).toEqual([first, also, second, third, last])
  expect(ending).toHaveLength((await call('GET', '/overview')).ending.total)
  expect(await listed('failed')).toContain(late)
  expect((await call('GET', '/subscriptions?due=never')).status).toBe(422)
  expect((await call('GET', '/subscriptions?due=ending&cursor=nothing')).rows).toEqual([])
})

test.each(['email', 'subscriberId'])(
  'whoever only said yes to a campaign is asked once a plan is entered for them by %s',
  async (by) => {
    const { db } = server.context
    const email = `${by.toLowerCase()}@campaign.example`
    const [id = ''] = await server.addSubscribers([email])
    const only = { status: 'campaign_only', confirmed_at: null, language: 'fr' } as const
    await db.updateTable('subscriber').set(only).where('id', '=', id).execute()
    const body = { [by]: by === 'email' ? email : shown(id), planId, way: 'complimentary', until: null }
    expect(await call('POST', '/subscriptions', body)).toMatchObject({ subscriber: { id: shown(id) } })
    const found = db.selectFrom('subscriber').select(['status', 'language']).where('id', '=', id)
    expect(await found.executeTakeFirstOrThrow()).toEqual({ status: 'pending', language: 'fr' })
  },
)

test('a long file is entered in parts, and sent twice at once and once more, each line counts once', async () => {
  const emails = Array.from({ length: 520 }, (_, at) => `long${at}@file.example`)
  const ids = await server.addSubscribers(emails)
  const lines = emails.map(
    (email, at) => `${email},${at === 7 ? 'Bronze' : 'Supporter'},2099-12-31,${at === 9 ? 'x' : 54}`,
  )
  const csv = ['email,plan,until,amount', ...lines].join('\n')
  const part = (from: number) => call('POST', '/outside-file', { csv, dryRun: false, from })
  const all = async () => {
    const parts = []
    for (let from: number | null = 1; from !== null; ) {
      const answer = await part(from)
      expect(answer.status).toBe(200)
      parts.push(answer)
      from = answer.next
    }
    return parts
  }
  const first = await part(1)
  expect([first.entered, first.next]).toEqual([250, 254])
  // It was stopped here; then two people go on.
  const entered = (await Promise.all([all(), all()])).flat().reduce((sum, one) => sum + one.entered, 250)
  expect(entered).toBe(518)
  const counted = async (table: 'subscription' | 'payment') => {
    const rows = await server.context.db.selectFrom(table).select('id').where('subscriber_id', 'in', ids).execute()
    return rows.length
  }
  expect([await counted('subscription'), await counted('payment')]).toEqual([518, 518])
  const again = await call('POST', '/outside-file', { csv, dryRun: true })
  const results = Map.groupBy(again.lines, ({ result }: { result: string }) => result)
  expect([...results].map(([result, { length }]) => [result, length])).toEqual([
    ['there', 518],
    ['unknown_plan', 1],
    ['bad_amount', 1],
  ])
}, 60_000)

test('going on for half a year is recurring revenue of twice the sum a year', async () => {
  const { subscription } = await entered({ until: inDays(365) })
  const half = { ...cash, amount: 3_000, until: inDays(548) }
  expect(await call('POST', `/subscriptions/${subscription.id}/payments`, half)).toMatchObject({ amount: 6_000 })
})
