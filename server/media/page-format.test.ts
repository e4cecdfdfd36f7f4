import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { uploadImage } from '../testing/upload.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const upload = async (data: Buffer): Promise<string> =>
  (await uploadImage(room, { path: room.path, cookie: room.owner.cookie, data })).json().id
const get = (id: string, query: string) => room.inject({ url: `/media/${id}?${query}` })

/** Dots of two inks, as a printed drawing has them. */
function halftone(): Promise<Buffer> {
  const dots = Array.from({ length: 100 * 56 }, (_, at) => {
    const [x, y] = [(at % 100) * 16, Math.floor(at / 100) * 16]
    return `<circle cx="${x + 8}" cy="${y + 8}" r="${2 + ((x + y) % 80) / 16}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#eef"/><g fill="#0c5c5a" shape-rendering="crispEdges">${dots.join('')}</g></svg>`
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 8 }).toBuffer()
}

test('a drawing is lighter on a phone’s page, and goes to mail as the PNG that it is', async () => {
  const id = await upload(await halftone())
  const [mail, page] = await Promise.all([get(id, 'w=800'), get(id, 'w=800&for=page')])
  expect(mail.headers['content-type']).toBe('image/png')
  expect(page.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect((await sharp(page.rawPayload).metadata()).width).toBe(800)
  expect(page.rawPayload.length).toBeLessThan(mail.rawPayload.length / 2)
})

test('what is clear stays clear', async () => {
  const clear = sharp({ create: { width: 900, height: 30, channels: 4, background: '#0c5c5a00' } })
  const page = await get(await upload(await clear.png().toBuffer()), 'w=600&for=page')
  const { data, info } = await sharp(page.rawPayload).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.channels, data[3]]).toEqual([600, 4, 0])
})

test('a width beyond its own gives its own, made once', async () => {
  const narrow = sharp({ create: { width: 400, height: 300, channels: 3, background: '#0c5c5a' } })
  const id = await upload(await narrow.jpeg().toBuffer())
  for (const width of [600, 800, 1200, 1600]) {
    const page = await get(id, `w=${width}&for=page`)
    expect((await sharp(page.rawPayload).metadata()).width).toBe(400)
  }
  expect(await filesOf(id)).toEqual([`${id}-600.webp`, `${id}.jpg`])
})

test('what moves goes on moving, and no other purpose is known', async () => {
  const frames = Buffer.concat([Buffer.alloc(700 * 10 * 3, 0), Buffer.alloc(700 * 10 * 3, 255)])
  const raw = { width: 700, height: 20, channels: 3, pageHeight: 10 } as const
  const id = await upload(await sharp(frames, { raw }).gif().toBuffer())
  const page = await get(id, 'w=600&for=page')
  expect(page.headers['content-type']).toBe('image/gif')
  expect((await sharp(page.rawPayload, { animated: true }).metadata()).pages).toBe(2)
  expect((await get(id, 'w=600&for=mail')).statusCode).toBe(400)
})

async function filesOf(id: string): Promise<string[]> {
  const names = await readdir(room.context.config.dataDir, { recursive: true })
  return names.flatMap((name) => name.match(new RegExp(`${id}[^/]*$`))?.[0] ?? []).sort()
}
