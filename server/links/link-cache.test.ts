import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { LinkCache } from './link-cache.ts'

let server: TestNewsletter

beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server.stop())

async function added(id: string, days = 0): Promise<string> {
  const created_at = new Date(Date.now() - days * 86_400_000)
  const { db } = server.context
  const link = { newsletter_id: server.newsletterId, id, target: 'https://example.org/', created_at }
  await db.insertInto('short_link').values(link).execute()
  return id
}

test('the first link that is followed has young links read ahead, and a change of one has it forgotten', async () => {
  const { db, listener } = server.context
  // More than one query reads.
  const young = await Promise.all(Array.from({ length: 600 }, (_, n) => added(`young${n}`)))
  const [first = '', second = ''] = young
  const old = await added('old', 200)
  const cache = new LinkCache(db, listener)
  expect(cache.known(second)).toBeUndefined()
  await cache.find(first)
  await expect.poll(() => young.filter((id) => cache.known(id)).length).toBe(600)
  expect(cache.known(old)).toBeUndefined()
  expect(await cache.find(old)).toMatchObject({ id: old })

  await db.updateTable('short_link').set({ target: 'https://example.org/new' }).where('id', '=', second).execute()
  await expect.poll(() => cache.known(second)).toBeUndefined()
  expect(await cache.find(second)).toMatchObject({ target: 'https://example.org/new' })
})

test('what a newsletter keeps of clicks is known anew, and the links of others stay in memory', async () => {
  const { db, listener } = server.context
  const mine = await added('mine')
  const other = await server.createNewsletter(server.owner)
  const link = { newsletter_id: other, id: 'others', target: 'https://example.org/' }
  await db.insertInto('short_link').values(link).execute()
  const cache = new LinkCache(db, listener)
  await cache.find(mine)
  await expect.poll(() => cache.known('others')).toBeDefined()
  await db.updateTable('newsletter').set({ click_privacy: 'off' }).where('id', '=', server.newsletterId).execute()
  await expect.poll(() => cache.known(mine)).toBeUndefined()
  expect(cache.known('others')).toBeDefined()
  expect(await cache.find(mine)).toMatchObject({ privacy: 'off' })
})
