import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { importLimits } from '../server/subscribers/import/contract.ts'
import { type Claim, type Measure, thousands } from './claim.ts'
import { cpuSeconds, databaseCpuSeconds } from './processes.ts'
import { type BenchServer, postmasterOf, startBenchServer } from './server.ts'

/** `BENCH_IMPORT_ROWS=100000` is a quicker run; what is promised is promised of a million. */
const ROWS = Number(process.env.BENCH_IMPORT_ROWS ?? 1_000_000)
const MOST_TIMES = 3
const MOST_MEGABYTES = 300
/** More than this in the second half of the work than in the first is growth. */
const FLAT_MEGABYTES = 20
/** How long a person who subscribes meanwhile waits, at the 99th percentile. */
const WAIT_MS = 1_000

/**
 * A file of a million people, from its first byte to the last of them merged with a receipt, beside a bare `copy` of the same subscribers
 * into a table with the columns and indexes of `subscriber`, without its triggers and foreign key. The copy writes no receipts, no
 * tags, no counts, and reads no CSV of anybody's.
 */
export const imported: Claim = {
  name: 'import',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'tirage-bench-import-'))
    const server = await startBenchServer()
    try {
      const file = join(folder, 'people.csv')
      await pipeline(Readable.from(people()), createWriteStream(file))
      return await compare(server, file, join(folder, 'rows'))
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function compare(server: BenchServer, file: string, rowsFile: string): Promise<Measure[]> {
  const { database, newsletterId } = server
  await database.query('checkpoint')
  const watch = watching(server)
  const phases: Record<string, number> = {}
  const begun = performance.now()
  const postgres = await postmasterOf(server)
  const cpu = { server: -cpuSeconds(server.pid), postgres: -databaseCpuSeconds(postgres) }
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    phases[name] = (performance.now() - from) / 1_000
  }
  let id = ''
  await timed('upload', async () => (id = await upload(server, file)))
  const path = `/api/newsletters/${newsletterId}/imports/${id}`
  await timed('dry run', async () => {
    const { sheet } = await server.call<Shown>('GET', path)
    const targets = sheet.columns.map(({ target }) => target)
    const words = 'They subscribed by the form on the page of the newsletter.'
    await server.call('POST', `${path}/check`, {
      ...{ targets, words, hasHeader: sheet.hasHeader, origin: 'own_newsletter', confirmed: true },
    })
    await untilState(server, path, 'checked')
  })
  await timed('adding', async () => {
    await server.call('POST', `${path}/start`)
    await untilState(server, path, 'finishing', 'done')
  })
  await timed('finishing', () => untilState(server, path, 'done'))
  const ours = (performance.now() - begun) / 1_000
  const seen = watch.stop()
  cpu.server += cpuSeconds(server.pid)
  cpu.postgres += databaseCpuSeconds(postgres)
  const added = await database.query<{ people: number; receipts: number; tags: number }>(
    `select (select count(*) from subscriber s where s.newsletter_id = $1 and s.source = 'import')::integer as people,
      (select count(*) from consent c where c.newsletter_id = $1 and c.means = 'import')::integer as receipts,
      (select count(*) from subscriber_tag t where t.newsletter_id = $1)::integer as tags`,
    [newsletterId],
  )
  const [kept] = added.rows
  const cpuBefore = databaseCpuSeconds(postgres)
  const bare = await copied(server, rowsFile)
  const cpuOfCopy = databaseCpuSeconds(postgres) - cpuBefore
  const parts = Object.entries(phases).map(([name, took]) => `${name} ${took.toFixed(1)}`)
  const name = `import of ${thousands(ROWS)} rows`
  return [
    {
      claim: `${name}, ${Math.round(statSync(file).size / 1_000_000)} MB, upload to last row merged, receipts written`,
      promised: `≤ ${MOST_TIMES} × copy into subscriber’s columns and indexes`,
      measured: `${(ours / bare).toFixed(2)} × (${ours.toFixed(1)} s beside ${bare.toFixed(1)} s; ${parts.join(', ')})`,
      kept: ours <= bare * MOST_TIMES,
    },
    {
      claim: 'CPU of the server and of PostgreSQL for it, receipts chained meanwhile included',
      promised: '(shown only)',
      measured: `${cpu.server.toFixed(1)} s and ${cpu.postgres.toFixed(1)} s, beside PostgreSQL’s ${cpuOfCopy.toFixed(1)} s for the copy`,
      kept: true,
    },
    {
      claim: 'subscribers added, receipts written',
      promised: `${thousands(ROWS)} each`,
      measured: `${thousands(kept?.people ?? 0)}, ${thousands(kept?.receipts ?? 0)}; tags given ${thousands(kept?.tags ?? 0)} times`,
      kept: kept?.people === ROWS && kept.receipts === ROWS,
    },
    {
      claim: 'memory of the server meanwhile',
      promised: `≤ ${MOST_MEGABYTES} MB, flat to ${FLAT_MEGABYTES} MB`,
      measured: `${seen.most.toFixed(0)} MB at most, ${signed(seen.growth)} MB from the first half to the second`,
      kept: seen.most <= MOST_MEGABYTES && seen.growth <= FLAT_MEGABYTES,
    },
    {
      claim: 'people who subscribe meanwhile wait',
      promised: `≤ ${WAIT_MS} ms at the 99th percentile`,
      measured: `${seen.p50.toFixed(0)} ms at the median, p99 ${seen.p99.toFixed(0)} ms, longest ${seen.longest.toFixed(0)} ms, of ${thousands(seen.asked)}`,
      kept: seen.p99 <= WAIT_MS && seen.refused === 0,
    },
  ]
}

const signed = (megabytes: number) => `${megabytes < 0 ? '−' : '+'}${Math.abs(megabytes).toFixed(0)}`

interface Shown {
  id: string
  state: string
  refusal: unknown
  sheet: { hasHeader: boolean; columns: { target: unknown }[] }
}

async function upload({ url, cookie, call, newsletterId }: BenchServer, file: string): Promise<string> {
  const path = `/api/newsletters/${newsletterId}/imports`
  const bytes = statSync(file).size
  const { id } = await call<Shown>('POST', path, { fileName: 'people.csv', bytes })
  await using handle = await open(file)
  for (let part = 0; part * importLimits.partBytes < bytes; part++) {
    const at = part * importLimits.partBytes
    const data = Buffer.alloc(Math.min(importLimits.partBytes, bytes - at))
    await handle.read(data, 0, data.length, at)
    const body = new FormData()
    body.set('file', new Blob([data]), 'people.csv')
    const headers = { cookie, origin: url }
    const answer = await fetch(`${url}${path}/${id}/parts/${part}`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`part ${part}: ${answer.status} ${await answer.text()}`)
  }
  return id
}

async function untilState({ call }: BenchServer, path: string, ...states: string[]): Promise<void> {
  for (;;) {
    const { state, refusal } = await call<Shown>('GET', path)
    if (states.includes(state)) return
    if (refusal) throw new Error(`the import was refused: ${JSON.stringify(refusal)}`)
    await delay(250)
  }
}

/** Seconds for a bare `copy` of the imported subscribers, from a file of PostgreSQL's own, in the order in which they were added. */
async function copied({ database, newsletterId }: BenchServer, rowsFile: string): Promise<number> {
  const { rows } = await database.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
      where attrelid = 'subscriber'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const names = rows[0]?.names ?? ''
  const client = await database.connect()
  try {
    const out = `copy (select ${names} from subscriber where newsletter_id = '${newsletterId}' and source = 'import' order by id) to stdout`
    await pipeline(client.query(copyTo(out)), createWriteStream(rowsFile))
    await client.query('create table bare_subscriber (like subscriber including all)')
    await client.query('checkpoint')
    const begun = performance.now()
    const from = client.query(copyFrom(`copy bare_subscriber (${names}) from stdin`))
    await using handle = await open(rowsFile)
    await pipeline(handle.createReadStream({ autoClose: false, highWaterMark: 262_144 }), from)
    return (performance.now() - begun) / 1_000
  } finally {
    client.release()
  }
}

/** Samples the memory of the server, and subscribes somebody four times a second. */
function watching({ pid, url, newsletterId }: BenchServer) {
  const memory: number[] = []
  const waits: number[] = []
  let refused = 0
  const sampling = setInterval(() => memory.push(residentMegabytes(pid)), 100)
  const ask = async (n: number) => {
    const begun = performance.now()
    const body = new URLSearchParams({ email: `asks-${n}@example.com`, language: 'en', consent: 'yes', website: '' })
    const answer = await fetch(`${url}/subscribe/${newsletterId}`, { method: 'POST', body, redirect: 'manual' }).catch(
      () => null,
    )
    await answer?.arrayBuffer()
    waits.push(performance.now() - begun)
    if (answer?.status !== 303) refused += 1
  }
  let asked = 0
  const asking = setInterval(() => void ask(asked++), 250)
  return {
    stop() {
      clearInterval(sampling)
      clearInterval(asking)
      const half = Math.ceil(memory.length / 2)
      const sorted = waits.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0
      return {
        most: Math.max(...memory),
        growth: Math.max(...memory.slice(half)) - Math.max(...memory.slice(0, half)),
        asked: waits.length,
        refused,
        p50: at(0.5),
        p99: at(0.99),
        longest: at(1),
      }
    },
  }
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const firstNames = ['Ada', 'Yann', 'Zoé', 'Malo', 'Nour', 'Loïc', 'Anna', 'Per', 'Tom', 'Eva', 'Inès', 'Siobhán']
const lastNames = ['Le Bris', 'Kerbrat', 'Guillou', 'Morvan', 'Le Goff', 'O’Brien', 'Lindqvist', 'Okafor', 'Tanaka']
const providers = ['orange', 'free', 'proton', 'mer', 'port', 'harbour', 'tide', 'quay']
const cities = ['Brest', 'Cork', 'Lorient', 'Bergen', 'Saint-Malo']
const DAY_MS = 86_400_000

/**
 * The file in pieces: the columns of an ordinary export, sorted by the day on which people came. One in ten has no day and counts as of
 * today, one in three has a tag, one in two a city; the same in every run.
 */
function* people(): Generator<string> {
  const end = Date.parse('2026-11-01T12:00:00Z')
  let state = 1
  const next = (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  const of = (list: string[]) => list[next(list.length)] ?? ''
  yield 'Email,First name,Last name,Created at,Language,Tags,City\n'
  let piece = ''
  for (let n = 0; n < ROWS; n++) {
    const [first, last] = [of(firstNames), of(lastNames)]
    const local = `${first}.${last}`.normalize('NFD').replaceAll(/[^A-Za-z.]/g, '')
    const email = `${next(4) === 0 ? local : local.toLowerCase()}.${n.toString(36)}@${of(providers)}.example`
    const day =
      next(10) === 0
        ? ''
        : new Date(end - Math.round(((ROWS - n) / ROWS) * 1_400) * DAY_MS - next(DAY_MS)).toISOString()
    const tags = next(3) === 0 ? (next(2) === 0 ? 'reader' : '"reader, sailor"') : ''
    piece += `${email},${first},${last},${day},${next(5) === 0 ? 'en' : 'fr'},${tags},${next(2) === 0 ? of(cities) : ''}\n`
    if (piece.length < 100_000) continue
    yield piece
    piece = ''
  }
  yield piece
}
