import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster, type WorkerProcess } from '../testing/cluster.ts'

const NEWSLETTER = 'low'
/** As many as are written in four steps. */
const PEOPLE = 17_000
const path = `/api/newsletters/${NEWSLETTER}`
const patience = { interval: 20, timeout: 60_000 }

let cluster: Cluster
let worker: WorkerProcess

beforeAll(async () => {
  cluster = await startCluster({ settings: 'fast' })
  await cluster.addNewsletter(NEWSLETTER, PEOPLE)
}, 240_000)
afterAll(() => cluster?.stop())

async function count(from: string): Promise<number> {
  const [row] = await cluster.query<{ count: string }>(`select count(*) from ${from}`)
  return Number(row?.count)
}

const isPreparing = async () =>
  (await cluster.call<{ welcomes: { preparing: boolean }[] }>('GET', `${path}/welcomes`)).welcomes[0]?.preparing

test('killed while a welcome is prepared and while it is forgotten, a worker goes on: nobody who was there is welcomed', {
  timeout: 240_000,
}, async () => {
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Come in.' }] }] }
  const filter = { on: 'language', op: 'is', value: 'en' }
  const publication = await cluster.call<{ id: string }>('POST', `${path}/publications`, { title: 'Hello', content })
  const { id: segmentId } = await cluster.call<{ id: number }>('POST', `${path}/segments`, { name: 'English', filter })
  const set = { segmentId, publicationId: publication.id, paused: true }
  expect(await cluster.call('PUT', `${path}/welcomes`, set)).toMatchObject({ preparing: true })
  // Somebody leaves the segment, and somebody comes.
  await cluster.query(`update subscriber set language = 'fr' where email = 'reader17000@example.com'`)
  await cluster.query(`insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at)
    values ('low', uuidv7(), 'new@example.com', 'new@example.com', 'en', 'active', now())`)

  // The third part waits for one of its people, who is held here.
  const holder = new pg.Client({ connectionString: cluster.env.DATABASE_URL })
  await holder.connect()
  await holder.query(`begin; select from subscriber where email = 'reader12000@example.com' for update`)
  worker = await cluster.startWorker('smtp://127.0.0.1:9')
  await expect.poll(() => count(`pg_stat_activity where wait_event_type = 'Lock'`), patience).toBe(1)
  expect([await count('welcomed'), await count('passed_over')]).toEqual([10_000, 2])
  await worker.end('SIGKILL')
  await holder.query('rollback')
  expect([await count('welcomed'), await count('passed_over'), await isPreparing()]).toEqual([10_000, 2, true])

  await worker.start()
  await expect.poll(isPreparing, patience).toBe(false)
  await cluster.query(`update subscriber set language = 'en' where email = 'reader17000@example.com'`)
  await cluster.query('update welcome set look_at = now()')
  await expect.poll(() => count('welcome where look_at > now()'), patience).toBe(1)
  const welcomed = await cluster.query<{ email: string }>('select email from delivery')
  expect(welcomed).toEqual([{ email: 'new@example.com' }])
  expect(await count('welcomed')).toBe(PEOPLE + 1)

  await holder.query(`begin; select from welcomed w join subscriber s on s.id = w.subscriber_id
    where s.email = 'reader12000@example.com' for update of w`)
  await cluster.call('DELETE', `${path}/segments/${segmentId}?evenIfUsed=true`)
  await expect.poll(() => count(`pg_stat_activity where wait_event_type = 'Lock'`), patience).toBe(1)
  expect(await count('welcomed')).toBe(7_001)
  await worker.end('SIGKILL')
  await holder.query('rollback')
  await holder.end()
  expect([await count('welcomed'), await count('forgotten_segment')]).toEqual([7_001, 1])
  await worker.start()
  await expect.poll(() => count('forgotten_segment'), patience).toBe(0)
  expect(await count('welcomed')).toBe(0)
})
