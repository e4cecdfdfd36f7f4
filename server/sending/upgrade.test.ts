import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { migrateQueue } from '../jobs/queue.ts'
import { projectRoot } from '../root.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { createTestDatabase } from '../testing/database.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { journalFolder, recoverJournals } from './recovery.ts'

// A database that the release before sendings made (samples/last-release.sql), and what that release said of it over its
// API (samples/last-release.json).

interface Said {
  publication: { id: string; status: string }
  result: { counts: Record<string, number> }
  later: unknown
  deliveries: { rows: { email: string; state: string; subscriberId: string }[] }
  feedback: object
}

interface LastRelease {
  newsletterId: string
  names: Record<string, string>
  said: Record<string, Said>
  list: object
  byStatus: Record<string, string[]>
  running: [string, string][]
  results: string[]
  jobs: { task: string; payload: object; key: string }[]
  journal: string
}

const LAST_MIGRATION = '0012'
const samples = join(projectRoot, 'server/testing/samples')
const last: LastRelease = JSON.parse(readFileSync(join(samples, 'last-release.json'), 'utf8'))

let relay: RecordingRelay
let app: TestApp
let owner: Session
const path = `/api/newsletters/${last.newsletterId}`

beforeAll(async () => {
  const database = await createTestDatabase({ bare: true })
  await migrate(database.url, { folder: migrationsOfLastRelease() })
  const ignore = () => {}
  const pool = new pg.Pool({ connectionString: database.url })
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore))
  await pool.query(readFileSync(join(samples, 'last-release.sql'), 'utf8'))
  const applied = await migrate(database.url)
  expect(applied[0]).toBe('0013_sending.sql')
  await migrateQueue(pool)
  await pool.end()
  relay = await startRecordingRelay()
  app = await startTestApp({ env: { SMTP_URL: relay.url }, database })
  owner = await app.signIn('ines@example.org')
}, 60_000)

afterAll(async () => {
  await app?.stop()
  await relay?.stop()
})

function migrationsOfLastRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tirage-migrations-'))
  const names = readdirSync(join(projectRoot, 'migrations')).filter((name) => name <= `${LAST_MIGRATION}~`)
  for (const name of names) copyFileSync(join(projectRoot, 'migrations', name), join(folder, name))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function get<T>(address: string): Promise<T> {
  const answer = await owner.call('GET', address)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<T>()
}

/** The last release said the subscribers' own ids. */
const asShown = (said: object | undefined): object =>
  JSON.parse(JSON.stringify(said ?? {}), (name, value) =>
    name === 'subscriberId' ? app.context.shownIds.show(value) : value,
  )

test.each(Object.keys(last.names))('the API says of “%s” what the last release said', async (name) => {
  const said = last.said[name]
  const publication = `${path}/publications/${last.names[name]}`
  expect(await get(publication)).toMatchObject(said?.publication ?? {})
  expect(await get(`${publication}/result`)).toMatchObject({
    ...said?.result,
    progress: { later: said?.later ?? null },
  })
  expect(await get(`${publication}/deliveries?limit=100`)).toMatchObject(asShown(said?.deliveries))
  expect(await get(`${publication}/feedback`)).toMatchObject(asShown(said?.feedback))
})

test('the list with its totals and filters, and the dashboard, answer as the last release did', async () => {
  expect(await get(`${path}/publications?limit=100`)).toMatchObject(last.list)
  for (const [status, ids] of Object.entries(last.byStatus)) {
    const { rows } = await get<{ rows: { id: string }[] }>(`${path}/publications?limit=100&status=${status}`)
    expect([status, rows.map(({ id }) => id)]).toEqual([status, ids])
  }
  const { running, publications } = await get<Record<'running' | 'publications', { id: string; status: string }[]>>(
    `${path}/dashboard`,
  )
  expect(running.map(({ id, status }) => [id, status]).sort()).toEqual(last.running)
  expect(publications.map(({ id }) => id)).toEqual(last.results)
})

test('every publication that was mailed or scheduled has one sending; drafts and web-only publications have none', async () => {
  const rows = await app.context.db.selectFrom('sending').select(['publication_id', 'id', 'state']).execute()
  const { draft, unscheduled, backToDraft, webOnly, scheduledWeb, ...mailed } = last.names
  expect(rows.map((row) => row.publication_id).sort()).toEqual(Object.values(mailed).sort())
  expect(rows.every((row) => row.id === row.publication_id)).toBe(true)
  expect(rows.find((row) => row.id === mailed.scheduled)?.state).toBe('planned')
})

/** Sums that a trigger keeps, beside what they are the sums of. */
async function expectSumsToHold(): Promise<void> {
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::integer as wrong from delivery_count c where
      array[intended, queued, accepted, deferred, failed, suppressed, uncertain, opened]::bigint[] <> (
      select array[count(*), count(*) filter (where state = 'queued'),
        count(*) filter (where state = 'accepted'), count(*) filter (where state = 'deferred'),
        count(*) filter (where state = 'failed'), count(*) filter (where state = 'suppressed'),
        count(*) filter (where state = 'uncertain'), count(opened_at)]
      from delivery d where d.newsletter_id = c.newsletter_id and d.sending_id = c.sending_id)`.execute(app.context.db)
  expect(rows).toEqual([{ wrong: 0 }])
}

test('a half-finished sending goes on after the upgrade, with the journal of the last release, and nobody gets it twice', async () => {
  const { context } = app
  await expectSumsToHold()
  const folder = journalFolder(context.config.dataDir)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'elsewhere_1_dead_0.log'), last.journal)
  await recoverJournals(context)
  const half = `${path}/publications/${last.names.half}`
  const { accepted = 0 } = last.said.half?.result.counts ?? {}
  // The journal has one answer and one begun message; two other claims of that machine are unknown.
  expect(await get(`${half}/result`)).toMatchObject({ counts: { accepted: accepted + 1, uncertain: 3, claimed: 0 } })

  for (const name of ['paused', 'pausedEarly']) {
    const answer = await owner.call('POST', `${path}/publications/${last.names[name]}/resume`)
    expect(answer.json()).toMatchObject({ status: 'sending', stoppedBy: null })
  }
  await sql`update delivery set due_at = now() where state = 'deferred'`.execute(context.db)
  for (const { task, payload, key } of last.jobs)
    await sql`select graphile_worker.add_job(${task}, payload => ${JSON.stringify(payload)}::json, job_key => ${key})`.execute(
      context.db,
    )
  await app.work()

  const sent = ['half', 'begun', 'running', 'paused', 'pausedEarly', 'scheduled', 'scheduledWeb']
  for (const name of sent)
    expect(await get(`${path}/publications/${last.names[name]}`)).toMatchObject({ status: 'sent' })
  const { rows } = await sql<{ publication: string; email: string }>`
    select publication_id as publication, email from delivery where state = 'accepted'`.execute(context.db)
  const before = Object.values(last.said).flatMap(({ publication, deliveries }) =>
    deliveries.rows.filter(({ state }) => state === 'accepted').map(({ email }) => `${publication.id} ${email}`),
  )
  const now = relay.received.map(({ to, raw }) => `${/^Message-ID: <([^.]+)\./im.exec(raw)?.[1]} ${to}`)
  const recovered = rows
    .map(({ publication, email }) => `${publication} ${email}`)
    .filter((delivery) => !before.includes(delivery) && !now.includes(delivery))
  expect(recovered).toHaveLength(1)
  expect([...before, ...now, ...recovered].sort()).toEqual(
    rows.map(({ publication, email }) => `${publication} ${email}`).sort(),
  )
  expect(new Set(now).size).toBe(now.length)
  await expectSumsToHold()
})

test('a cancelled publication stays cancelled, and can be deleted only when nobody received it', async () => {
  const decided = await owner.call('POST', `${path}/publications/${last.names.cancelled}/deliveries/uncertain`, {
    act: 'resend',
  })
  expect(decided.json().error.code).toBe('wrong_status')
  expect((await owner.call('DELETE', `${path}/publications/${last.names.cancelled}`)).statusCode).toBe(409)
  expect((await owner.call('DELETE', `${path}/publications/${last.names.cancelledEarly}`)).statusCode).toBe(200)
})

test('what is queued under the former name of a job does not stay for ever', async () => {
  const { db } = app.context
  const waiting = () =>
    sql`select from graphile_worker.jobs where task_identifier = 'see_dkim_keys'`
      .execute(db)
      .then(({ rows }) => rows.length)
  await sql`select graphile_worker.add_job('see_dkim_keys')`.execute(db)
  expect(await waiting()).toBe(1)
  await sql.raw(readFileSync(join(projectRoot, 'migrations/0018_renamed_job.sql'), 'utf8')).execute(db)
  expect(await waiting()).toBe(0)
})

test('a request to subscribe that waited as a job of the last release waits for its mail', async () => {
  const { db } = app.context
  const reader = await db.selectFrom('subscriber').select(['newsletter_id', 'id']).executeTakeFirstOrThrow()
  const keys = [
    { newsletterId: reader.newsletter_id, subscriberId: reader.id },
    { newsletterId: reader.newsletter_id, subscriberId: reader.id },
    { newsletterId: reader.newsletter_id, subscriberId: 'gone' },
  ]
  for (const key of keys)
    await sql`select graphile_worker.add_job('ask_confirmation', ${JSON.stringify(key)}::json)`.execute(db)
  const migration = readFileSync(join(projectRoot, 'migrations/0023_single_mail.sql'), 'utf8')
  await sql.raw(/^do \$\$.*?^end \$\$;/ms.exec(migration)?.[0] ?? '').execute(db)
  const waiting = await db.selectFrom('confirmation_mail').select(['newsletter_id', 'subscriber_id as id']).execute()
  expect(waiting).toEqual([reader])
  const jobs = await sql`select from graphile_worker.jobs where task_identifier = 'ask_confirmation'`.execute(db)
  expect(jobs.rows).toEqual([])
})
