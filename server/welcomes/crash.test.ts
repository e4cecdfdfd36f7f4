import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../testing/cluster.ts'
import { type Sink, startSink } from '../testing/smtp-sink.ts'

const ADDRESSES = Array.from({ length: 400 }, (_, n) => `newcomer${n}@example.com`)
const NEWSLETTER = 'low'
const KILLS = 4

let cluster: Cluster
let relay: Sink
/** Whose text arrived whole. */
const arrived: string[] = []

beforeAll(async () => {
  relay = await startSink({
    delayMs: 3,
    decide: (step, { to }) => {
      if (step === 'WHOLE' && ADDRESSES.includes(to)) arrived.push(to)
      return undefined
    },
  })
  cluster = await startCluster({ settings: 'fast', env: { SUBSCRIBE_LIMIT: '1000', SUBSCRIBE_PRESSURE: '100000' } })
  await cluster.addNewsletter(NEWSLETTER, 0)
  // Who asks is subscribed at once, and so no confirmation stands between them and the welcome.
  await cluster.call('PATCH', `/api/newsletters/${NEWSLETTER}`, { optIn: 'single' })
}, 60_000)
afterAll(async () => {
  await cluster.stop()
  await relay.stop()
})

const ask = (email: string) =>
  fetch(`${cluster.url}/subscribe/${NEWSLETTER}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email, language: 'en', consent: 'yes', website: '' }),
  })

test('two workers that are killed while people come: everybody has one welcome, or an uncertain one, and nobody two', {
  timeout: 120_000,
}, async () => {
  const path = `/api/newsletters/${NEWSLETTER}`
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Come in.' }] }] }
  const { id } = await cluster.call<{ id: string }>('POST', `${path}/publications`, { title: 'Hello', content })
  await cluster.call('PUT', `${path}/welcomes`, { segmentId: null, publicationId: id })
  const workers = [await cluster.startWorker(relay.url), await cluster.startWorker(relay.url)]
  let connections = 0
  const part = ADDRESSES.length / KILLS
  for (let kill = 0; kill < KILLS; kill += 1) {
    const asked = ADDRESSES.slice(kill * part, (kill + 1) * part).map(ask)
    const before = arrived.length
    await expect.poll(() => arrived.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before)
    const worker = workers[kill % workers.length]
    connections += relay.connections()
    await worker?.end('SIGKILL')
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([303]))
    await worker?.start()
  }
  const unfinished = async () => {
    const [row] = await cluster.query<{ n: number }>(
      `select (select count(*) from newcomer)::integer + (select coalesce(sum(queued + deferred), 0) from delivery_count)::integer
        + $1 - (select coalesce(sum(intended), 0) from delivery_count)::integer as n`,
      [ADDRESSES.length],
    )
    return row?.n
  }
  while ((await unfinished()) !== 0) {
    await cluster.ageLostClaims()
    await sleep(200)
  }
  const rows = await cluster.query<{ email: string; state: string }>('select email, state from delivery')
  expect(rows.map(({ email }) => email).toSorted()).toEqual(ADDRESSES.toSorted())
  expect(new Set(arrived).size).toBe(arrived.length)
  const inState = (state: string) => rows.filter((row) => row.state === state).map(({ email }) => email)
  expect(inState('accepted').filter((to) => !arrived.includes(to))).toEqual([])
  expect(inState('uncertain').length).toBeLessThanOrEqual(connections)
  expect(rows.filter(({ email, state }) => !arrived.includes(email) && state !== 'uncertain')).toEqual([])
})
