import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../root.ts'
import { runChaos } from '../testing/chaos.ts'
import { makeProgram, type Program } from '../testing/program.ts'

/** How many connections the program may open to the relay. */
const CONNECTIONS = 10
const READERS = 2_000

let folder: string
let relay: ChildProcess
let program: Program
let cookie: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tirage-relay-'))
  const script = join(projectRoot, 'server', 'testing', 'logging-relay-process.ts')
  // So slow that a busy machine still ends the program before all is sent.
  relay = spawn(process.execPath, [script, join(folder, 'received'), '25'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(relay.stdout ?? relay, 'data')
  const url = `smtp://127.0.0.1:${String(port).trim()}?connections=${CONNECTIONS}`
  program = await makeProgram({ SMTP_URL: url, LOG_LEVEL: 'silent' })
  await program.start()
  cookie = await signUp()
  await addNewsletter()
})

afterAll(async () => {
  await program.remove()
  relay.kill()
  await rm(folder, { recursive: true, force: true })
})

async function post<T>(path: string, body: unknown): Promise<{ answer: Response; data: T }> {
  const headers = { 'content-type': 'application/json', origin: `http://localhost:${new URL(program.url).port}` }
  const answer = await fetch(program.url + path, {
    method: 'POST',
    headers: { ...headers, ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return { answer, data: (await answer.json()) as T }
}

async function signUp(): Promise<string> {
  const person = { name: 'Inès', email: 'ines@example.org', password: 'correct horse battery' }
  const { answer } = await post('/api/auth/sign-up/email', person)
  return answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
}

async function addNewsletter(): Promise<void> {
  await program.query('update "user" set email_verified = true')
  await program.query(`
    with added as (
      insert into newsletter (id, name, sender_name, sender_address, postal_address, language, timezone, currency, take_back_seconds)
      values ('low', 'Low Water', 'Inès', 'ines@lowwater.test', '4 quai', 'fr', 'Europe/Paris', 'eur', 0) returning id
    ), proven as (
      insert into sender_proof (newsletter_id, address, proved_at) select id, 'ines@lowwater.test', now() from added
    )
    insert into member (newsletter_id, user_id, role) select added.id, "user".id, 'owner' from added, "user"`)
  await program.query(
    `insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, confirmed_at)
     select 'low', gen_random_uuid(), mail, mail, 'Ada', 'fr', 'active', now()
     from generate_series(1, $1::integer) n, lateral (select 'reader' || n || '@example.org') r (mail)`,
    [READERS],
  )
}

/** Creates and sends a publication. Answers its id. */
async function send(title: string): Promise<string> {
  const content = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'La mer se retire.' }] }],
  }
  const { data } = await post<{ id: string }>('/api/newsletters/low/publications', { title, content })
  await post(`/api/newsletters/low/publications/${data.id}/send`, {})
  return data.id
}

/** Whom the relay has a whole message for, in the order of arrival. */
function received(publicationId: string): string[] {
  const lines = readFileSync(join(folder, 'received'), { encoding: 'utf8', flag: 'a+' }).split('\n')
  return lines
    .filter((id) => id.startsWith(`${publicationId}.`))
    .map((id) => id.slice(publicationId.length + 1, -'@lowwater.test'.length))
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}

type Counts = Record<'intended' | 'accepted' | 'uncertain' | 'queued' | 'claimed', number>

async function whenSent(publicationId: string): Promise<Counts> {
  await until(async () => {
    const found = await program
      .query<{ status: string }>('select status from publication_status where publication_id = $1', [publicationId])
      .catch(() => [])
    return found[0]?.status === 'sent'
  })
  const [counts] = await program.query<Counts>('select * from publication_count where publication_id = $1', [
    publicationId,
  ])
  return counts as Counts
}

/** Everybody has one whole message or is uncertain, nobody has two, and who is accepted was received. */
async function expectOneEach(publicationId: string): Promise<void> {
  const rows = await program.query<{ id: string; state: string }>(
    'select subscriber_id as id, state from delivery where publication_id = $1',
    [publicationId],
  )
  const arrived = received(publicationId)
  expect(new Set(arrived).size).toBe(arrived.length)
  const inState = (state: string) => rows.filter((row) => row.state === state).map(({ id }) => id)
  expect(inState('accepted').filter((id) => !arrived.includes(id))).toEqual([])
  expect(rows.length).toBe(READERS)
  const settled = new Set([...arrived, ...inState('uncertain')])
  expect(rows.filter(({ id }) => !settled.has(id))).toEqual([])
}

test('killed while sending: nobody gets two, nobody is forgotten, at most one a connection is uncertain', {
  timeout: 120_000,
}, async () => {
  const id = await send('Tuée net')
  await until(() => received(id).length > READERS / 3)
  await program.end('SIGKILL')
  expect(received(id).length).toBeLessThan(READERS)
  await program.start()
  const counts = await whenSent(id)
  expect(counts.accepted + counts.uncertain).toBe(READERS)
  expect(counts.uncertain).toBeLessThanOrEqual(CONNECTIONS)
  await expectOneEach(id)
})

test('stopped while sending: messages under way are finished, nothing is uncertain, the rest is sent after the next start', {
  timeout: 120_000,
}, async () => {
  const id = await send('Arrêtée')
  await until(() => received(id).length > READERS / 3)
  const told = performance.now()
  expect(await program.end('SIGTERM')).toBe(0)
  expect(performance.now() - told).toBeLessThan(15_000)
  expect(received(id).length).toBeLessThan(READERS)
  await program.start()
  expect(await whenSent(id)).toMatchObject({ intended: READERS, accepted: READERS, uncertain: 0 })
  await expectOneEach(id)
})

test('a sender waits for a database that restarts', { timeout: 120_000 }, async () => {
  const id = await send('Sans base')
  await until(() => received(id).length > READERS / 3)
  process.kill(program.databaseServer(), 'SIGINT')
  expect(received(id).length).toBeLessThan(READERS)
  expect(await whenSent(id)).toMatchObject({ intended: READERS, accepted: READERS, uncertain: 0 })
  await expectOneEach(id)
  expect(await whenSent(await send('Et la suivante'))).toMatchObject({ accepted: READERS })
})

test('two workers killed, the database stopped, a relay that refuses and cuts: its record equals the deliveries (npm run chaos)', {
  timeout: 120_000,
}, async () => {
  const damage = await runChaos({
    seed: 20_261_121,
    subscribers: 2_000,
    workers: 2,
    kills: 5,
    everyMs: 300,
    databaseStops: 2,
    silences: 1,
    refusals: 3,
    messagesPerConnection: 10,
    connections: 16,
    isImpatient: true,
    patienceMs: 60_000,
  })
  expect(damage).toMatchObject({ finished: true, lost: [], repeated: [], denied: [], swapped: [], addsUp: true })
  expect(damage).toMatchObject({ unknown: 100, unmarked: [], wronglyMarked: [], markedAtPauses: 0, overcounted: [] })
  expect(damage.pauses).toEqual(['relay_refused', 'relay_refused', 'relay_refused'])
  expect(damage.uncertain.length).toBeLessThanOrEqual(damage.broken)
})
