import { randomBytes } from 'node:crypto'
import { copyFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { uploadImage } from '../testing/upload.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0C5C5A' } })

const upload = (data: Buffer, name?: string, type?: string) =>
  uploadImage(room, { path: room.path, cookie: room.owner.cookie, data, name, type })

test('an image is stored upright and narrow, without the camera’s metadata, and may be cached for ever', async () => {
  const photo = await picture(3000, 2000)
    .withExif({ IFD0: { Copyright: 'secret place', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const answer = await upload(photo)
  expect(answer.statusCode, answer.body).toBe(200)
  const media = answer.json()
  expect(media).toMatchObject({ mime: 'image/jpeg', width: 1600, height: 2400, fileName: 'boat.jpg' })
  const whole = await room.inject({ url: `/media/${media.id}` })
  expect(whole.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  const kept = await sharp(whole.rawPayload).metadata()
  expect(kept.exif).toBeUndefined()
  expect(kept.orientation).toBeUndefined()
  const narrow = await Promise.all([1, 2, 3].map(() => room.inject({ url: `/media/${media.id}?w=320` })))
  for (const each of narrow) expect((await sharp(each.rawPayload).metadata()).width).toBe(320)
  expect((await room.inject({ url: `/media/${media.id}?w=321` })).statusCode).toBe(400)
  expect((await room.inject({ url: '/media/nothing' })).statusCode).toBe(404)
})

test('a transparent image stays PNG, a moving one stays GIF', async () => {
  const clear = await sharp({ create: { width: 40, height: 30, channels: 4, background: '#0000' } })
    .webp()
    .toBuffer()
  expect((await upload(clear, 'a.webp')).json()).toMatchObject({ mime: 'image/png', width: 40, height: 30 })
  const frames = Buffer.concat([Buffer.alloc(20 * 10 * 3, 0), Buffer.alloc(20 * 10 * 3, 255)])
  const moving = await sharp(frames, { raw: { width: 20, height: 20, channels: 3, pageHeight: 10 } })
    .gif()
    .toBuffer()
  expect((await upload(moving, 'a.gif')).json()).toMatchObject({ mime: 'image/gif', width: 20, height: 10 })
})

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 415],
  ['HTML that calls itself PNG', Buffer.from('<html><script>alert(1)</script>'), 415],
  ['a JPEG that is cut', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 422],
])('%s is refused', async (_what, data, status) => {
  expect((await upload(data, 'x.png', 'image/png')).statusCode).toBe(status)
})

test('an image that claims a size beyond any memory is refused', async () => {
  const bomb = await picture(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer()
  expect(bomb.length).toBeLessThan(1_000_000)
  const answer = await upload(bomb)
  expect(answer.json().error).toMatchObject({
    code: 'image_too_heavy',
    message: expect.stringContaining('60 million pixels'),
  })
})

test('more than 10 MB is refused', async () => {
  const answer = await upload(Buffer.alloc(10 * 1024 * 1024 + 1))
  expect(answer.statusCode).toBe(413)
  expect(answer.json().error).toMatchObject({ code: 'file_too_large', message: expect.stringContaining('10\u00a0MB') })
  const claimed = await uploadImage(room, {
    path: room.path,
    cookie: room.owner.cookie,
    data: Buffer.alloc(1),
    headers: { 'content-length': '99999999' },
  })
  expect(claimed.json().error.code).toBe('file_too_large')
})

test('only members describe images, and the list has the newest first', async () => {
  const { id } = (await upload(await picture(10, 10).png().toBuffer())).json()
  const described = await room.owner.call('PATCH', `${room.path}/media/${id}`, { alt: 'A boat on mud' })
  expect(described.json()).toMatchObject({ id, alt: 'A boat on mud' })
  const list = await room.owner.call('GET', `${room.path}/media?limit=1`)
  expect(list.json()).toMatchObject({ rows: [{ id }], next: expect.any(String) })
  const stranger = await room.signUp({})
  expect((await stranger.call('PATCH', `${room.path}/media/${id}`, { alt: '' })).statusCode).toBe(404)
})

/** A moving WebP of so many frames, each of one colour. */
async function moving(frames: number, { width, height }: { width: number; height: number }) {
  const pixels = Buffer.concat(
    Array.from({ length: frames }, (_, n) => Buffer.alloc(width * height * 3, (n * 97) % 256)),
  )
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const
  return sharp(pixels, { raw }).webp({ quality: 20, effort: 0 }).toBuffer()
}

const filesKept = async () =>
  (await readdir(room.context.config.dataDir, { recursive: true })).filter((name) => /media.*\.\w+$/.test(name))
const kept = async () => (await filesKept()).length

test('a moving image of too many frames is refused, and leaves no file', async () => {
  const before = await kept()
  const answer = await upload(await moving(301, { width: 8, height: 8 }), 'a.webp', 'image/webp')
  expect(answer.json().error).toMatchObject({ code: 'image_too_heavy', message: expect.stringContaining('300') })
  expect(await kept()).toBe(before)
})

test('a moving WebP of 8 MB takes no more room than any image, or is refused and takes none', async () => {
  const [width, height, frames] = [300, 200, 150]
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const
  const data = await sharp(randomBytes(width * height * frames * 3), { raw })
    .webp({ quality: 95, effort: 0 })
    .toBuffer()
  expect(data.length).toBeGreaterThan(7_000_000)
  const before = await filesKept()
  const answer = await upload(data.subarray(0, 10 * 1024 * 1024), 'a.webp', 'image/webp')
  const added = (await filesKept()).filter((name) => !before.includes(name))
  if (answer.statusCode !== 200) expect(answer.json().error.code).toBe('image_too_heavy')
  expect(added).toHaveLength(answer.statusCode === 200 ? 1 : 0)
  for (const name of added) {
    expect((await stat(join(room.context.config.dataDir, name))).size).toBeLessThanOrEqual(5 * 1024 * 1024)
  }
}, 120_000)

test('strangers who ask for more widths than can be made get the image itself, and an owner’s upload overtakes them', async () => {
  const { id } = (await upload(await picture(1600, 40).jpeg().toBuffer())).json()
  const { db, config } = room.context
  const row = await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const copies = Array.from({ length: 8 }, (_, n) => ({ ...row, id: `copy00000${n}` }))
  for (const copy of copies) {
    copy.storage_key = row.storage_key.replace(row.id, copy.id)
    await copyFile(join(config.dataDir, 'media', row.storage_key), join(config.dataDir, 'media', copy.storage_key))
  }
  await db.insertInto('media').values(copies).execute()
  let narrowed = 0
  const asked = copies.flatMap((copy) =>
    [320, 600, 800, 1200].map(async (width) => {
      const answer = await room.inject({ url: `/media/${copy.id}?w=${width}` })
      if (answer.headers['cache-control'] !== 'no-store') narrowed += 1
      return answer
    }),
  )
  const uploaded = await upload(await picture(20, 20).png().toBuffer())
  expect(uploaded.statusCode, uploaded.body).toBe(200)
  expect(narrowed).toBeLessThan(10)
  const answers = await Promise.all(asked)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  expect(narrowed).toBe(21)
}, 120_000)
