import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Session } from '../testing/app.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { uploadImage } from '../testing/upload.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter({
    MEDIA_NEWSLETTER_FILES: '5',
    MEDIA_PERSON_FILES: '7',
    MEDIA_GUEST_FILES: '2',
    MEDIA_GUEST_MB: '1',
  })
})
afterAll(() => room.stop())
beforeEach(() => room.context.db.deleteFrom('media').execute())

const dot = () =>
  sharp({ create: { width: 4, height: 4, channels: 3, background: '#0C5C5A' } })
    .png()
    .toBuffer()
/** Nothing makes it smaller. */
const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

const upload = async (path = room.path, who: Session = room.owner, data?: Buffer) =>
  uploadImage(room, { path, cookie: who.cookie, data: data ?? (await dot()) })

const codesOf = async (answers: Promise<Awaited<ReturnType<typeof upload>>>[]) =>
  (await Promise.all(answers)).map((answer) => answer.json().error?.code ?? 'stored').sort()

test('parallel uploads share the room of a newsletter', async () => {
  for (let round = 0; round < 3; round += 1) await codesOf([upload(), upload()])
  const rows = await room.context.db.selectFrom('media').selectAll().execute()
  expect(rows).toHaveLength(5)
  const refused = await upload()
  expect(refused.json().error).toMatchObject({ code: 'media_full', message: expect.stringContaining('5 images') })
  expect(refused.statusCode).toBe(409)
})

test('a person has one room for all newsletters, also at the same moment', async () => {
  const other = `/api/newsletters/${await addNewsletter(room.context.db, room.owner.userId)}`
  for (let round = 0; round < 5; round += 1) await codesOf([upload(), upload(other)])
  expect(await room.context.db.selectFrom('media').selectAll().execute()).toHaveLength(7)
  expect(await codesOf([upload(), upload(other)])).toEqual(['media_full_person', 'media_full_person'])
})

test('a guest has less room, by number and by bytes, and is told how to get more', async () => {
  const guest = await room.tryFirst()
  const path = `/api/newsletters/${await addNewsletter(room.context.db, guest.userId)}`
  const heavy = await upload(path, guest, await noise(700, 600))
  expect(heavy.json().error).toMatchObject({ code: 'media_full', message: expect.stringContaining('email address') })
  expect(await codesOf([upload(path, guest), upload(path, guest)])).toEqual(['stored', 'stored'])
  expect((await upload(path, guest)).json().error.code).toBe('media_full')
})

test('what a key uploads takes the room of the person who made it', async () => {
  const { db } = room.context
  const made = await room.owner.call('POST', `${room.path}/api-keys`, { name: 'Quota', role: 'editor' })
  const { secret } = made.json()
  const answer = await uploadImage(room, {
    path: room.path,
    data: await dot(),
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const { created_by } = await db.selectFrom('media').select('created_by').executeTakeFirstOrThrow()
  expect(created_by).toBe(room.owner.userId)
})

test('the room and what is taken of it is shown, the person’s own only', async () => {
  await upload()
  const editor = await room.asMember(room.newsletterId, 'editor')
  const usage = await editor.call('GET', `${room.path}/media-usage`)
  expect(usage.json()).toEqual({
    newsletter: {
      used: { bytes: expect.any(Number), files: 1 },
      most: { bytes: 1_000_000_000, files: 5 },
      standing: 'proven',
    },
    person: { used: { bytes: 0, files: 0 }, most: { bytes: 1_000_000, files: 2 }, standing: 'unproven' },
  })
  const stranger = await room.signUp({})
  expect((await stranger.call('GET', `${room.path}/media-usage`)).statusCode).toBe(404)
})
