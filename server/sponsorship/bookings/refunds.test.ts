import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockWaiters } from '../../testing/lock-waiters.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'

// What was paid outside goes back in parts: noted by hand, each once, and never more than was paid.

const PAID = 41_000
const now = new Date('2026-11-23T09:00:00Z')
let server: TestNewsletter
let relay: RecordingRelay
let placementId: number
beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestNewsletter({ SMTP_URL: relay.url }, () => now)
  const words = { en: { name: 'Middle', disclosure: 'Sponsor' }, fr: { name: 'Milieu', disclosure: 'Annonceur' } }
  placementId = (await call('POST', '/sponsorship/placements', { words, place: 'middle', maxWords: 10 })).id
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

const call = async (method: 'GET' | 'POST' | 'PUT', rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${server.path}${rest}`, body)
  return { status: answer.statusCode, ...answer.json() }
}
const pathOf = (id: string) => `${server.path}/sponsorship/bookings/${id}/money`
const money = (id: string, body: Record<string, unknown>) => call('POST', `/sponsorship/bookings/${id}/money`, body)
const read = (id: string) => call('GET', `/sponsorship/bookings/${id}`)
const refund = (id: string, amount: unknown, seen: unknown = 0) => money(id, { act: 'refund', amount, seen })

let days = 0
async function paid(values: Record<string, unknown> = {}): Promise<string> {
  days += 1
  const day = new Date(Date.UTC(2027, 0, days)).toISOString().slice(0, 10)
  await call('PUT', '/sponsorship/days', { day, kind: 'added' })
  const agreed = { placementId, day, sponsor: 'Maison Quéré', language: 'fr', currency: 'eur', amount: PAID, ...values }
  const { id } = await call('POST', '/sponsorship/bookings', agreed)
  expect((await money(id, { act: 'pay' })).status).toBe(200)
  return id
}

test('what was paid goes back in parts until all of it is back: it stays as it is meanwhile, and ends with the last', async () => {
  const id = await paid()
  expect(await refund(id, 10_000)).toMatchObject({ state: 'paid', refundedAt: null, givenBack: 10_000 })
  expect(await refund(id, 1, 10_000)).toMatchObject({
    state: 'paid',
    acts: expect.arrayContaining(['refund', 'cancel']),
  })
  const last = await money(id, { act: 'refund', amount: PAID - 10_001, seen: 10_001, words: 'Sorry.' })
  expect(last).toMatchObject({ state: 'refunded', refundedAt: now.toISOString(), givenBack: PAID, acts: [] })
  const steps = (await read(id)).steps.map(({ act, amount, state }: Record<string, unknown>) => [act, amount, state])
  expect(steps.slice(2)).toEqual([
    ['refund_part', 10_000, 'paid'],
    ['refund_part', 1, 'paid'],
    ['refund', PAID - 10_001, 'refunded'],
  ])
})

test('without an amount all that is left goes back, in one step or after others', async () => {
  const [whole, rest] = [await paid(), await paid()]
  expect(await money(whole, { act: 'refund' })).toMatchObject({ state: 'refunded', givenBack: PAID })
  await refund(rest, 400)
  expect(await money(rest, { act: 'refund' })).toMatchObject({ state: 'refunded', givenBack: PAID })
  expect((await read(rest)).steps.at(-1)).toMatchObject({ act: 'refund', amount: PAID - 400 })
})

test('a part goes back of what was cancelled, made good or ran as well, and of what was not paid nothing does', async () => {
  const [cancelled, moved, ran] = [await paid(), await paid(), await paid()]
  await call('POST', `/sponsorship/bookings/${cancelled}/acts`, { act: 'cancel' })
  expect(await refund(cancelled, 5)).toMatchObject({ state: 'cancelled', givenBack: 5, acts: ['refund'] })
  await call('PUT', '/sponsorship/days', { day: '2027-06-01', kind: 'added' })
  await call('POST', `/sponsorship/bookings/${moved}/make-good`, { day: '2027-06-01' })
  expect(await refund(moved, 5)).toMatchObject({ state: 'made_good', givenBack: 5 })
  const says = { name: 'Quéré', text: 'Nets.', label: 'See', target: 'https://q.example/' }
  await call('PUT', `/sponsorship/bookings/${ran}/creative`, says)
  await call('POST', `/sponsorship/bookings/${ran}/acts`, { act: 'approve' })
  await server.context.db.updateTable('booking').set({ day: now }).where('id', '=', ran).execute()
  await call('POST', `/sponsorship/bookings/${ran}/acts`, { act: 'run' })
  expect(await refund(ran, 5)).toMatchObject({ state: 'ran', givenBack: 5 })
  const unpaid = await paid()
  await server.context.db.updateTable('booking').set({ paid_at: null }).where('id', '=', unpaid).execute()
  expect((await refund(unpaid, 5)).error.code).toBe('booking_moved_on')
  expect(await read(unpaid)).toMatchObject({ givenBack: 0 })
})

test('said twice, and by many at the same moment, a part is noted once, and the others read why', async () => {
  const id = await paid()
  const { db } = server.context
  // All of them arrive while the booking is held, and none has written yet.
  const { all } = await db.transaction().execute(async (tx) => {
    await sql`select from booking where id = ${id} for update`.execute(tx)
    const asked = Array.from({ length: 12 }, () => refund(id, 4_000))
    await expect.poll(() => lockWaiters(db), { timeout: 10_000 }).toBe(12)
    return { all: Promise.all(asked) }
  })
  const answers = await all
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(11).fill(409)])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.error).toMatchObject({ code: 'given_back_meanwhile', fields: { amount: expect.any(String) } })
  expect((await read(id)).givenBack).toBe(4_000)
  // All that is left, by one who read it before.
  expect((await refund(id, PAID)).error.code).toBe('given_back_meanwhile')
  const whole = await Promise.all([refund(id, PAID - 4_000, 4_000), money(id, { act: 'refund' })])
  expect(whole.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await read(id)).toMatchObject({ state: 'refunded', givenBack: PAID })
  expect((await refund(id, 1)).error.code).toBe('given_back_meanwhile')
  expect((await refund(id, 1, PAID)).error.code).toBe('booking_moved_on')
})

test('more than is left is refused with what is left, in the language of whoever asks', async () => {
  const id = await paid()
  await refund(id, 1_050)
  expect((await refund(id, PAID - 1_049, 1_050)).error).toMatchObject({
    code: 'more_than_is_left',
    fields: { amount: 'The amount is more than what is left: €399.50 can still be noted as given back.' },
  })
  const answer = await server.inject({
    ...{ method: 'POST', url: pathOf(id), payload: { act: 'refund', amount: 99_999_999, seen: 1_050 } },
    headers: { cookie: server.owner.cookie, origin: 'http://tirage.test', 'accept-language': 'fr' },
  })
  expect([answer.statusCode, answer.json().error.fields.amount.replaceAll(/\s/g, ' ')]).toEqual([
    422,
    'Le montant dépasse ce qui reste : vous pouvez encore noter un remboursement de 399,50 € au plus.',
  ])
  expect((await read(id)).givenBack).toBe(1_050)
})

test.each<[string, Record<string, unknown>, string]>([
  ['nothing', { amount: 0, seen: 0 }, 'amount'],
  ['less than nothing', { amount: -400, seen: 0 }, 'amount'],
  ['a part of a cent', { amount: 1.5, seen: 0 }, 'amount'],
  ['a text', { amount: '400', seen: 0 }, 'amount'],
  ['null', { amount: null, seen: 0 }, 'amount'],
  ['a list', { amount: [400], seen: 0 }, 'amount'],
  ['beyond all sums', { amount: 1e12, seen: 0 }, 'amount'],
  ['beyond all numbers', { amount: 1e300, seen: 0 }, 'amount'],
  ['without what was read', { amount: 400 }, 'seen'],
  ['with a text as what was read', { amount: 400, seen: '0' }, 'seen'],
  ['with a payment', { act: 'pay', amount: 400, seen: 0 }, 'amount'],
  ['with an invoice', { act: 'invoice', amount: 400, seen: 0 }, 'amount'],
])('an amount that is %s is refused, and the answer names the field', async (_what, values, field) => {
  const id = await paid()
  const { status, error } = await money(id, { act: 'refund', ...values })
  expect([status, Object.keys(error.fields)]).toEqual([422, [field]])
  expect(error.fields[field]).toMatch(/^[A-Z].*\.$/)
  expect(await read(id)).toMatchObject({ state: 'paid', givenBack: 0 })
})

test('nobody but an owner notes it, and no other newsletter finds the booking', async () => {
  const id = await paid()
  const foreign = await server.signUp()
  const other = await server.createNewsletter(foreign)
  const body = { act: 'refund', amount: 1, seen: 0 }
  const answers = [
    await server.stranger('POST', pathOf(id), body),
    await (await server.asMember(server.newsletterId, 'analyst')).call('POST', pathOf(id), body),
    await (await server.asMember(server.newsletterId, 'editor')).call('POST', pathOf(id), body),
    await foreign.call('POST', pathOf(id), body),
    await foreign.call('POST', pathOf(id).replace(server.newsletterId, other), body),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 403, 403, 404, 404])
  expect((await read(id)).givenBack).toBe(0)
})

test('the database itself keeps an amount with what was given back by hand, and with nothing else', async () => {
  const id = await paid()
  const insert = (act: string, actor: string, amount: number | null) =>
    sql`insert into booking_step (newsletter_id, booking_id, at, act, state, actor, amount)
      values (${server.newsletterId}, ${id}, now(), ${act}, 'paid', ${actor}, ${amount})`.execute(server.context.db)
  await expect(insert('pay', 'member', 5)).rejects.toThrow('booking_step_amount')
  await expect(insert('refund', 'member', null)).rejects.toThrow('booking_step_amount')
  await expect(insert('refund', 'system', 5)).rejects.toThrow('booking_step_amount')
  await expect(insert('refund_part', 'member', 0)).rejects.toThrow('booking_step_amount_check')
})

test('each sum is in the results, the dashboard and their files, on the day on which it was noted', async () => {
  const currency = 'gbp'
  const [part, whole] = [await paid({ currency, amount: 30_000 }), await paid({ currency, amount: 2_000 })]
  await refund(part, 1_050)
  await refund(part, 950, 1_050)
  await refund(whole, 500)
  await money(whole, { act: 'refund' })
  const { revenue } = await call('GET', '/advertise/results')
  const inPounds = revenue.filter((row: { currency: string }) => row.currency === currency)
  // What was given back whole is agreed no more.
  expect(inPounds).toEqual([
    { month: '2026-11-01', currency, booked: 0, paid: 32_000, givenBack: 4_000 },
    { month: '2027-01-01', currency, booked: 30_000, paid: 0, givenBack: 0 },
  ])
  const csv = await server.owner.call('GET', `${server.path}/advertise/results.csv?chart=revenue`)
  expect(csv.body).toContain('2026-11,gbp,0,320,40\n')
  const { bookings } = await call('GET', '/dashboard/highlights?from=2026-11-01&to=2026-11-30')
  expect(bookings.now.find((one: { currency: string }) => one.currency === currency)).toMatchObject({ net: 28_000 })
  const chart = await server.owner.call(
    'GET',
    `${server.path}/dashboard/chart.csv?from=2026-11-01&to=2026-11-30&chart=revenue`,
  )
  expect(chart.body).toContain('2026-11-01,2026-11-30,bookings,gbp,280,0\n')
})

test('the sponsor is mailed each sum in French, and their page says how much is back', async () => {
  const email = 'rosa@quere.example'
  const id = await paid({ email })
  const own = new URL((await call('POST', `/sponsorship/bookings/${id}/link`, {})).url).pathname
  await refund(id, 12_050)
  const shown = (await server.inject(own)).body.replaceAll(/\s/g, ' ')
  expect(shown).toContain('<dt>Remboursé à ce jour</dt><dd>120,50 € sur 410 €</dd>')
  await call('POST', `/sponsorship/bookings/${id}/acts`, { act: 'cancel' })
  const cancelled = (await server.inject(own)).body.replaceAll(/\s/g, ' ')
  expect(cancelled).toContain(
    'Vous avez payé 410 €, dont une partie vous a été rendue : la newsletter vous rend le reste, 289,50 €.',
  )
  await money(id, { act: 'refund', words: 'Désolés.' })
  const after = (await server.inject(own)).body
  expect(after).toContain('<dt>Remboursé le</dt>')
  expect(after).not.toContain('Remboursé à ce jour')
  await server.work()
  const mails = await Promise.all(
    relay.received.filter(({ to }) => to === email).map(({ raw }) => PostalMime.parse(raw)),
  )
  const said = mails.slice(1).map(({ subject, text }) => [subject, text?.replaceAll(/\s+/g, ' ') ?? ''])
  expect(said).toEqual([
    [
      'Low Water vous a rendu une partie de votre argent',
      expect.stringMatching(
        /Vous recevez un remboursement de 120,50 €, sur un total de 410 €, pour « Milieu » le .* 2027\..*Rien d’autre ne change\./,
      ),
    ],
    [
      'Votre réservation dans Low Water est annulée',
      expect.stringContaining(
        'Vous avez payé 410 €, dont une partie vous a déjà été rendue. Elle vous rend le reste : 289,50 €.',
      ),
    ],
    [
      'Low Water vous a rendu le reste de votre argent',
      expect.stringMatching(/289,50 € pour .* la somme de 410 € que vous avez payée vous est rendue.*Désolés\./),
    ],
  ])
})

test('the audit says how much was given back with each', async () => {
  const id = await paid({ sponsor: 'Halyard' })
  await refund(id, 250)
  await money(id, { act: 'refund' })
  const { rows } = await call('GET', '/audit?limit=2')
  const keeps = (givenBack: number) => ({ act: 'refund', sponsor: 'Halyard', givenBack, currency: 'eur' })
  expect(rows).toMatchObject([
    { act: 'booking_money_noted', detail: keeps(PAID - 250) },
    { act: 'booking_money_noted', detail: keeps(250) },
  ])
})
