import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions } from '../../permissions.ts'
import { type Session, startTestApp, type TestApp } from '../../testing/app.ts'
import { addNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign } from '../../testing/opt-in.ts'

// What waits for somebody on the first page of *Advertise*: each part by the permission that it needs, and by no other.

const DAY_MS = 86_400_000
let server: TestApp
let owner: Session
let id: string
let booking: string
beforeAll(async () => {
  server = await startTestApp({
    roles: {
      owner: permissions,
      editor: ['newsletter.read', 'campaigns.read', 'links.read'],
      analyst: ['newsletter.read', 'sponsorship.read', 'links.read'],
    },
  })
  owner = await server.signUp()
  await server.confirm(owner)
  id = await server.createNewsletter(owner)
  booking = await dueBooking()
  await offerAndRecommend()
})
afterAll(() => server?.stop())

const path = () => `/api/newsletters/${id}`
const call = async (method: 'GET' | 'POST' | 'PUT', rest: string, body?: unknown) => {
  const answer = await owner.call(method, `${path()}${rest}`, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** Whose words should have been here by now, with a link that was clicked. */
async function dueBooking(): Promise<string> {
  const words = { en: { name: 'Middle', disclosure: 'Sponsor' } }
  const placed = { words, place: 'middle', maxWords: 10, leadDays: 20 }
  const { id: placementId } = await call('POST', '/sponsorship/placements', placed)
  const day = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10)
  await call('PUT', '/sponsorship/days', { day, kind: 'added' })
  const agreed = { placementId, day, sponsor: 'Halyard & Co', language: 'en', currency: 'eur', amount: 41_000 }
  const { id: bookingId } = await call('POST', '/sponsorship/bookings', agreed)
  await call('POST', `/sponsorship/bookings/${bookingId}/money`, { act: 'invoice' })
  const { id: linkId } = await call('POST', '/links', { target: 'https://example.org/a', name: 'Halyard' })
  const { db } = server.context
  // As when its publication went out.
  const { id: publicationId } = await call('POST', '/publications', { title: 'Low tide' })
  await db.updateTable('short_link').set({ publication_id: publicationId }).where('id', '=', linkId).execute()
  await db.updateTable('booking').set({ short_link_id: linkId }).where('id', '=', bookingId).execute()
  const click = { newsletter_id: id, short_link_id: linkId, at: new Date(), device: 'phone' } as const
  await db.insertInto('click').values(click).execute()
  return bookingId
}

/** Another newsletter offers its campaign, and recommends this one. */
async function offerAndRecommend() {
  const stranger = await server.signUp()
  await server.confirm(stranger)
  const theirs = await addNewsletter(server.context.db, stranger.userId, 'Night Ferry')
  const theirPath = `/api/newsletters/${theirs}`
  const beneficiary = { kind: 'other_newsletter', newsletter: id }
  await addOptInCampaign({ owner: stranger, path: theirPath }, { beneficiary })
  await stranger.call('POST', `${theirPath}/recommendations`, { newsletter: id, reasons: { en: 'Tides.' } })
}

/** What the page asks for, as somebody gets it: null for what they may not read. */
async function dueOf(who: Session) {
  const read = async (rest: string) => {
    const answer = await who.call('GET', `${path()}${rest}`)
    return answer.statusCode === 403 ? null : answer.json()
  }
  const [bookings, offers, recommenders] = await Promise.all(
    ['/sponsorship/bookings?which=due', '/campaign-offers', '/recommenders'].map(read),
  )
  return {
    bookings: bookings?.rows.map(({ sponsor }: { sponsor: string }) => sponsor) ?? null,
    offers: offers?.offers.filter(({ waits }: { waits: boolean }) => waits).length ?? null,
    recommenders: recommenders?.rows.filter(({ state }: { state: string }) => state === 'waiting').length ?? null,
  }
}
const resultsOf = async (who: Session) => (await who.call('GET', `${path()}/advertise/results`)).json()

test('what is due is shown by the permission of each part alone', async () => {
  const [campaigns, sponsors] = [await server.asMember(id, 'editor'), await server.asMember(id, 'analyst')]
  expect(await dueOf(owner)).toEqual({ bookings: ['Halyard & Co'], offers: 1, recommenders: 1 })
  expect(await dueOf(campaigns)).toEqual({ bookings: null, offers: 1, recommenders: 1 })
  expect(await dueOf(sponsors)).toEqual({ bookings: ['Halyard & Co'], offers: null, recommenders: null })
})

test('whoever may not read bookings meets no sponsor among the clicks either', async () => {
  const [campaigns, sponsors] = [await server.asMember(id, 'editor'), await server.asMember(id, 'analyst')]
  const seen = [{ bookingId: booking, name: 'Halyard & Co', raw: 1 }]
  for (const who of [owner, sponsors])
    expect(await resultsOf(who)).toMatchObject({ places: seen, inRange: { raw: 1 }, reports: [] })
  const results = await resultsOf(campaigns)
  expect(results).toMatchObject({ places: [], points: [], inRange: { raw: 0 }, reports: null })
  const files = ['places', 'clicks'].map((chart) =>
    campaigns.call('GET', `${path()}/advertise/results.csv?chart=${chart}`),
  )
  for (const { body } of await Promise.all(files)) expect(body).not.toMatch(/Halyard|,1/)
})
