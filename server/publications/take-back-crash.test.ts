import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../testing/cluster.ts'
import { type Sink, startSink } from '../testing/smtp-sink.ts'

const READER = 'reader1@example.com'

let cluster: Cluster
let relay: Sink
let arrived: number

beforeEach(async () => {
  arrived = 0
  relay = await startSink({
    decide: (step, { to }) => {
      if (step === 'WHOLE' && to === READER) arrived++
      return undefined
    },
  })
  cluster = await startCluster({ settings: 'fast' })
})
afterEach(async () => {
  await cluster.stop()
  await relay.stop()
})

test('every process is killed while it could be taken back: it leaves when one is back, and once', {
  timeout: 120_000,
}, async () => {
  await cluster.addNewsletter('low', 1)
  await cluster.call('PATCH', '/api/newsletters/low', { takeBackSeconds: 3 })
  const worker = await cluster.startWorker(relay.url)
  const other = await cluster.startWorker(relay.url)
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low tide.' }] }] }
  const path = '/api/newsletters/low/publications'
  const { id } = await cluster.call<{ id: string }>('POST', path, { title: 'Low tide', content })
  expect(await cluster.call('POST', `${path}/${id}/send`, {})).toMatchObject({ status: 'scheduled' })
  await Promise.all([worker, other, cluster.web].map((process) => process.end('SIGKILL')))
  expect(arrived).toBe(0)
  await Promise.all([worker, other].map((process) => process.start()))
  const counts = () =>
    cluster.query('select status, accepted, uncertain from publication_status natural join publication_count')
  await expect.poll(counts, { timeout: 60_000 }).toEqual([{ status: 'sent', accepted: 1, uncertain: 0 }])
  expect(arrived).toBe(1)
})
