import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster, type WorkerProcess } from '../../testing/cluster.ts'
import { words } from '../../testing/import-file.ts'
import { importLimits } from './contract.ts'

const NEWSLETTER = 'low'
const PEOPLE = 20_000
/** Who asked before the import and did not confirm, by their lines: in the first batch, in the middle, and last. */
const PENDING = [0, 9_999, 19_999]
const path = `/api/newsletters/${NEWSLETTER}/imports`
/** The time in which two busy cores are done with a step. */
const patience = { interval: 5, timeout: 120_000 }

let cluster: Cluster
let worker: WorkerProcess
let key: string
const storage = mkdtempSync(join(tmpdir(), 'tirage-import-'))

beforeAll(async () => {
  cluster = await startCluster({ settings: 'fast', env: { STORAGE_URL: pathToFileURL(storage).href } })
  await cluster.addNewsletter(NEWSLETTER, 0)
  const made = await cluster.call<{ secret: string }>('POST', `/api/newsletters/${NEWSLETTER}/api-keys`, {
    name: 'Files',
    role: 'owner',
  })
  key = made.secret
  worker = await cluster.startWorker('smtp://127.0.0.1:9')
}, 240_000)
afterAll(async () => {
  await cluster?.stop()
  rmSync(storage, { recursive: true, force: true })
})

const file = Buffer.from(
  `email,name,tags\n${Array.from({ length: PEOPLE }, (_, n) => `reader${n}@example.org,Reader ${n},"a,b"\n`).join('')}`,
)

async function upload(): Promise<string> {
  const { id } = await cluster.call<{ id: string }>('POST', path, { fileName: 'people.csv', bytes: file.length })
  for (let part = 0; part * importLimits.partBytes < file.length; part++) {
    const form = new FormData()
    form.set('file', new Blob([file.subarray(part * importLimits.partBytes, (part + 1) * importLimits.partBytes)]))
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${cluster.url}${path}/${id}/parts/${part}`, { method: 'POST', headers, body: form })
    expect(answer.status).toBe(200)
  }
  return id
}

const check = (id: string) =>
  cluster.call('POST', `${path}/${id}/check`, {
    targets: [{ to: 'email' }, { to: 'name' }, { to: 'tags' }],
    hasHeader: true,
    origin: 'own_newsletter',
    words,
    confirmed: true,
  })

interface Where {
  state: string
  done: number
  counts: Record<string, number> | null
}
async function where(id: string): Promise<Where> {
  const [row] = await cluster.query<{ state: string; done: string; counts: Where['counts'] }>(
    'select state, done, counts from import where id = $1',
    [id],
  )
  return { state: row?.state ?? '', done: Number(row?.done), counts: row?.counts ?? null }
}

async function kept() {
  const [row] = await cluster.query<Record<string, number>>(`select
    (select count(*) from subscriber)::integer as people,
    (select count(*) from subscriber where status = 'active')::integer as active,
    (select count(distinct subscriber_id) from consent where means = 'import')::integer as receipted,
    (select count(*) from consent where means = 'import')::integer as receipts, (select count(*) from subscriber_tag)::integer as tags,
    (select coalesce(sum(joined - departed), 0) from daily_count)::integer as counted`)
  return row
}

const reaches = (id: string, state: string) => expect.poll(async () => (await where(id)).state, patience).toBe(state)

async function killIn(id: string, state: string, isThere: (at: Where) => boolean): Promise<Where> {
  await expect
    .poll(async () => {
      const at = await where(id)
      return at.state === state && isThere(at)
    }, patience)
    .toBe(true)
  await worker.end('SIGKILL')
  const at = await where(id)
  expect(at.state).toBe(state)
  return at
}

test('killed in each step, an import goes on with nobody lost and nobody twice; killed while it is cancelled, it leaves nothing', {
  timeout: 600_000,
}, async () => {
  for (const n of PENDING)
    await cluster.call('POST', `/api/newsletters/${NEWSLETTER}/subscribers`, { email: `reader${n}@example.org` })
  const before = await kept()
  expect(before).toMatchObject({ people: PENDING.length, active: 0, receipts: 0, tags: 0, counted: 0 })
  const id = await upload()
  await check(id)
  await killIn(id, 'checking', () => true)
  expect(await kept()).toEqual(before)
  await worker.start()
  await reaches(id, 'checked')
  expect((await where(id)).counts).toMatchObject({
    ...{ rows: PEOPLE, added: PEOPLE - PENDING.length, confirmed: PENDING.length, refused: 0 },
  })

  await cluster.call('POST', `${path}/${id}/start`, {})
  const { done } = await killIn(id, 'importing', (at) => at.done > 0 && at.done < PEOPLE)
  const half = await kept()
  // A batch that was under way at the kill is in whole or not at all: no person without a receipt.
  expect(half?.receipts).toBe(half?.active)
  expect(half?.counted).toBe(half?.active)
  // Those who were here before come last.
  expect(half?.active).toBeGreaterThanOrEqual(done - 1 - PENDING.length)
  expect(half?.active).toBeLessThan(PEOPLE)
  // Finishing waits for this lock at its report: it takes so little time that a kill would come too late.
  const reader = new pg.Client({ connectionString: cluster.env.DATABASE_URL })
  await reader.connect()
  await reader.query('begin; lock table import_refusal in exclusive mode')
  await worker.start()
  await killIn(id, 'finishing', () => true)
  await reader.end()
  await worker.start()
  await reaches(id, 'done')
  expect((await where(id)).counts).toMatchObject({
    ...{ rows: PEOPLE, added: PEOPLE - PENDING.length, here: PENDING.length, confirmed: PENDING.length, leftOut: 0 },
  })
  expect(await kept()).toEqual({
    people: PEOPLE,
    active: PEOPLE,
    receipted: PEOPLE,
    receipts: PEOPLE,
    tags: PEOPLE * 2,
    counted: PEOPLE,
  })

  // Whoever was here before the import stays, with what it changed of them.
  const n = PENDING.length
  const confirmed = { people: n, active: n, receipted: n, receipts: n, tags: 2 * n, counted: n }
  await cluster.call('POST', `${path}/${id}/take-back`, {})
  await killIn(id, 'taking_back', (at) => at.done > 0)
  await worker.start()
  await reaches(id, 'taken_back')
  expect(await kept()).toEqual(confirmed)

  const second = await upload()
  await check(second)
  await reaches(second, 'checked')
  await cluster.call('POST', `${path}/${second}/start`, {})
  await expect
    .poll(async () => (await where(second)).done > 0 && (await where(second)).state, patience)
    .toBe('importing')
  await cluster.call('POST', `${path}/${second}/cancel`, {})
  await killIn(second, 'cancelling', () => true)
  await worker.start()
  await reaches(second, 'cancelled')
  expect(await kept()).toEqual(confirmed)
})
