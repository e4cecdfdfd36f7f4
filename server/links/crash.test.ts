import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../testing/cluster.ts'

const NEWSLETTER = 'low'
const LINKS = 50
const READERS = 48
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster()
  await cluster.addNewsletter(NEWSLETTER, 0)
  await cluster.query(
    `insert into short_link (newsletter_id, id, target) select $1, 'l' || i, 'https://example.org/' || i from generate_series(1, $2::integer) i`,
    [NEWSLETTER, LINKS],
  )
}, 60_000)
afterAll(() => cluster.stop())

/** Readers who follow links one after the other until `end` is called, or their server is gone. */
function follow() {
  const statuses: number[] = []
  let ended = false
  const reader = async () => {
    while (!ended) {
      const link = 1 + (statuses.length % LINKS)
      const answer = await fetch(`${cluster.url}/r/l${link}`, {
        redirect: 'manual',
        headers: { 'user-agent': AGENT },
      }).catch(() => null)
      if (!answer) return
      statuses.push(answer.status)
    }
  }
  const readers = Promise.all(Array.from({ length: READERS }, reader))
  const end = async () => {
    ended = true
    await readers
    return statuses
  }
  return { statuses, readers, end }
}

async function kept(): Promise<{ stored: number; counted: number }> {
  const [row] = await cluster.query<{ stored: number; counted: number }>(
    `select ((select count(*) from click) + (select coalesce(sum(cardinality(short_link_id)), 0) from click_waiting))::integer as stored,
      (select coalesce(sum(raw), 0)::integer from link_clicks_by_source) as counted`,
  )
  return row ?? { stored: 0, counted: 0 }
}

/** Some clicks wait until a worker counts them, or until the next that do. */
async function allCounted(): Promise<number> {
  await expect
    .poll(async () => (await cluster.query('select from click_waiting limit 1')).length, { timeout: 20_000 })
    .toBe(0)
  const { stored, counted } = await kept()
  expect(counted).toBe(stored)
  return counted
}

test('killed under load: what was answered is on disk, and everything on disk is counted once', {
  timeout: 60_000,
}, async () => {
  const first = follow()
  await expect.poll(() => first.statuses.length, { timeout: 20_000 }).toBeGreaterThan(1_000)
  await cluster.web.end('SIGKILL')
  const answered = (await first.end()).length
  expect((await kept()).stored).toBeGreaterThanOrEqual(answered)

  await cluster.web.start()
  const second = follow()
  await expect.poll(() => second.statuses.length, { timeout: 20_000 }).toBeGreaterThan(200)
  const more = (await second.end()).length
  expect(await allCounted()).toBeGreaterThanOrEqual(answered + more)
})

test('while PostgreSQL restarts, links go on leading to their targets and no click is lost', {
  timeout: 60_000,
}, async () => {
  const before = await allCounted()
  const readers = follow()
  await expect.poll(() => readers.statuses.length, { timeout: 20_000 }).toBeGreaterThan(300)
  process.kill(cluster.databaseServer(), 'SIGINT')
  const known = readers.statuses.length
  await cluster.query('select 1')
  await expect.poll(() => readers.statuses.length, { timeout: 20_000 }).toBeGreaterThan(known + 500)
  const statuses = await readers.end()
  expect(new Set(statuses)).toEqual(new Set([302]))
  await expect
    .poll(async () => (await kept()).stored - before, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(statuses.length)
  expect((await allCounted()) - before).toBeGreaterThanOrEqual(statuses.length)
})
