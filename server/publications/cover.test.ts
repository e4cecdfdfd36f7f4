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
    const [, offered = ''] = /<source type="image\/webp" srcSet="([^"]*)"/i.exec(body) ?? []
    const widths: string[] = []
    for (const each of offered.replaceAll('&amp;', '&').split(', ')) {
      const [from = '', wide = ''] = each.split(' ')
      const picture = await room.inject({ url: new URL(from).pathname + new URL(from).search })
      const { format, width } = await sharp(picture.rawPayload).metadata()
      expect([format, `${width}w`]).toEqual(['webp', wide])
      widths.push(wide)
    }
    expect(widths).toContain('800w')
    expect(body).toMatch(/<source[^>]* sizes="\(max-width: 700px\) 100vw/)
    expect(body).toContain(`<img src="http://tirage.test/media/${id}?w=1600"`)
  }
})

test('mail programs and feed readers are given no format that some of them do not know', async () => {
  const data = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#0C5C5A' } })
    .jpeg()
    .toBuffer()
  const { id } = (await uploadImage(room, { path: room.path, cookie: room.owner.cookie, data })).json()
  const image = { type: 'image', attrs: { mediaId: id, src: `/media/${id}`, alt: 'A boat' } }
  const draft = await room.draft({ title: 'High water', content: { type: 'doc', content: [image] } })
  const path = `${room.path}/publications/${draft.id}`
  await room.owner.call('PATCH', path, { revision: draft.revision, coverMediaId: id })
  await room.send(draft.id, { channel: 'web' })
  const { url } = (await room.owner.call('GET', path)).json()
  const page = await room.app.inject(new URL(url).pathname)
  expect(page.body.match(/for=page 320w/g)).toHaveLength(2)
  const feed = await room.app.inject(`/n/${room.newsletterId}/feed.xml`)
  expect(feed.body).toContain(`/media/${id}?w=`)
  expect(feed.body).not.toContain('for=page')
  const { email } = (await room.owner.call('POST', `${path}/preview`, {})).json()
  expect(email).toContain(`/media/${id}?w=`)
  expect(email).not.toContain('for=page')
})
