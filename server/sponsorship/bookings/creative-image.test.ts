import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectMediaJob } from '../../media/collect-media.job.ts'
import { type Session, startTestApp, type TestApp } from '../../testing/app.ts'
import { uploadImage } from '../../testing/upload.ts'

let server: TestApp
let owner: Session
let id: string
beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

const helpers = null as never
const path = (newsletterId = id) => `/api/newsletters/${newsletterId}`
const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', rest: string, body?: unknown) =>
  (await owner.call(method, `${path()}${rest}`, body)).json()
async function upload(newsletterId = id): Promise<string> {
  const data = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#0C5C5A' } })
    .jpeg()
    .toBuffer()
  return (await uploadImage(server, { path: path(newsletterId), cookie: owner.cookie, data })).json().id
}
const creative = { name: 'Quéré', text: 'Nets and ropes.', label: 'See', target: 'https://q.example/' }
const withImage = (mediaId: string) => ({ ...creative, image: { mediaId, alt: 'A net' } })
let days = 0
/** A booking that waits for its words. */
async function paid(takesImage = true): Promise<string> {
  const words = { en: { name: 'Middle', disclosure: 'From our sponsor' } }
  const placement = { words, place: 'middle', maxWords: 10, takesImage }
  const { id: placementId } = await call('POST', '/sponsorship/placements', placement)
  const day = new Date(Date.UTC(2090, 0, ++days)).toISOString().slice(0, 10)
  await call('PUT', '/sponsorship/days', { day, kind: 'added' })
  const booking = await call('POST', '/sponsorship/bookings', {
    ...{ placementId, day, sponsor: 'Maison Quéré', language: 'fr', currency: 'eur', amount: 100 },
  })
  await call('POST', `/sponsorship/bookings/${booking.id}/money`, { act: 'pay' })
  return booking.id
}
const put = (bookingId: string, body: unknown) => call('PUT', `/sponsorship/bookings/${bookingId}/creative`, body)
const usesOf = async (mediaId: string) =>
  (await call('GET', '/media')).rows.find((row: { id: string }) => row.id === mediaId)

test('what a sponsor says carries an image with words for it; what was said before there were any has none', async () => {
  const bookingId = await paid()
  expect((await put(bookingId, creative)).creative).toEqual({ ...creative, image: null })
  await server.context.db
    .updateTable('booking')
    .set({ creative: JSON.stringify(creative) })
    .where('id', '=', bookingId)
    .execute()
  expect((await call('GET', `/sponsorship/bookings/${bookingId}`)).creative).toEqual({ ...creative, image: null })
  const mediaId = await upload()
  expect((await put(bookingId, withImage(mediaId))).creative).toEqual(withImage(mediaId))
})

test('an image without words, of another newsletter, unknown, or where none is taken, is refused', async () => {
  const bookingId = await paid()
  const own = await upload()
  const silent = await put(bookingId, { ...creative, image: { mediaId: own, alt: ' ' } })
  expect(Object.keys(silent.error.fields)).toEqual(['image.alt'])
  const foreign = await upload(await server.createNewsletter(owner))
  for (const mediaId of [foreign, 'nothing'])
    expect((await put(bookingId, withImage(mediaId))).error.code).toBe('media_not_found')
  const wordsOnly = await put(await paid(false), withImage(own))
  expect(wordsOnly.error.fields.image).toMatch(/takes no image/)
  expect((await call('GET', `/sponsorship/bookings/${bookingId}`)).creative).toBeNull()
})

test('an image is used while a sponsor shows it, and goes with who deletes it nevertheless', async () => {
  const [bookingId, mediaId] = [await paid(), await upload()]
  expect(await usesOf(mediaId)).toMatchObject({ uses: [], removedAt: expect.any(String) })
  await put(bookingId, withImage(mediaId))
  expect(await usesOf(mediaId)).toMatchObject({
    ...{ uses: [{ kind: 'booking', bookingId, sponsor: 'Maison Quéré', isOut: false }], removedAt: null },
  })
  const later = () => new Date(Date.now() + 40 * 86_400_000)
  const collect = () => collectMediaJob({ ...server.context, now: later })({}, helpers)
  await collect()
  await collect()
  expect(await usesOf(mediaId)).toBeDefined()
  expect((await call('DELETE', `/media/${mediaId}`)).error.code).toBe('media_in_use')
  await call('DELETE', `/media/${mediaId}?evenIfUsed=true`)
  expect((await call('GET', `/sponsorship/bookings/${bookingId}`)).creative).toEqual({ ...creative, image: null })
})
