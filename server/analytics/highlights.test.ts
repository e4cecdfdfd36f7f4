import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'

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

test('what sponsors brought is what they paid on the days less what went back, beside what is agreed for the days', async () => {
  const words = { en: { name: 'Middle', disclosure: 'Sponsor' } }
  const { id: placementId } = await call('POST', '/sponsorship/placements', { words, place: 'middle', maxWords: 10 })
  const book = async (day: string, currency: string, amount: number) => {
    await call('PUT', '/sponsorship/days', { day, kind: 'added' })
    const agreed = { placementId, day, sponsor: 'Halyard', language: 'en', currency, amount }
    return (await call('POST', '/sponsorship/bookings', agreed)).id
  }
  const money = (bookingId: string, act: string) => call('POST', `/sponsorship/bookings/${bookingId}/money`, { act })
  await money(await book('2026-12-05', 'eur', 41_000), 'pay')
  await book('2026-12-12', 'gbp', 35_000)
  const back = await book('2026-12-19', 'eur', 1_050)
  await money(back, 'pay')
  await money(back, 'refund')
  expect((await call('GET', '/dashboard/highlights?from=2026-11-01&to=2026-11-30')).bookings.parts).toEqual([
    { currency: 'eur', nets: [0, 0, 0, 0, 0, 0, 0, 0, 41_000, 0, 0, 0] },
  ])
  expect((await call('GET', '/dashboard/highlights?from=2026-12-01&to=2026-12-31')).bookings).toEqual({
    now: [
      { currency: 'eur', net: 0, booked: 41_000 },
      { currency: 'gbp', net: 0, booked: 35_000 },
    ],
    before: [{ currency: 'eur', net: 41_000, booked: 0 }],
    parts: [],
  })
  const file = `/api/newsletters/${id}/dashboard/chart.csv?from=2026-12-01&to=2026-12-31&chart=revenue`
  expect((await owner.call('GET', file)).body.split('\n').slice(1, -1)).toEqual([
    'before,2026-11-01,2026-11-30,bookings,eur,410,0',
    'range,2026-12-01,2026-12-31,bookings,eur,0,410',
    'range,2026-12-01,2026-12-31,bookings,gbp,0,350',
  ])
  // A part is the days that a point of its line stands for.
  const november = await owner.call('GET', file.replaceAll('2026-12', '2026-11').replace('-31', '-30'))
  const parts = november.body.split('\n').filter((line) => line.startsWith('part,'))
  expect(parts).toHaveLength(12)
  expect([parts[0], parts[8], parts[11]]).toEqual([
    'part,2026-11-01,2026-11-03,bookings,eur,0,',
    'part,2026-11-21,2026-11-23,bookings,eur,410,',
    'part,2026-11-29,2026-11-30,bookings,eur,0,',
  ])
  const { newsletters } = (await owner.call('GET', '/api/me/newsletters/figures?from=2026-11-01&to=2026-11-30')).json()
  expect(newsletters).toMatchObject([{ id, revenue: [{ currency: 'eur', net: 41_000 }] }])
  const compared = await owner.call('GET', '/api/me/newsletters/figures.csv?from=2026-11-01&to=2026-11-30')
  const [columns = '', , line = ''] = compared.body.split('\n')
  expect([columns.split(',').at(-1), line.split(',').at(-1)]).toEqual(['revenue_eur', '410'])
})

test('whoever may read figures alone reads no money and no links', async () => {
  const limited = await startTestApp({ roles: { owner: ['analytics.read'] } })
  try {
    const alone = await limited.signUp()
    const path = `/api/newsletters/${await limited.createNewsletter(alone)}/dashboard`
    const answer = await alone.call('GET', `${path}/highlights`)
    expect(answer.json()).toMatchObject({ links: null, subscriptions: null, bookings: null, sources: [] })
    const statuses = []
    for (const chart of ['growth', 'engagement', 'publications', 'links', 'sources', 'revenue'])
      statuses.push((await alone.call('GET', `${path}/chart.csv?chart=${chart}`)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 403, 200, 403])
  } finally {
    await limited.stop()
  }
})
