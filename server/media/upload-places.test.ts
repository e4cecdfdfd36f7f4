import { PassThrough } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Session } from '../testing/app.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { UPLOADS_AT_ONCE } from './upload-limits.ts'
import { UploadPlaces } from './upload-places.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

/** How many of so many uploads find a place, each of the newsletter and person that `who` says. */
function takeMany(places: UploadPlaces, who: (n: number) => [newsletterId: string, personId: string], isProven = true) {
  const releases: (() => void)[] = []
  for (let n = 0; n < 40; n += 1) {
    const [newsletterId, personId] = who(n)
    try {
      releases.push(places.take({ newsletterId, personId, isProven }))
    } catch {
      // It is asked to come again.
    }
  }
  return releases
}

test('the places of a process, a newsletter, a person, and of all who proved no address are bounded', () => {
  expect(takeMany(new UploadPlaces(), (n) => [`n${n}`, `p${n}`])).toHaveLength(UPLOADS_AT_ONCE.process)
  expect(takeMany(new UploadPlaces(), (n) => ['n', `p${n}`])).toHaveLength(UPLOADS_AT_ONCE.newsletter)
  expect(takeMany(new UploadPlaces(), (n) => [`n${n}`, 'p'])).toHaveLength(UPLOADS_AT_ONCE.person)
  const places = new UploadPlaces()
  expect(takeMany(places, (n) => [`n${n}`, `p${n}`], false)).toHaveLength(UPLOADS_AT_ONCE.unproven)
  // However many guests upload, an owner finds a place.
  expect(takeMany(places, () => ['own', 'owner'])).toHaveLength(UPLOADS_AT_ONCE.newsletter)
})

test('a place that is given back is free again, and a refusal takes none', () => {
  const places = new UploadPlaces()
  for (const release of takeMany(places, () => ['n', 'p'])) release()
  expect(takeMany(places, () => ['n', 'p'])).toHaveLength(UPLOADS_AT_ONCE.newsletter)
  expect(() => places.take({ newsletterId: 'n', personId: 'q', isProven: true })).toThrow('too_many_requests')
})

/** An upload whose file has begun to arrive. */
function beginUpload({ cookie }: Session) {
  const payload = new PassThrough()
  payload.write(
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
  )
  const headers = { cookie, origin: 'http://tirage.test', 'content-type': 'multipart/form-data; boundary=edge' }
  const answer = room.inject({ method: 'POST', url: `${room.path}/media`, headers, payload })
  return { answer, finish: (data: Buffer) => payload.end(Buffer.concat([data, Buffer.from('\r\n--edge--\r\n')])) }
}

test('who uploads beside as many as may is answered 429 and told when to come again, and the others go on', async () => {
  const editor = await room.asMember(room.newsletterId, 'editor')
  const uploads = [room.owner, room.owner, room.owner, editor, editor, editor].map(beginUpload)
  const answered: number[] = []
  for (const { answer } of uploads) void answer.then(({ statusCode }) => answered.push(statusCode))
  await vi.waitUntil(() => answered.length === uploads.length - UPLOADS_AT_ONCE.newsletter, { timeout: 15_000 })
  expect(answered).toEqual([429, 429])

  const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: '#0C5C5A' } })
  const data = await picture.png().toBuffer()
  for (const { finish } of uploads) finish(data)
  const answers = await Promise.all(uploads.map(({ answer }) => answer))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 429, 429])
  const refused = answers.find(({ statusCode }) => statusCode === 429)
  expect(refused?.json().error.code).toBe('too_many_requests')
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)

  const later = beginUpload(editor)
  later.finish(data)
  expect((await later.answer).statusCode).toBe(200)
})
