import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
  await server.addSubscribers(['ada@example.com'])
})
afterAll(() => server?.stop())

const linkTo = (...targets: string[]) => ({
  type: 'doc',
  content: targets.map((href) => ({
    type: 'paragraph',
    content: [{ type: 'text', text: 'Tides', marks: [{ type: 'link', attrs: { href } }] }],
  })),
})

test('a link that only a test mail had is none of the publication, and those that stay are in the order of what left', async () => {
  const [gone, kept, added] = ['https://example.org/gone', 'https://example.org/kept', 'https://example.org/added']
  const { id } = await server.draft({ content: linkTo(gone, kept) })
  const links = async () =>
    (await server.owner.call('GET', `${server.path}/links?publicationId=${id}&limit=10`))
      .json()
      .rows.map(({ target }: { target: string }) => target)
  const path = `${server.path}/publications/${id}`
  expect((await server.owner.call('POST', `${path}/test`, {})).statusCode).toBe(200)
  await server.work()
  expect(await links()).toEqual([])
  const { revision } = (await server.owner.call('GET', path)).json()
  const saved = await server.owner.call('PATCH', path, { revision, content: linkTo(added, kept) })
  expect(saved.statusCode, saved.body).toBe(200)
  await server.send(id)
  await server.work()
  expect(await links()).toEqual([added, kept])
  // A test of what was sent takes none of its links away.
  await server.owner.call('POST', `${path}/test`, {})
  await server.work()
  expect(await links()).toEqual([added, kept])
})
