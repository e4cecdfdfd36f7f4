import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { uploadImage } from '../testing/upload.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

test('a phone is offered the cover in widths that it shows, on its page and in the archive', async () => {
  const data = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#0C5C5A' } })
    .jpeg()
    .toBuffer()
  const { id } = (await uploadImage(room, { path: room.path, cookie: room.owner.cookie, data })).json()
  const draft = await room.draft({ title: 'Low water' })
  const path = `${room.path}/publications/${draft.id}`
  await room.owner.call('PATCH', path, { revision: draft.revision, coverMediaId: id })
  await room.send(draft.id, { channel: 'web' })
  const { url } = (await room.owner.call('GET', path)).json()
  for (const address of [new URL(url).pathname, `/n/${room.newsletterId}`]) {
    const { body } = await room.app.inject(address)
    const [, offered = ''] = /<img[^>]* srcSet="([^"]*)"/i.exec(body) ?? []
    const widths: string[] = []
    for (const each of offered.split(', ')) {
      const [from = '', wide = ''] = each.split(' ')
      const picture = await room.inject({ url: new URL(from).pathname + new URL(from).search })
      expect(`${(await sharp(picture.rawPayload).metadata()).width}w`).toBe(wide)
      widths.push(wide)
    }
    expect(widths).toContain('800w')
    expect(body).toMatch(/<img[^>]* sizes="\(max-width: 700px\) 100vw/)
  }
})
