import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { holdingStates } from './bookings/state.ts'

let server: TestApp
let owner: Session
let id: string
/** A Monday. */
let now = new Date('2026-11-23T09:00:00Z')
beforeAll(async () => {
  server = await startTestApp({ now: () => now })
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'
const callAs = (session: () => Session) => async (method: Method, rest: string, body?: unknown) => {
  const answer = await session().call(method, `/api/newsletters/${id}/sponsorship${rest}`, body)
  return { status: answer.statusCode, ...answer.json() }
}
const call = callAs(() => owner)
const middle = { words: { en: { name: 'Middle', disclosure: 'From our sponsor' } }, place: 'middle', maxWords: 10 }
const placement = async (values = {}) => (await call('POST', '/placements', { ...middle, ...values })).id as number
const quere = { sponsor: 'Maison Quéré', language: 'fr', currency: 'eur', amount: 41_000 }
const creative = {
  name: 'Maison Quéré',
  text: 'Nets and ropes since 1911.',
  label: 'See',
  target: 'https://q.example/',
}
let nextDay = 0
/** A day that the newsletter sells and that no other test has. */
async function soldDay(day = new Date(Date.UTC(2027, 0, ++nextDay)).toISOString().slice(0, 10)): Promise<string> {
  await call('PUT', '/days', { day, kind: 'added' })
  return day
}
const booked = async (values = {}) =>
  call('POST', '/bookings', { ...quere, placementId: await placement(), day: await soldDay(), ...values })
const act = (bookingId: string, done: string, words = '') =>
  call('POST', `/bookings/${bookingId}/acts`, { act: done, words })
const money = (bookingId: string, done: string) => call('POST', `/bookings/${bookingId}/money`, { act: done })

test('the calendar has the weekdays, what is added and blocked, and what goes out, in the newsletter’s own days', async () => {
  await call('PATCH', '/settings', { weekdays: [6] })
  await call('PUT', '/days', { day: '2026-11-28', kind: 'blocked', reason: 'away' })
  await call('PUT', '/days', { day: '2026-12-01', kind: 'added' })
  const answer = await owner.call('POST', `/api/newsletters/${id}/publications`, { title: 'No. 14' })
  await server.context.db
    .updateTable('publication')
    // Late in the evening in London is the next day in Paris.
    .set({ scheduled_at: new Date('2026-12-04T23:30:00Z') })
    .where('id', '=', answer.json().id)
    .execute()
  const { days, today } = await call('GET', '/calendar?from=2026-11-23&to=2026-12-06')
  expect(today).toBe('2026-11-23')
  expect(days).toMatchObject([
    { day: '2026-11-28', sold: false, blocked: true, reason: 'away', publications: [] },
    { day: '2026-12-01', sold: true, blocked: false },
    { day: '2026-12-05', sold: true, publications: [{ title: 'No. 14', published: false }] },
  ])
  await call('PUT', '/days', { day: '2026-11-28', kind: null })
  const again = await call('GET', '/calendar?from=2026-11-28&to=2026-11-28')
  expect(again.days).toMatchObject([{ sold: true, blocked: false }])
  await call('PATCH', '/settings', { weekdays: [] })
})

test('a day on which something goes out, and which is not sold, is said to be so', async () => {
  const other = await server.createNewsletter(owner)
  const path = `/api/newsletters/${other}`
  const { id: publicationId } = (await owner.call('POST', `${path}/publications`, { title: 'No. 1' })).json()
  await server.context.db
    .updateTable('publication')
    .set({ scheduled_at: new Date('2026-11-24T09:00:00Z') })
    .where('id', '=', publicationId)
    .execute()
  const answer = await owner.call('GET', `${path}/sponsorship/calendar?from=2026-11-23&to=2026-12-06`)
  expect(answer.json().days).toMatchObject([{ day: '2026-11-24', sold: false, blocked: false }])
})

test('a slot that is booked is nobody else’s, and its day cannot be blocked', async () => {
  const { placementId, day, ...first } = await booked()
  expect(first).toMatchObject({ status: 200, state: 'accepted', seat: 1, heldUntil: null })
  const second = await call('POST', '/bookings', { ...quere, sponsor: 'Kelp & Rye', placementId, day })
  expect([second.status, second.error.code]).toEqual([409, 'slot_taken'])
  const blocked = await call('PUT', '/days', { day, kind: 'blocked' })
  expect(blocked.error.code).toBe('day_booked')
  await act(first.id, 'cancel', 'They moved on.')
  expect((await call('POST', '/bookings', { ...quere, placementId, day })).status).toBe(200)
})

test('a placement that is changed takes nothing from what was sold, and what it adds is everybody’s', async () => {
  const said = { ...creative, text: 'Nets and ropes, made by hand since 1911.', image: null }
  const { id: bookingId, placementId, day } = await booked()
  await money(bookingId, 'pay')
  const due = async () => (await call('GET', `/bookings/${bookingId}`)).creativeDue
  const dueBefore = await due()
  await call('PATCH', `/placements/${placementId}`, { maxWords: 5, takesImage: false, leadDays: 30 })
  expect(await call('GET', `/bookings/${bookingId}`)).toMatchObject({ maxWords: 10, takesImage: true })
  expect(await due()).toBe(dueBefore)
  expect((await call('PUT', `/bookings/${bookingId}/creative`, said)).status).toBe(200)
  const other = await call('POST', '/bookings', { ...quere, placementId, day: await soldDay() })
  expect(other).toMatchObject({ maxWords: 5, takesImage: false })
  const another = await call('POST', `/bookings/${bookingId}/make-good`, { day: await soldDay() })
  expect(another).toMatchObject({ maxWords: 10, takesImage: true, creative: { text: said.text } })
  await call('PATCH', `/placements/${placementId}`, { maxWords: 40, leadDays: 0 })
  expect(await call('GET', `/bookings/${bookingId}`)).toMatchObject({ maxWords: 40, creativeDue: day })
})

test('of fifty who book the last three seats at the same moment three have one', async () => {
  const placementId = await placement({ seats: 3 })
  const day = await soldDay()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call('POST', '/bookings', { ...quere, sponsor: `S${n}`, placementId, day })),
  )
  const made = answers.filter(({ status }) => status === 200)
  expect(made.map(({ seat }) => seat).toSorted()).toEqual([1, 2, 3])
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ error }) => error.code))).toEqual(
    new Set(['slot_taken']),
  )
  const fewer = await call('PATCH', `/placements/${placementId}`, { seats: 2 })
  expect(fewer.error.code).toBe('seats_booked')
})

test('the database itself holds a slot for one, in exactly the states that hold it', async () => {
  const { rows } = await sql<{ condition: string }>`
    select pg_get_expr(indpred, indrelid) as condition from pg_index where indexrelid = 'booking_slot'::regclass`.execute(
    server.context.db,
  )
  const states = [...(rows[0]?.condition ?? '').matchAll(/'(\w+)'/g)].map(([, state]) => state)
  expect(states.toSorted()).toEqual([...holdingStates].toSorted())
})

test('a booking goes from its agreement to what ran, and keeps what was done with it', async () => {
  const { id: bookingId } = await booked({ day: await soldDay('2026-11-23') })
  expect((await act(bookingId, 'approve')).error.code).toBe('booking_moved_on')
  expect(await money(bookingId, 'invoice')).toMatchObject({ state: 'invoiced', invoicedAt: now.toISOString() })
  const long = await call('PUT', `/bookings/${bookingId}/creative`, { ...creative, text: 'word '.repeat(11) })
  expect([long.status, Object.keys(long.error.fields)]).toEqual([422, ['text']])
  expect(await call('PUT', `/bookings/${bookingId}/creative`, creative)).toMatchObject({ state: 'creative_in' })
  expect(await act(bookingId, 'ask_changes', 'No capitals, please.')).toMatchObject({ state: 'changes_asked' })
  await call('PUT', `/bookings/${bookingId}/creative`, creative)
  expect(await act(bookingId, 'approve')).toMatchObject({ state: 'approved', creative })
  expect(await money(bookingId, 'pay')).toMatchObject({ state: 'approved', paidAt: now.toISOString() })
  expect((await money(bookingId, 'pay')).error.code).toBe('booking_moved_on')
  expect(await act(bookingId, 'run')).toMatchObject({ state: 'ran' })
  const { steps } = await call('GET', `/bookings/${bookingId}`)
  expect(steps.map(({ act: done }: { act: string }) => done)).toEqual([
    ...['enter', 'invoice', 'send_creative', 'ask_changes', 'send_creative', 'approve', 'pay', 'run'],
  ])
  expect(steps[3]).toMatchObject({ words: 'No capitals, please.', actor: 'member' })
})

test('that it ran is noted on its day in the newsletter’s time zone and not before, and its seven days run from that day', async () => {
  const begun = now
  const { id: bookingId } = await booked({ day: await soldDay('2026-11-25') })
  await money(bookingId, 'invoice')
  await call('PUT', `/bookings/${bookingId}/creative`, creative)
  await act(bookingId, 'approve')
  const early = await act(bookingId, 'run')
  expect([early.status, early.error.code, early.error.message]).toEqual([
    ...[409, 'day_to_come', 'This day is still to come. Note that it ran when it has come.'],
  ])
  expect(await call('GET', `/bookings/${bookingId}`)).toMatchObject({ state: 'approved', ranAt: null })
  const { sponsor } = await call('GET', `/bookings/${bookingId}`)
  const { rows } = (await owner.call('GET', `/api/newsletters/${id}/audit?limit=1`)).json()
  expect(rows[0]).toMatchObject({ act: 'booking_changed', outcome: 'refused', detail: { act: 'run', sponsor } })
  // In London it is still the day before.
  now = new Date('2026-11-24T23:30:00Z')
  expect(await act(bookingId, 'run')).toMatchObject({ state: 'ran', ranAt: '2026-11-24T23:00:00.000Z' })
  now = begun
})

test('what was accepted and not paid expires, and is taken up again while its slot is free', async () => {
  const { id: bookingId, placementId, day } = await booked()
  await server.context.db
    .updateTable('booking')
    .set({ state: 'requested', held_until: new Date(now.getTime() + 3_600_000) })
    .where('id', '=', bookingId)
    .execute()
  const stateAfter = async (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000)
    await sql`select graphile_worker.add_job('expire_bookings')`.execute(server.context.db)
    await server.work()
    return (await call('GET', `/bookings/${bookingId}`)).state
  }
  expect(await stateAfter(0)).toBe('requested')
  expect(await act(bookingId, 'accept')).toMatchObject({ state: 'accepted', heldUntil: expect.any(String) })
  expect(await stateAfter(2)).toBe('accepted')
  expect(await stateAfter(24 * 7)).toBe('expired')
  const other = await call('POST', '/bookings', { ...quere, sponsor: 'Kelp & Rye', placementId, day })
  expect((await money(bookingId, 'pay')).error.code).toBe('slot_taken')
  await act(other.id, 'cancel')
  expect(await money(bookingId, 'pay')).toMatchObject({ state: 'paid', heldUntil: null })
  expect(await stateAfter(24 * 30)).toBe('paid')
})

test('of fifty who pay late for one slot at the same moment one has it', async () => {
  const placementId = await placement()
  const day = await soldDay()
  const ids: string[] = []
  for (let n = 0; n < 50; n += 1) {
    const { id: bookingId } = await call('POST', '/bookings', { ...quere, sponsor: `S${n}`, placementId, day })
    ids.push(bookingId)
    await server.context.db.updateTable('booking').set({ state: 'expired' }).where('id', '=', bookingId).execute()
  }
  const answers = await Promise.all(ids.map((bookingId) => money(bookingId, 'pay')))
  const taken = answers.filter(({ error }) => error?.code === 'slot_taken')
  expect([answers.filter(({ state }) => state === 'paid').length, taken.length]).toEqual([1, 49])
})

test('what did not run as agreed is made good on another day for nothing, once', async () => {
  const { id: bookingId } = await booked()
  await money(bookingId, 'pay')
  await call('PUT', `/bookings/${bookingId}/creative`, creative)
  const day = await soldDay()
  const good = () => call('POST', `/bookings/${bookingId}/make-good`, { day })
  expect(await good()).toMatchObject({ state: 'creative_in', day, amount: 0, makesGood: bookingId, creative })
  expect((await good()).error.code).toBe('booking_moved_on')
  expect(await call('GET', `/bookings/${bookingId}`)).toMatchObject({ state: 'made_good', amount: 41_000 })
  const { id: other } = await booked()
  await money(other, 'pay')
  const unsold = await call('POST', `/bookings/${other}/make-good`, { day: '2031-05-05' })
  expect(unsold.error.code).toBe('day_not_sold')
  const itself = await call('POST', `/bookings/${other}/make-good`, {
    day: (await call('GET', `/bookings/${other}`)).day,
  })
  expect(itself.error).toMatchObject({ code: 'invalid', fields: { day: expect.any(String) } })
  expect(await call('GET', `/bookings/${other}`)).toMatchObject({ state: 'paid' })
})

test('money of what was made good can still come and go back, once, and nothing is paid for the other day', async () => {
  const { id: bookingId } = await booked()
  await money(bookingId, 'invoice')
  const made = await call('POST', `/bookings/${bookingId}/make-good`, { day: await soldDay() })
  expect((await call('GET', `/bookings/${bookingId}`)).madeGoodBy).toEqual({ id: made.id, day: made.day, stands: true })
  await call('PUT', `/bookings/${made.id}/creative`, creative)
  expect((await call('GET', `/bookings/${made.id}`)).acts).not.toContain('pay')
  expect((await money(made.id, 'pay')).error.code).toBe('booking_moved_on')
  const isDue = async () =>
    (await call('GET', '/bookings?which=due&limit=200')).rows.some((row: { id: string }) => row.id === bookingId)
  const long = { invoiced_at: new Date(now.getTime() - 31 * 86_400_000) }
  await server.context.db.updateTable('booking').set(long).where('id', '=', bookingId).execute()
  expect(await isDue()).toBe(true)
  expect((await money(bookingId, 'refund')).error.code).toBe('booking_moved_on')
  const paid = await Promise.all([money(bookingId, 'pay'), money(bookingId, 'pay')])
  expect(paid.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await call('GET', `/bookings/${bookingId}`)).toMatchObject({ state: 'made_good', acts: ['refund'] })
  expect(await isDue()).toBe(false)
  await act(made.id, 'cancel')
  const back = await Promise.all([money(bookingId, 'refund'), money(bookingId, 'refund')])
  expect(back.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await call('GET', `/bookings/${bookingId}`)).toMatchObject({ state: 'refunded', acts: [] })
})

test('what was paid by hand is due when its other day is cancelled too, until the money is noted as given back', async () => {
  const isDue = async (bookingId: string) =>
    (await call('GET', '/bookings?which=due&limit=200')).rows.some((row: { id: string }) => row.id === bookingId)
  const { id: bookingId } = await booked()
  await money(bookingId, 'pay')
  const made = await call('POST', `/bookings/${bookingId}/make-good`, { day: await soldDay() })
  await call('PUT', `/bookings/${made.id}/creative`, creative)
  await act(made.id, 'approve')
  expect(await isDue(bookingId)).toBe(false)
  await act(made.id, 'cancel')
  expect(await isDue(bookingId)).toBe(true)
  await money(bookingId, 'refund')
  expect(await isDue(bookingId)).toBe(false)
  // Neither is it forgotten when the other day got another one before that was cancelled.
  const { id: first } = await booked({ email: 'twice@example.org' })
  await money(first, 'pay')
  const second = await call('POST', `/bookings/${first}/make-good`, { day: await soldDay() })
  const third = await call('POST', `/bookings/${second.id}/make-good`, { day: await soldDay() })
  await act(third.id, 'cancel')
  expect(await isDue(first)).toBe(true)
  const mails = await server.queuedMail('twice@example.org')
  expect(mails.find(({ subject }) => subject.includes('annulée'))?.text).toMatch(/Vous\savez\spayé\s410/)
  // The same without another day, and nothing is due of what nobody paid.
  const [paidOne, unpaid] = [await booked(), await booked()]
  await money(paidOne.id, 'pay')
  for (const one of [paidOne, unpaid]) await act(one.id, 'cancel')
  expect([await isDue(paidOne.id), await isDue(unpaid.id)]).toEqual([true, false])
  await money(paidOne.id, 'refund')
  expect(await isDue(paidOne.id)).toBe(false)
})

test('an analyst and a stranger note no money of what was made good, and no other newsletter finds it', async () => {
  const { id: bookingId } = await booked()
  await money(bookingId, 'invoice')
  await call('POST', `/bookings/${bookingId}/make-good`, { day: await soldDay() })
  const path = `/sponsorship/bookings/${bookingId}/money`
  const analyst = await server.asMember(id, 'analyst')
  const foreign = await server.signUp()
  const other = await server.createNewsletter(foreign)
  const answers = [
    await analyst.call('POST', `/api/newsletters/${id}${path}`, { act: 'pay' }),
    await foreign.call('POST', `/api/newsletters/${other}${path}`, { act: 'pay' }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 404])
  expect(await call('GET', `/bookings/${bookingId}`)).toMatchObject({ state: 'made_good', paidAt: null })
})

test.each<[string, Record<string, unknown>, number]>([
  ['a day that is none', { day: '2027-02-30' }, 422],
  ['a day on which nothing is sold', { day: '2030-02-01' }, 409],
  ['a day that is over', { day: '2020-02-01' }, 409],
  ['a sum of nothing', { amount: 0 }, 422],
  ['a sum beyond all', { amount: 1e12 }, 422],
  ['a sponsor of a page', { sponsor: 'x'.repeat(200) }, 422],
  ['a sponsor with a line break', { sponsor: 'A\nB' }, 422],
  ['a placement that is not there', { placementId: 999_999 }, 404],
  ['a placement beyond integers', { placementId: 1e12 }, 422],
])('it refuses %s', async (_what, values, status) => {
  expect((await booked(values)).status).toBe(status)
})

test('an analyst reads, an editor writes and does not note money', async () => {
  const { id: bookingId } = await booked()
  const [analyst, editor] = [await server.asMember(id, 'analyst'), await server.asMember(id, 'editor')]
  const as = async (who: Session) => {
    const ask = callAs(() => who)
    return [
      (await ask('GET', `/bookings/${bookingId}`)).status,
      (await ask('POST', `/bookings/${bookingId}/money`, { act: 'invoice' })).status,
      (await ask('POST', `/bookings/${bookingId}/acts`, { act: 'cancel' })).status,
    ]
  }
  expect([await as(analyst), await as(editor)]).toEqual([
    [200, 403, 403],
    [200, 403, 200],
  ])
})

test('words that have not come when they should are due until they are there', async () => {
  const day = await soldDay()
  const daysBefore = (days: number) => new Date(Date.parse(`${day}T09:00:00Z`) - days * 86_400_000)
  const { id: bookingId } = await booked({ placementId: await placement({ leadDays: 3 }), day })
  const isDue = async () =>
    (await call('GET', '/bookings?which=due&limit=200')).rows.some((row: { id: string }) => row.id === bookingId)
  await money(bookingId, 'pay')
  const before = now
  now = daysBefore(3)
  const onTheLastDay = await isDue()
  now = daysBefore(2)
  const late = await isDue()
  await call('PUT', `/bookings/${bookingId}/creative`, creative)
  await act(bookingId, 'approve')
  expect([onTheLastDay, late, await isDue()]).toEqual([false, true, false])
  now = before
})

test('an invoice is due when thirty days went by without its payment, and half a year later no more', async () => {
  const day = '2028-03-06'
  await call('PUT', '/days', { day, kind: 'added' })
  const { id: bookingId } = await booked({ day })
  await money(bookingId, 'invoice')
  await call('PUT', `/bookings/${bookingId}/creative`, creative)
  await act(bookingId, 'approve')
  const set = (values: { invoiced_at: Date } | { state: 'reported' }) =>
    server.context.db.updateTable('booking').set(values).where('id', '=', bookingId).execute()
  const isDueAfter = async (days: number) => {
    await set({ invoiced_at: new Date(now.getTime() - days * 86_400_000) })
    return (await call('GET', '/bookings?which=due&limit=200')).rows.some((row: { id: string }) => row.id === bookingId)
  }
  // Its day is far away, and its words are approved: nothing but the money is missing.
  expect([await isDueAfter(29.9), await isDueAfter(30)]).toEqual([false, true])
  await set({ state: 'reported' })
  expect([await isDueAfter(180), await isDueAfter(180.1)]).toEqual([true, false])
  await isDueAfter(60)
  await money(bookingId, 'pay')
  expect(await isDueAfter(60)).toBe(false)
})

test('lists are paged, those that wait with the nearest day first', async () => {
  const placementId = await placement()
  for (let n = 0; n < 3; n += 1) {
    const { id: bookingId } = await call('POST', '/bookings', { ...quere, placementId, day: await soldDay() })
    await server.context.db.updateTable('booking').set({ state: 'requested' }).where('id', '=', bookingId).execute()
  }
  const first = await call('GET', '/bookings?which=due&limit=2')
  const second = await call('GET', `/bookings?which=due&limit=200&cursor=${first.next}`)
  const days = [...first.rows, ...second.rows].map(({ day }: { day: string }) => day)
  expect([first.rows.length, second.next, days]).toEqual([2, null, days.toSorted()])
  expect(new Set(days).size).toBe(days.length)
  expect(await call('GET', '/bookings?cursor=none')).toMatchObject({ rows: [], next: null })
  expect((await call('GET', '/calendar?from=2026-01-01&to=2027-01-01')).status).toBe(422)
})

test('each step has the name of the member who did it, and none once their account is deleted', async () => {
  const yann = await server.signUp({ name: 'Yann Le Goff', email: 'yann@example.org' })
  const { db } = server.context
  await db.insertInto('member').values({ newsletter_id: id, user_id: yann.userId, role: 'editor' }).execute()
  const booking = await booked()
  await callAs(() => yann)('POST', `/bookings/${booking.id}/acts`, { act: 'cancel' })
  const names = async () =>
    (await call('GET', `/bookings/${booking.id}`)).steps.map(({ act: done, by }: Record<string, string>) => [done, by])
  const { name } = await db.selectFrom('user').select('name').where('id', '=', owner.userId).executeTakeFirstOrThrow()
  expect(await names()).toEqual([
    ['enter', name],
    ['cancel', 'Yann Le Goff'],
  ])
  await db.deleteFrom('user').where('id', '=', yann.userId).execute()
  expect(await names()).toEqual([
    ['enter', name],
    ['cancel', null],
  ])
})
