import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

test('a publication without a cover has none in its mail, on its page and in the archive, and a picture where it is shared', async () => {
  const draft = await room.draft({ title: 'Low water' })
  const path = `${room.path}/publications/${draft.id}`
  const covers = async () => {
    const { email, web } = (await room.owner.call('POST', `${path}/preview`, {})).json()
    return [email, web].map((html: string) => /<img[^>]*\/cover\//.test(html))
  }
  expect(await covers()).toEqual([true, true])
  const saved = await room.owner.call('PATCH', path, { revision: draft.revision, drawsCover: false })
  expect(saved.json()).toMatchObject({ drawsCover: false, coverUrl: null })
  expect(await covers()).toEqual([false, false])

  const sent = await room.send(draft.id, { channel: 'web' })
  expect(sent.statusCode, sent.body).toBe(200)
  const { url } = (await room.owner.call('GET', path)).json()
  for (const address of [new URL(url).pathname, `/n/${room.newsletterId}`]) {
    const page = await room.app.inject(address)
    expect(page.body).toContain('Low water')
    expect(page.body).not.toMatch(/<img[^>]*\/cover\//)
  }
  expect((await room.app.inject(new URL(url).pathname)).body).toMatch(/og:image" content="[^"]*\/cover\/[^"]+\.png"/)
  const copy = (await room.owner.call('POST', `${path}/duplicate`)).json()
  expect(copy).toMatchObject({ title: 'Low water (copy)', drawsCover: false })
})

test('a new draft has the cover choice of the newest publication, and a copy its own', async () => {
  const drawn = await room.draft({ title: 'With one' })
  const path = (id: string) => `${room.path}/publications/${id}`
  await room.owner.call('PATCH', path(drawn.id), { revision: drawn.revision, drawsCover: true })
  const bare = await room.draft({ title: 'Without' })
  await room.owner.call('PATCH', path(bare.id), { revision: bare.revision, drawsCover: false })
  const next = await room.owner.call('POST', `${room.path}/publications`, { title: 'The next' })
  expect(next.json()).toMatchObject({ drawsCover: false })
  const copy = await room.owner.call('POST', `${path(drawn.id)}/duplicate`)
  expect(copy.json()).toMatchObject({ drawsCover: true })
})
