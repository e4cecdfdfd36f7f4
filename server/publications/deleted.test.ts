import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Session } from '../testing/app.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { forgetDeletedPublicationsJob } from './forget-deleted.job.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const at = (id: string, rest = '') => `${room.path}/publications/${id}${rest}`
const get = async (path: string) => (await room.owner.call('GET', path)).json()
const deletedIds = async (query = '') =>
  (await get(`${room.path}/deleted-publications${query}`)).rows.map(({ id }: { id: string }) => id)
const restore = (id: string, who: Session = room.owner) => who.call('POST', at(id, '/restore'))
const remove = (id: string) => room.owner.call('DELETE', at(id))
const codeOf = (answer: Awaited<ReturnType<Session['call']>>) => [answer.statusCode, answer.json().error?.code]

async function deletedDraft(values: Record<string, unknown> = {}) {
  const draft = await room.draft(values)
  expect((await remove(draft.id)).statusCode).toBe(200)
  return draft.id
}

test('a deleted draft comes back as it was, with its versions, its day and its address', async () => {
  const { id, revision } = await room.draft({ title: 'Spring tide', day: '2098-03-04' })
  const edit = { revision, subtitle: 'Twice a month', subject: 'Look out', slug: 'spring-tide', language: 'fr' }
  await room.owner.call('PATCH', at(id), edit)
  const [before, revisions] = [await get(at(id)), await get(at(id, '/revisions'))]
  await remove(id)
  expect(await deletedIds('?search=spring')).toContain(id)
  const answer = await restore(id)
  expect([answer.statusCode, answer.json()]).toEqual([200, before])
  expect(await get(at(id, '/revisions'))).toEqual(revisions)
  expect(await deletedIds()).not.toContain(id)
})

test('nothing else shows or counts a deleted draft, and whoever saves it is told that it was deleted', async () => {
  const before = (await get(`${room.path}/publications`)).totals.draft
  const id = await deletedDraft({ title: 'Neap tide' })
  expect((await get(`${room.path}/publications`)).totals.draft).toBe(before)
  expect((await get(`${room.path}/publications?search=neap`)).rows).toEqual([])
  expect((await room.owner.call('GET', `${room.path}/search?search=neap`)).body).not.toContain(id)
  for (const [method, rest, body] of [
    ['GET', ''],
    ['PATCH', '', { revision: 1, title: 'Typed meanwhile' }],
    ['DELETE', ''],
    ['GET', '/revisions'],
    ['POST', '/preview', {}],
    ['POST', '/test', {}],
    ['POST', '/send', {}],
    ['POST', '/duplicate'],
    ['PUT', '/day', { day: '2098-03-05' }],
  ] as const)
    expect(codeOf(await room.owner.call(method, at(id, rest), body)), method + rest).toEqual([
      404,
      'publication_deleted',
    ])
  const saved = (await restore(id)).json()
  const again = await room.owner.call('PATCH', at(id), { revision: saved.revision, title: 'Typed meanwhile' })
  expect([again.statusCode, again.json().title]).toEqual([200, 'Typed meanwhile'])
})

test('of two who delete at once one is told that it is deleted, and two who restore at once find the same draft', async () => {
  const { id } = await room.draft()
  const deletions = await Promise.all([remove(id), remove(id)])
  expect(deletions.map(codeOf).toSorted()).toEqual([
    [200, undefined],
    [404, 'publication_deleted'],
  ])
  const restored = await Promise.all([restore(id), restore(id)])
  expect(restored.map((answer) => [answer.statusCode, answer.json().id])).toEqual([
    [200, id],
    [200, id],
  ])
})

test('what was removed for good is gone, and removing takes nothing that is not deleted', async () => {
  const id = await deletedDraft()
  const forGood = (which: string) => room.owner.call('DELETE', `${room.path}/deleted-publications/${which}`)
  expect((await forGood(id)).statusCode).toBe(200)
  expect(codeOf(await restore(id))).toEqual([404, 'publication_not_found'])
  expect(codeOf(await forGood(id))).toEqual([404, 'publication_not_found'])
  const { id: kept } = await room.draft()
  expect(codeOf(await forGood(kept))).toEqual([404, 'publication_not_found'])
  expect((await room.owner.call('GET', at(kept))).statusCode).toBe(200)
})

test('a deleted draft is kept for 30 days, and then removed with its versions', async () => {
  const [young, old] = [await deletedDraft(), await deletedDraft()]
  const age = (id: string, days: number) =>
    sql`update deleted_publication set deleted_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(
      room.context.db,
    )
  await age(young, 29)
  await age(old, 31)
  await forgetDeletedPublicationsJob(room.context)({}, undefined as never)
  expect(await deletedIds()).toContain(young)
  expect(codeOf(await restore(old))).toEqual([404, 'publication_not_found'])
  const versions = await sql`select from deleted_publication_revision where publication_id = ${old}`.execute(
    room.context.db,
  )
  expect(versions.rows).toEqual([])
})

test('an address that was taken meanwhile stays with who took it', async () => {
  const { id, revision } = await room.draft()
  await room.owner.call('PATCH', at(id), { revision, slug: 'the-tide' })
  await remove(id)
  const other = await room.draft()
  await room.owner.call('PATCH', at(other.id), { revision: other.revision, slug: 'the-tide' })
  expect((await restore(id)).json().slug).toBeNull()
  expect((await get(at(other.id))).slug).toBe('the-tide')
})

test('a cancelled publication that nobody received comes back as a draft that can be sent', async () => {
  await room.addSubscribers(['reader@example.org'])
  const { id } = await room.draft({ content: { type: 'doc', content: [paragraph('It was stopped.')] } })
  await room.send(id)
  await room.owner.call('POST', at(id, '/cancel'))
  expect((await get(at(id))).status).toBe('cancelled')
  await remove(id)
  const back = (await restore(id)).json()
  expect(back).toMatchObject({ status: 'draft', number: null, publishedAt: null })
  expect((await room.send(id)).json().status).toBe('sending')
})

test('only who may write sees, restores and removes what was deleted, and only in its own newsletter', async () => {
  const id = await deletedDraft({ title: 'Ours' })
  const analyst = await room.signUp({ name: 'Ana', email: 'ana@example.org' })
  await room.context.db
    .insertInto('member')
    .values({ newsletter_id: room.newsletterId, user_id: analyst.userId, role: 'analyst' })
    .execute()
  const forGood = `/deleted-publications/${id}`
  for (const [method, path] of [
    ['GET', `${room.path}/deleted-publications`],
    ['POST', at(id, '/restore')],
    ['DELETE', room.path + forGood],
  ] as const)
    expect((await analyst.call(method, path)).statusCode, path).toBe(403)
  const stranger = await room.signUp({ name: 'Sam', email: 'sam@example.org' })
  const body = { name: 'Elsewhere', language: 'en', timezone: 'Europe/Paris', currency: 'eur' }
  const own = `/api/newsletters/${(await stranger.call('POST', '/api/newsletters', body)).json().id}`
  expect(codeOf(await stranger.call('POST', `${own}/publications/${id}/restore`))).toEqual([
    404,
    'publication_not_found',
  ])
  expect(codeOf(await stranger.call('DELETE', own + forGood))).toEqual([404, 'publication_not_found'])
  expect((await stranger.call('GET', `${own}/deleted-publications`)).json()).toMatchObject({ rows: [], total: 0 })
  expect(await deletedIds()).toContain(id)
})

test('deleted publications are listed page by page, the last deleted first', async () => {
  const [first, second] = [await deletedDraft({ title: 'Ebb one' }), await deletedDraft({ title: 'Ebb two' })]
  const page = await get(`${room.path}/deleted-publications?search=ebb&limit=1`)
  expect([page.total, page.rows.map(({ id }: { id: string }) => id)]).toEqual([2, [second]])
  expect(await deletedIds(`?search=ebb&limit=1&cursor=${encodeURIComponent(page.next)}`)).toEqual([first])
})
