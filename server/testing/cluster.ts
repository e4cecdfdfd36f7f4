import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { ServerSettings } from '../database/cluster.ts'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { projectRoot } from '../root.ts'
import { copyMadeDataFolder } from './made-data-folder.ts'
import { programEnvironment, programFlags } from './program-environment.ts'

/** The built program as several processes on one PostgreSQL: one serves requests, the others send. */
export interface Cluster {
  url: string
  /** What finds its database, for the command line. */
  env: Record<'DATABASE_URL' | 'SECRET', string>
  /** Asks again while the database is away. */
  query<Row extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<Row[]>
  /**
   * Half a second passes for the claims of workers that were killed, and their leases are over. Each worker looks for its own journals
   * every ten seconds, and gives up what is in no journal a minute later: many steps have to lie between.
   */
  ageLostClaims(): Promise<unknown>
  /** The process id of the database server; a server that ends is started again within two seconds. */
  databaseServer(): number
  /** As the owner of every newsletter. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** A newsletter with so many active subscribers: `reader1@example.com`, … What it sends leaves at once. */
  addNewsletter(id: string, subscribers: number): Promise<void>
  /** The process that serves requests. */
  web: WorkerProcess
  /** A sending process with a folder of its own. */
  startWorker(smtpUrl: string, nodeArgs?: string[]): Promise<WorkerProcess>
  stop(): Promise<void>
}

/** One process, which may be ended and started again. */
export interface WorkerProcess {
  pid(): number
  start(): Promise<void>
  /** Resolves when the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>
  output(): string
}

const quiet = { info: () => {}, warn: () => {} }
const SECRET = 'a secret of forty characters, for a cluster'

export async function startCluster({
  settings = 'ours',
  env = {},
}: {
  settings?: ServerSettings
  env?: Record<string, string>
} = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tirage-cluster-'))
  const dataDir = join(folder, 'database')
  copyMadeDataFolder(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings })
  const pool = new pg.Pool({ connectionString: postgres.url, max: 3 })
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const shared = { DATABASE_URL: postgres.url, SECRET, PUBLIC_URL: url, LOG_LEVEL: 'silent', ...env }
  const workers: WorkerProcess[] = []
  const startWorker = async (variables: Record<string, string>, nodeArgs: string[] = []) => {
    const worker = makeWorker({ ...shared, ...variables, DATA_DIR: join(folder, `${workers.length}`) }, nodeArgs)
    workers.push(worker)
    await worker.start()
    return worker
  }
  const stop = async () => {
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')))
    await pool.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const query: Cluster['query'] = (statement, values = []) => patiently(pool, statement, values)
  try {
    // It takes requests and sends nothing.
    const web = await startWorker({ ROLE: 'web', PORT: String(port), SMTP_URL: 'smtp://127.0.0.1:9' })
    const call = callsTo(url, await signUp(url))
    await query('update "user" set email_verified = true')
    return {
      url,
      env: { DATABASE_URL: postgres.url, SECRET },
      query,
      call,
      web,
      stop,
      addNewsletter: (id, subscribers) => addNewsletter(query, id, subscribers),
      databaseServer: () => Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10),
      ageLostClaims: () =>
        query(
          `update delivery_claim set lease_ends_at = least(now(), lease_ends_at) - interval '500 milliseconds'
            where split_part(worker, ':', 2)::integer <> all($1::integer[])`,
          [workers.map((worker) => worker.pid())],
        ),
      startWorker: (smtpUrl, nodeArgs) => startWorker({ ROLE: 'worker', SMTP_URL: smtpUrl }, nodeArgs),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function makeWorker(settings: Record<string, string>, nodeArgs: string[]): WorkerProcess {
  let child: ChildProcess | null = null
  let output = ''
  return {
    pid: () => child?.pid ?? 0,
    output: () => output,
    async start() {
      const args = [...programFlags, ...nodeArgs, join(projectRoot, 'dist', 'server', 'cli.js'), 'start']
      child = spawn(process.execPath, args, {
        env: { ...programEnvironment(), ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      output = ''
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece))
      await ready(child, () => output)
    },
    async end(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'close')
      child.kill(signal)
      await gone
    },
  }
}

/** Until it says so, or is gone. @throws what it said when it ended by itself */
async function ready(child: ChildProcess, output: () => string): Promise<void> {
  const ended = () => child.exitCode !== null || child.signalCode !== null
  while (!/Tirage is (ready|working)/.test(output()) && !ended()) {
    await Promise.race([once(child, 'exit'), once(child.stdout ?? child, 'data')])
  }
  if (child.exitCode !== null) throw new Error(output())
}

/** Asks again while the database is away or on its way back. */
async function patiently<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: string,
  values: unknown[],
): Promise<Row[]> {
  for (let tries = 0; ; tries++) {
    try {
      return (await pool.query<Row>(statement, values)).rows
    } catch (error) {
      if (isAnswer(error) || tries > 300) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Class 57 is a server that stops or starts (PostgreSQL, appendix A); without a code the connection is gone. */
function isAnswer(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57') && !code.startsWith('08')
}

async function signUp(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Inès', email: 'owner@example.org', password: 'correct horse battery' }),
  })
  if (!answer.ok) throw new Error(`sign up: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
}

function callsTo(url: string, cookie: string): Cluster['call'] {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { cookie, origin: url, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await fetch(url + path, init)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
}

async function addNewsletter(query: Cluster['query'], id: string, subscribers: number): Promise<void> {
  await query(
    `with added as (
      insert into newsletter (id, name, sender_name, sender_address, postal_address, language, timezone, currency, take_back_seconds)
      values ($1, 'Low Water', 'Inès', $1 || '@lowwater.test', '4 quai de la Criée', 'en', 'Europe/Paris', 'eur', 0) returning id, sender_address
    ), proven as (
      insert into sender_proof (newsletter_id, address, proved_at) select id, sender_address, now() from added
    )
    insert into member (newsletter_id, user_id, role) select added.id, "user".id, 'owner' from added, "user"`,
    [id],
  )
  await query(
    `insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, confirmed_at)
     select $1, uuidv7(), mail, mail, 'Ada ' || n, 'en', 'active', now()
     from generate_series(1, $2::integer) n, lateral (select 'reader' || n || '@example.com') r (mail)`,
    [id, subscribers],
  )
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
