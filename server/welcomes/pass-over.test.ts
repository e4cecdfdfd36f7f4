import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { enrol, newLook } from './enrol.ts'
import { Enroller } from './enroller.ts'
import { writePassedOver } from './pass-over.ts'

/** As many as are written in three steps. */
const PEOPLE = 10_002

let server: TestNewsletter
let publicationId: string
let tag: number
let segmentId: number

beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  const { db } = server.context
  await sql`truncate subscriber, welcomed, passed_over, welcome, segment, tag, delivery, sending cascade`.execute(db)
  await sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at)
    select ${server.newsletterId}, uuidv7(), mail, mail, 'en', 'active', now()
    from generate_series(1, ${PEOPLE}::integer) n, lateral (select 'reader' || n || '@example.org') r (mail)`.execute(
    db,
  )
  publicationId = (await server.draft({ title: 'Friend' })).id
  tag = (await call('POST', '/tags', { name: 'Friends' })).json().id
  await sql`insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
    select newsletter_id, ${tag}, id from subscriber`.execute(db)
  segmentId = (await call('POST', '/segments', { name: 'Friends', filter: { on: 'tag', op: 'has', tag } })).json().id
})

const call = (method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  server.owner.call(method, server.path + path, body)
const setWelcome = async () => (await call('PUT', '/welcomes', { segmentId, publicationId })).json()
const isPreparing = async () => (await call('GET', '/welcomes')).json().welcomes[0].preparing
const has = async (...emails: string[]) =>
  sql`insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
    select newsletter_id, ${tag}, id from subscriber where email = any(${emails})`.execute(server.context.db)
const hasNot = async (...emails: string[]) =>
  sql`delete from subscriber_tag where subscriber_id in (select id from subscriber where email = any(${emails}))`.execute(
    server.context.db,
  )
const look = async () => {
  await sql`update welcome set look_at = now()`.execute(server.context.db)
  await new Enroller(server.context).drain()
}
const welcomed = async () =>
  (await server.context.db.selectFrom('delivery').select('email').orderBy('email').execute()).map(({ email }) => email)
const noted = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from welcomed where segment_id = ${segmentId}`.execute(
    server.context.db,
  )
  return rows[0]?.count
}

test('who was in the segment when its welcome was made is passed over, whatever becomes of them while it is prepared', async () => {
  const { db } = server.context
  expect(await setWelcome()).toMatchObject({ preparing: true })
  expect(await writePassedOver(db)).toBe(true)
  expect(await noted()).toBe(5_000)
  // In the first part and in the last: they leave the segment and come back.
  await hasNot('reader1@example.org', `reader${PEOPLE}@example.org`)
  await server.addSubscribers(['new@example.org'])
  await has('new@example.org')
  expect(await isPreparing()).toBe(true)
  await look()
  expect(await isPreparing()).toBe(false)
  expect(await noted()).toBe(PEOPLE + 1)
  await has('reader1@example.org', `reader${PEOPLE}@example.org`)
  await look()
  expect(await welcomed()).toEqual(['new@example.org'])
})

test('nobody is welcomed while some are not noted yet, by whatever process', async () => {
  const { db } = server.context
  await setWelcome()
  await server.addSubscribers(['new@example.org'])
  await has('new@example.org')
  await db.transaction().execute(async (tx) => {
    // Another process is at the last part.
    await sql`select from passed_over order by id desc limit 1 for update`.execute(tx)
    await look()
    expect([await noted(), await isPreparing()]).toEqual([10_000, true])
    // Nor by one that found the welcome due before.
    const { id } = (await call('GET', '/welcomes')).json().welcomes[0]
    expect(await enrol(db, { newsletterId: server.newsletterId, id }, newLook())).toBeNull()
    expect(await welcomed()).toEqual([])
  })
  await look()
  expect(await welcomed()).toEqual(['new@example.org'])
})

test('changing the conditions is prepared in the same way, and passes over all who fit at that moment', async () => {
  await call('PATCH', `/segments/${segmentId}`, { filter: { on: 'tag', op: 'has_not', tag } })
  expect(await setWelcome()).toMatchObject({ preparing: false })
  const changed = await call('PATCH', `/segments/${segmentId}`, { filter: { on: 'tag', op: 'has', tag } })
  expect([changed.statusCode, await isPreparing()]).toEqual([200, true])
  await look()
  expect([await noted(), await welcomed(), await isPreparing()]).toEqual([PEOPLE, [], false])
})

test('who is erased while it is prepared stays erased, and the others are noted', async () => {
  await setWelcome()
  const { id } = await server.context.db
    .selectFrom('subscriber')
    .select('id')
    .where('email', '=', 'reader7000@example.org')
    .executeTakeFirstOrThrow()
  expect((await server.owner.call('DELETE', server.subscriberPath(id))).statusCode).toBe(200)
  await look()
  expect([await noted(), await isPreparing()]).toEqual([PEOPLE - 1, false])
})

test('a deleted segment is forgotten afterwards, in parts, and no other', async () => {
  await setWelcome()
  await look()
  const other = (
    await call('POST', '/segments', { name: 'All', filter: { on: 'language', op: 'is', value: 'en' } })
  ).json()
  await call('PUT', '/welcomes', { segmentId: other.id, publicationId })
  await look()
  expect((await call('DELETE', `/segments/${segmentId}?evenIfUsed=true`)).statusCode).toBe(200)
  expect(await noted()).toBe(PEOPLE)
  await server.work()
  const { rows } = await sql`select segment_id as segment, count(*) from welcomed group by 1`.execute(server.context.db)
  expect(rows).toEqual([{ segment: other.id, count: PEOPLE }])
})

test('people who were imported a moment ago are passed over in one look, however many they are', async () => {
  const { db } = server.context
  await sql`delete from subscriber_tag`.execute(db)
  await setWelcome()
  await sql`insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, at)
    select newsletter_id, gen_random_uuid(), id, 'given', 'They said yes', 'own', 'en', 'import', now()
    from subscriber`.execute(db)
  await sql`insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
    select newsletter_id, ${tag}, id from subscriber`.execute(db)
  await look()
  expect([await noted(), await welcomed()]).toEqual([PEOPLE, []])
})
