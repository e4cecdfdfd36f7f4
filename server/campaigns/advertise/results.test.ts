import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../../testing/app.ts'

let server: TestApp
let owner: Session
let id: string
const now = new Date('2026-11-23T09:00:00Z')
beforeAll(async () => {
  server = await startTestApp({ now: () => now })
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

const call = async (method: 'GET' | 'POST' | 'PUT', rest: string, body?: unknown) =>
  (await owner.call(method, `/api/newsletters/${id}${rest}`, body)).json()
const read = (who: Session = owner) => who.call('GET', `/api/newsletters/${id}/advertise/results`)
const csv = (chart: string, who: Session = owner) =>
  who.call('GET', `/api/newsletters/${id}/advertise/results.csv?chart=${chart}`)

test('money by month is what was agreed for its days, and what came and went back in it, each currency for itself', async () => {
  const words = { en: { name: 'Middle', disclosure: 'Sponsor' } }
  const { id: placementId } = await call('POST', '/sponsorship/placements', { words, place: 'middle', maxWords: 10 })
  const book = async (day: string, currency: string, amount: number) => {
    await call('PUT', '/sponsorship/days', { day, kind: 'added' })
    const agreed = { placementId, day, sponsor: '=Halyard', language: 'en', currency, amount }
    return (await call('POST', '/sponsorship/bookings', agreed)).id
  }
  const money = (bookingId: string, act: string) => call('POST', `/sponsorship/bookings/${bookingId}/money`, { act })
  await money(await book('2026-12-05', 'eur', 41_000), 'pay')
  await book('2026-12-12', 'gbp', 35_000)
  const back = await book('2026-12-19', 'eur', 1_050)
  await money(back, 'pay')
  await money(back, 'refund')
  const cancelled = await book('2026-12-26', 'eur', 77)
  await call('POST', `/sponsorship/bookings/${cancelled}/acts`, { act: 'cancel' })
  const { revenue } = (await read()).json()
  expect(revenue).toEqual([
    { month: '2026-11-01', currency: 'eur', booked: 0, paid: 42_050, givenBack: 1_050 },
    { month: '2026-12-01', currency: 'eur', booked: 41_000, paid: 0, givenBack: 0 },
    { month: '2026-12-01', currency: 'gbp', booked: 35_000, paid: 0, givenBack: 0 },
  ])
  expect((await csv('revenue')).body).toBe(
    'month,currency,booked,paid,given_back\n2026-11,eur,0,420.5,10.5\n2026-12,eur,410,0,0\n2026-12,gbp,350,0,0\n',
  )
})

test('what got another day is agreed for that one, in the money by month and in the calendar', async () => {
  const words = { en: { name: 'Top', disclosure: 'Sponsor' } }
  const { id: placementId } = await call('POST', '/sponsorship/placements', { words, place: 'top', maxWords: 10 })
  for (const day of ['2026-12-06', '2027-01-06', '2027-02-06'])
    await call('PUT', '/sponsorship/days', { day, kind: 'added' })
  const agreed = { placementId, day: '2026-12-06', sponsor: 'Pharos', language: 'en', currency: 'chf', amount: 9_900 }
  const first = (await call('POST', '/sponsorship/bookings', agreed)).id
  await call('POST', `/sponsorship/bookings/${first}/money`, { act: 'pay' })
  const move = async (bookingId: string, day: string) =>
    (await call('POST', `/sponsorship/bookings/${bookingId}/make-good`, { day })).id
  const booked = async () =>
    (await read())
      .json()
      .revenue.filter((one: { currency: string; booked: number }) => one.currency === 'chf' && one.booked > 0)
      .map((one: { month: string; booked: number }) => [one.month, one.booked])
  const sold = async () =>
    (await call('GET', '/sponsorship/calendar?from=2026-12-01&to=2027-02-28')).bookings
      .filter(({ sponsor }: { sponsor: string }) => sponsor === 'Pharos')
      .map((one: { day: string; amount: number; soldFor: number }) => [one.day, one.amount, one.soldFor])
  expect([await booked(), await sold()]).toEqual([[['2026-12-01', 9_900]], [['2026-12-06', 9_900, 9_900]]])
  const second = await move(first, '2027-01-06')
  expect([await booked(), await sold()]).toEqual([[['2027-01-01', 9_900]], [['2027-01-06', 0, 9_900]]])
  const third = await move(second, '2027-02-06')
  expect([await booked(), await sold()]).toEqual([[['2027-02-01', 9_900]], [['2027-02-06', 0, 9_900]]])
  const bookingOf = async (id: string) => call('GET', `/sponsorship/bookings/${id}`)
  expect((await bookingOf(first)).madeGoodBy).toMatchObject({ id: third, stands: true })
  expect((await bookingOf(third)).paidFor).toEqual({ id: first, day: '2026-12-06', currency: 'chf', amount: 9_900 })
  // Nobody has agreed to a day any more once the last one is cancelled, and its money is still to go back.
  await call('POST', `/sponsorship/bookings/${third}/acts`, { act: 'cancel' })
  expect(await booked()).toEqual([])
  expect(await bookingOf(first)).toMatchObject({ paidHere: 9_900, madeGoodBy: { stands: false } })
  await call('POST', `/sponsorship/bookings/${first}/money`, { act: 'refund' })
  expect(await booked()).toEqual([])
  expect([(await bookingOf(first)).paidHere, (await bookingOf(third)).paidFor]).toEqual([0, null])
  expect((await sold()).filter(([, , soldFor]: number[]) => soldFor !== 0)).toEqual([])
})

test('clicks are those of thirty days on own links and on sponsors’, the best first, also after a name that is a formula', async () => {
  const { id: link } = await call('POST', '/links', { target: 'https://example.org/a', name: '=1+1' })
  const { id: other } = await call('POST', '/links', { target: 'https://example.org/b', name: 'Poster' })
  const click = (linkId: string, at: string, rule: string | null) =>
    sql`
    insert into click (newsletter_id, short_link_id, at, excluded_by, device) values (${id}, ${linkId}, ${at}::timestamptz, ${rule}, 'phone')`.execute(
      server.context.db,
    )
  await click(link, '2026-11-20T10:00:00Z', null)
  // Late in the evening in London is the next day in Paris.
  await click(link, '2026-11-20T23:30:00Z', null)
  await click(link, '2026-11-20T11:00:00Z', 'bot')
  await click(other, '2026-11-20T11:00:00Z', null)
  await click(other, '2026-10-01T11:00:00Z', null)
  const results = (await read()).json()
  expect(results).toMatchObject({
    range: { from: '2026-10-25', to: '2026-11-23', by: 'day' },
    // Ninety days, today among them.
    yesesFrom: '2026-08-26',
    points: [
      { since: '2026-11-20', raw: 3, human: 2 },
      { since: '2026-11-21', raw: 1, human: 1 },
    ],
    inRange: { raw: 4, human: 3 },
    places: [
      { linkId: link, name: '=1+1', day: null, raw: 3, human: 2 },
      { linkId: other, raw: 1, human: 1 },
    ],
  })
  expect((await csv('clicks')).body).toBe('day,raw,human\n2026-11-20,3,2\n2026-11-21,1,1\n')
  expect((await csv('places')).body).toContain(`${link},'=1+1,,3,2\n`)
  expect((await csv('yeses')).body).toBe('day,confirmed\n')
})

test('a key that reads links alone reads no money, no yeses and no bookings', async () => {
  const { revenue, yeses, reports } = (await read(await server.asMember(id, 'analyst'))).json()
  expect([revenue?.length, yeses, reports]).toEqual([4, [], []])
  const limited = await startTestApp({ roles: { owner: ['links.read', 'links.write'] } })
  try {
    const alone = await limited.signUp()
    const own = await limited.createNewsletter(alone)
    const answer = await alone.call('GET', `/api/newsletters/${own}/advertise/results`)
    expect(answer.json()).toMatchObject({ revenue: null, yeses: null, reports: null, points: [] })
    for (const chart of ['revenue', 'yeses']) {
      const file = await alone.call('GET', `/api/newsletters/${own}/advertise/results.csv?chart=${chart}`)
      expect([chart, file.statusCode]).toEqual([chart, 403])
    }
  } finally {
    await limited.stop()
  }
})
