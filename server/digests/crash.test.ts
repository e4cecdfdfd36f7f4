import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../testing/cluster.ts'
import { type Sink, startSink } from '../testing/smtp-sink.ts'

const READERS = 2_000
const NEWSLETTER = 'low'
/** Is greeted by a mail. */
const OWNER = 'owner@example.org'

let cluster: Cluster
let relay: Sink
/** Whose text arrived whole. */
const arrived: string[] = []

beforeAll(async () => {
  relay = await startSink({
    delayMs: 40,
    decide: (step, { to }) => {
      if (step === 'WHOLE' && to !== OWNER) arrived.push(to)
      return undefined
    },
  })
  cluster = await startCluster({ settings: 'fast' })
  await cluster.addNewsletter(NEWSLETTER, READERS)
}, 60_000)
afterAll(async () => {
  await cluster.stop()
  await relay.stop()
})

test('workers that are killed while digests are made and sent: everybody has one digest, or an uncertain one, and nobody two', {
  timeout: 120_000,
}, async () => {
  const path = `/api/newsletters/${NEWSLETTER}`
  await cluster.query("update subscriber set pace = case when random() < 0.5 then 'weekly' else 'monthly' end")
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'It ebbs.' }] }] }
  const { id } = await cluster.call<{ id: string }>('POST', `${path}/publications`, { title: 'Ebb', content })
  const workers = [await cluster.startWorker(relay.url), await cluster.startWorker(relay.url)]
  await cluster.call('POST', `${path}/publications/${id}/send`, {})
  const waiting = async () => {
    const [row] = await cluster.query<{ n: number }>(
      'select count(*)::integer as n from digest_item where digested_at is null',
    )
    return row?.n
  }
  await expect.poll(waiting, { timeout: 30_000 }).toBe(READERS)
  expect(arrived).toEqual([])
  // They have waited since before the last moment of both kinds.
  await cluster.query("update digest_item set at = now() - interval '40 days'")
  let connections = 0
  const compose = "select graphile_worker.add_job('compose_digests', '{}'::json)"
  for (let kill = 0; kill < 4; kill += 1) {
    await cluster.query(compose)
    // The first is killed while it may be making them, the others while they send.
    const part = (READERS / 8) * kill
    await expect.poll(() => arrived.length, { timeout: 30_000, interval: 5 }).toBeGreaterThanOrEqual(part)
    const worker = workers[kill % workers.length]
    connections += relay.connections()
    await worker?.end('SIGKILL')
    await worker?.start()
  }
  await cluster.query(compose)
  const unfinished = async () => {
    const [row] = await cluster.query<{ n: number }>(
      `select (select coalesce(sum(queued + deferred), 0) from delivery_count)::integer
        + (select count(*) from digest_item where digested_at is null)::integer as n`,
    )
    return row?.n
  }
  while ((await unfinished()) !== 0) {
    await cluster.ageLostClaims()
    await sleep(200)
  }
  const rows = await cluster.query<{ email: string; state: string; pace: string; digest: string }>(
    `select d.email, d.state, s.pace, p.digest from delivery d join subscriber s on s.id = d.subscriber_id
      join publication p on p.id = d.publication_id`,
  )
  expect(rows.length).toBe(READERS)
  expect(new Set(rows.map(({ email }) => email)).size).toBe(READERS)
  expect(rows.filter(({ pace, digest }) => pace !== digest)).toEqual([])
  expect(new Set(arrived).size).toBe(arrived.length)
  const inState = (state: string) => rows.filter((row) => row.state === state).map(({ email }) => email)
  expect(inState('accepted').filter((to) => !arrived.includes(to))).toEqual([])
  expect(inState('uncertain').length).toBeLessThanOrEqual(connections)
  expect(rows.filter(({ email, state }) => !arrived.includes(email) && state !== 'uncertain')).toEqual([])
})
