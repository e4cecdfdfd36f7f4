import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/database/embedded.ts'
import type { Load, Result } from './load.ts'

const quiet = { info: () => {}, warn: () => {} }

const root = join(import.meta.dirname, '..')

/** The real server, built, in a process of its own on a folder of its own, with one owner and one newsletter. */
export interface BenchServer {
  url: string
  port: number
  newsletterId: string
  cookie: string
  database: pg.Pool
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Ends the server as a power cut would; its database lives on. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startBenchServer(): Promise<BenchServer> {
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
    // All load comes from one network here.
    SUBSCRIBE_LIMIT: '100000000',
  }
  const server = spawn(process.execPath, ['dist/server/cli.js', 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    await ended(server, 'SIGTERM')
    relay.stop()
    await database.end()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const cookie = await ready(url, server)
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
    return (await answer.json()) as T
  }
  const newsletterId = await addNewsletter(database)
  return {
    url,
    port,
    newsletterId,
    cookie,
    database,
    call,
    kill: () => ended(server, 'SIGKILL'),
    stop,
  }
}

/** A newsletter of everybody who has signed up so far, with the proven address that mailing through a relay asks for. */
async function addNewsletter(database: pg.Pool): Promise<string> {
  await database.query(`update "user" set email_verified = true`)
  await database.query(`insert into newsletter (id, name, description, sender_name, language, timezone, currency)
    values ('bench', 'Low Water', 'A letter about tides, harbours and the people who live by both.', 'Low Water', 'en', 'Europe/Paris', 'eur')`)
  await database.query(`insert into member (newsletter_id, user_id, role) select 'bench', id, 'owner' from "user"`)
  return 'bench'
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

async function ready(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server did not become ready')
}

/** The bare redirect server of the reference. */
export async function startBare(): Promise<{ port: number; stop(): Promise<void> }> {
  const server = spawn(process.execPath, [join(root, 'bench/bare.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve) => server.stdout.once('data', (piece) => resolve(Number(piece))))
  return { port, stop: () => ended(server, 'SIGTERM') }
}

/** Runs the load generator in a process of its own. */
export function apply(load: Load): Promise<Result> {
  const generator = spawn(process.execPath, [join(root, 'bench/load.ts'), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pieces: Buffer[] = []
  generator.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  return new Promise((resolve, reject) => {
    generator.on('exit', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(pieces).toString()) as Result)
      else reject(new Error(`the load generator ended with ${code}`))
    })
  })
}

/** A relay that takes everything, in a process of its own. */
async function startRelay(): Promise<{ url: string; stop(): void }> {
  const script = join(root, 'server', 'testing', 'relay-process.ts')
  const relay = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve) => relay.stdout.once('data', (piece) => resolve(Number(piece))))
  return { url: `smtp://127.0.0.1:${port}`, stop: () => void relay.kill() }
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
