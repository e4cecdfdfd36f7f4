import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/database/embedded.ts'
import type { Load, Result } from './load.ts'
import { freePort, stopProcess } from './processes.ts'

const quiet = { info: () => {}, warn: () => {} }

const root = join(import.meta.dirname, '..')

export const BENCH_SECRET = 'a secret that all processes of a bench have'

/** The built server in its own process and data folder, with one owner and one newsletter. */
export interface BenchServer {
  url: string
  port: number
  /** Of the server; its database is another process. */
  pid: number
  newsletterId: string
  cookie: string
  database: pg.Pool
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Kills the server with SIGKILL; its database goes on running. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** @param settings in place of the usual environment */
export async function startBenchServer(settings: Record<string, string> = {}): Promise<BenchServer> {
  const relay = await startRelay()
  const dataDir = mkdtempSync(join(tmpdir(), 'tirage-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log: quiet })
  const database = new pg.Pool({ connectionString: postgres.url, max: 2 }).on('error', () => {})
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    PORT: String(port),
    PUBLIC_URL: url,
    SMTP_URL: relay.url,
    // All requests come from one network here.
    SUBSCRIBE_LIMIT: '100000000',
    SUBSCRIBE_PRESSURE: '100000000',
    SECRET: BENCH_SECRET,
    ...settings,
  }
  const server = spawn(process.execPath, ['dist/server/cli.js', 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    await stopProcess(server)
    relay.stop()
    await database.end()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const cookie = await waitUntilReady(url, server)
    .then(() => signUp(url))
    .catch(async (error: unknown) => {
      await stop()
      throw error
    })
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { cookie, origin: url, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    const reply: T = JSON.parse(await answer.text())
    return reply
  }
  const newsletterId = await addNewsletter(database)
  return {
    url,
    port,
    pid: server.pid ?? 0,
    newsletterId,
    cookie,
    database,
    call,
    kill: () => stopProcess(server, 'SIGKILL'),
    stop,
  }
}

/** A newsletter whose owners are all users so far. Their addresses are confirmed, since mailing through a relay needs it. */
async function addNewsletter(database: pg.Pool): Promise<string> {
  await database.query(`update "user" set email_verified = true`)
  await database.query(`insert into newsletter (id, name, description, sender_name, language, timezone, currency, take_back_seconds)
    values ('bench', 'Low Water', 'A letter about tides, harbours and the people who live by both.', 'Low Water', 'en', 'Europe/Paris', 'eur', 0)`)
  await database.query(`insert into member (newsletter_id, user_id, role) select 'bench', id, 'owner' from "user"`)
  return 'bench'
}

/** The id of PostgreSQL's first process. */
export async function postmasterOf({ database }: BenchServer): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8'))?.[1])
}

async function signUp(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Bench', email: 'bench@example.org', password: 'correct horse battery' }),
  })
  if (!answer.ok) throw new Error(`sign up: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server did not become ready')
}

/** Starts the reference for redirects. */
export async function startBare(): Promise<{ port: number; stop(): Promise<void> }> {
  const server = spawn(process.execPath, [join(root, 'bench/bare.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve) => server.stdout.once('data', (piece) => resolve(Number(piece))))
  return { port, stop: () => stopProcess(server) }
}

/** Runs the load generator in its own process. */
export function runLoad(load: Load): Promise<Result> {
  const generator = spawn(process.execPath, [join(root, 'bench/load.ts'), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pieces: Buffer[] = []
  generator.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  return new Promise((resolve, reject) => {
    generator.on('exit', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(pieces).toString()))
      else reject(new Error(`the load generator ended with ${code}`))
    })
  })
}

/** Starts a relay that accepts everything, in its own process. */
async function startRelay(): Promise<{ url: string; stop(): void }> {
  const script = join(root, 'server', 'testing', 'logging-relay-process.ts')
  const relay = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve) => relay.stdout.once('data', (piece) => resolve(Number(piece))))
  return { url: `smtp://127.0.0.1:${port}`, stop: () => void relay.kill() }
}
