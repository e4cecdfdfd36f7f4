import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../testing/cluster.ts'
import { type Sink, startSink } from '../testing/smtp-sink.ts'

const READER = 'reader1@example.com'

let cluster: Cluster
let relay: Sink
/** The subscriber’s texts that arrived whole. */
let arrived: string[]
let answers = false
let onArrival = Promise.withResolvers<void>()

beforeEach(async () => {
  arrived = []
  answers = false
  onArrival = Promise.withResolvers()
  relay = await startSink({
    decide: (step, { to }) => {
      // The owner gets a mail too, about the new account.
      if (step !== 'WHOLE' || to !== READER) return undefined
      arrived.push(to)
      onArrival.resolve()
      return answers ? undefined : { after: new Promise(() => {}) }
    },
  })
  cluster = await startCluster({ settings: 'fast' })
})
afterEach(async () => {
  await cluster.stop()
  await relay.stop()
})

test('a relay takes a text and never answers, and the process is killed: one copy, uncertain, never sent again', {
  timeout: 60_000,
}, async () => {
  await cluster.addNewsletter('low', 1)
  const worker = await cluster.startWorker(relay.url)
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low tide.' }] }] }
  const path = '/api/newsletters/low/publications'
  const { id } = await cluster.call<{ id: string }>('POST', path, { title: 'Low tide', content })
  await cluster.call('POST', `${path}/${id}/send`, {})
  await onArrival.promise
  await worker.end('SIGKILL')
  answers = true
  await worker.start()
  const counts = () =>
    cluster.query('select status, accepted, uncertain from publication_status natural join publication_count')
  await expect.poll(counts, { timeout: 30_000 }).toEqual([{ status: 'sent', accepted: 0, uncertain: 1 }])
  expect(arrived).toEqual([READER])
})
