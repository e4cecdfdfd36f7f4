import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from '../../doctor.ts'
import { type Cluster, startCluster } from '../../testing/cluster.ts'
import { translator } from '../../translator.ts'

const NEWSLETTER = 'low'
const RECEIPTS = 8_000
const BATCH = 500
/** No mail is sent. */
const NO_RELAY = 'smtp://127.0.0.1:9'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ settings: 'fast' })
  await cluster.addNewsletter(NEWSLETTER, RECEIPTS)
}, 60_000)
afterAll(() => cluster.stop())

const count = async (table: 'receipt_chain' | 'unchained_receipt') => {
  const [row] = await cluster.query<{ n: number }>(`select count(*)::integer as n from ${table}`)
  return row?.n ?? 0
}

async function receiptFindings() {
  const findings = await examine({ ...cluster.env, DATA_DIR: '/nowhere' }, translator('en'))
  return findings.filter(({ about }) => about === 'receipts').map(({ state, finding }) => `${state}: ${finding}`)
}

test('killed while it chains receipts: whole batches are there, and two processes at once chain the rest, each once', {
  timeout: 60_000,
}, async () => {
  await cluster.query(
    `insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means)
      select newsletter_id, uuidv7(), id, 'asked', 'Yes, write to me.', 'own', 'en', 'by-hand' from subscriber where newsletter_id = $1`,
    [NEWSLETTER],
  )
  const worker = await cluster.startWorker(NO_RELAY)
  await expect.poll(() => count('receipt_chain'), { interval: 5, timeout: 20_000 }).toBeGreaterThan(0)
  await worker.end('SIGKILL')

  const chained = await count('receipt_chain')
  expect(chained).toBeLessThan(RECEIPTS)
  expect(chained % BATCH).toBe(0)
  expect(await count('unchained_receipt')).toBe(RECEIPTS - chained)
  expect(await receiptFindings()).toEqual([expect.stringMatching(/^good: /)])

  await Promise.all([worker.start(), cluster.startWorker(NO_RELAY)])
  await expect.poll(() => count('unchained_receipt'), { timeout: 30_000 }).toBe(0)
  expect(await count('receipt_chain')).toBe(RECEIPTS)
  expect(await receiptFindings()).toEqual([expect.stringMatching(/^good: .*8,?000/)])
})
