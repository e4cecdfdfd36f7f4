import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../testing/cluster.ts'
import { type Sink, startSink } from '../testing/smtp-sink.ts'

const ADDRESSES = Array.from({ length: 300 }, (_, n) => `reader${n}@example.com`)
/** After so many texts the relay takes more and answers none. */
const ANSWERED = 120
const NEWSLETTER = 'low'

let cluster: Cluster
let relay: Sink
/** Texts that arrived whole, and those of them that the relay answered. */
const arrived: string[] = []
const answered: string[] = []
let answersAll = false

beforeAll(async () => {
  relay = await startSink({
    decide: (step, { to }) => {
      // The owner gets a mail too, about the new account.
      if (step !== 'WHOLE' || !ADDRESSES.includes(to)) return undefined
      arrived.push(to)
      if (!answersAll && answered.length >= ANSWERED) return { after: new Promise(() => {}) }
      answered.push(to)
      return undefined
    },
  })
  cluster = await startCluster({ settings: 'fast', env: { SUBSCRIBE_LIMIT: '1000', SUBSCRIBE_PRESSURE: '100000' } })
  await cluster.addNewsletter(NEWSLETTER, 0)
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
const queued = async () =>
  (
    await cluster.query<{ email: string }>(
      'select s.email from confirmation_mail m join subscriber s on (s.newsletter_id, s.id) = (m.newsletter_id, m.subscriber_id)',
    )
  ).map(({ email }) => email)

test('killed while it sends confirmations: none is lost, and a second one gets only who was not answered for, one a connection', {
  timeout: 60_000,
}, async () => {
  const asked = await Promise.all(ADDRESSES.map(ask))
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([303]))
  const worker = await cluster.startWorker(relay.url)
  // What was accepted leaves the queue at once, and not when its batch ends.
  await expect.poll(async () => (await queued()).length, { timeout: 20_000 }).toBe(ADDRESSES.length - ANSWERED)
  await expect.poll(() => arrived.length).toBeGreaterThan(ANSWERED)
  const connections = relay.connections()
  await worker.end('SIGKILL')
  await expect.poll(relay.connections).toBe(0)

  const before = [...arrived]
  const unanswered = before.filter((to) => !answered.includes(to))
  expect(unanswered.length).toBeLessThanOrEqual(connections)
  const waiting = await queued()
  expect(waiting.toSorted()).toEqual(ADDRESSES.filter((to) => !answered.includes(to)).toSorted())

  answersAll = true
  // The claims of the process that was killed end after a minute.
  await cluster.query("update confirmation_mail set claimed_until = now() - interval '1 second'")
  await worker.start()
  await expect.poll(queued, { timeout: 20_000 }).toEqual([])
  expect(arrived.slice(before.length).toSorted()).toEqual(waiting.toSorted())
  expect(new Set(arrived)).toEqual(new Set(ADDRESSES))
  expect(arrived.length).toBe(ADDRESSES.length + unanswered.length)
})
