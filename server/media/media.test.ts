import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0C5C5A' } })

async function upload(data: Buffer, name = 'boat.jpg', type = 'image/jpeg') {
  const edge = 'edge-of-part'
  const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return room.inject({
    method: 'POST',
    url: `${room.path}/media`,
    headers: {
      cookie: room.owner.cookie,
      origin: 'http://tirage.test',
      'content-type': `multipart/form-data; boundary=${edge}`,
    },
    payload: Buffer.concat([Buffer.from(head), data, Buffer.from(`\r\n--${edge}--\r\n`)]),
  })
}

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
  expect(answer.json().error.code).toBe('image_invalid')
})

test('more than 10 MB is refused', async () => {
  expect((await upload(Buffer.alloc(10 * 1024 * 1024 + 1))).statusCode).toBe(413)
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

const kept = async () =>
  (await readdir(room.context.config.dataDir, { recursive: true })).filter((name) => /media.*\.\w+$/.test(name)).length

test('a moving image of too many frames is refused, and leaves no file', async () => {
  const before = await kept()
  const answer = await upload(await moving(301, { width: 8, height: 8 }), 'a.webp', 'image/webp')
  expect(answer.json().error).toMatchObject({ code: 'image_too_heavy', message: expect.stringContaining('300') })
  expect(await kept()).toBe(before)
})
