import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { projectRoot } from './root.ts'
import { copyMadeDataFolder } from './testing/made-data-folder.ts'
import { programEnvironment, programFlags } from './testing/program-environment.ts'

/** The built program as a process of its own, as `npm start` runs it. */
const program = join(projectRoot, 'dist', 'server', 'cli.js')

interface Program {
  child: ChildProcess
  output(): string
  /** What it wrote to standard error: why it does not start. */
  refusal(): string
  ended: Promise<number | string | null>
}

// A first start makes a database on disk, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let folder: string
let port: number
const running = new Set<Program>()

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tirage-start-'))
  port = await freePort()
})

afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGTERM')
    await ended
  }
  running.clear()
  endOrphan()
  rmSync(folder, { recursive: true, force: true })
})

function run(env: Record<string, string> = {}, command = ['start']): Program {
  const settings = { ...programEnvironment(), DATA_DIR: join(folder, 'data'), PORT: String(port), ...env }
  const args = [...programFlags, program, ...command]
  const child = spawn(process.execPath, args, { env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let refusal = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (refusal += chunk))
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  const started = { child, output: () => output, refusal: () => refusal.trim(), ended }
  running.add(started)
  return started
}

/** A start that is not the first one in its folder. */
function runAgain(): Program {
  copyMadeDataFolder(join(folder, 'data'))
  return run()
}

async function ready(started: Program): Promise<Program> {
  await said(started, `Tirage is ready: http://localhost:${port}`)
  return started
}

/** Resolves when the program has printed `words`. Rejects when the program ends before. */
async function said({ child, output, ended }: Program, words: string): Promise<void> {
  const printed = async () => {
    const heard = new AbortController()
    const more = [child.stdout, child.stderr].map((stream) => once(stream ?? child, 'data', heard))
    await Promise.race([...more, ended]).finally(() => heard.abort())
  }
  while (!output().includes(words) && child.exitCode === null) await printed()
  expect(output()).toContain(words)
}

const url = (path: string) => `http://127.0.0.1:${port}${path}`
const postmaster = () => readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')

function endOrphan(): void {
  try {
    process.kill(Number(postmaster()[0]), 'SIGQUIT')
  } catch {
    // No file or process is left.
  }
}

async function query(statement: string): Promise<unknown[]> {
  const password = readFileSync(join(folder, 'data', 'postgres.password'), 'utf8').trim()
  const client = new pg.Client({
    connectionString: `postgres://tirage:${password}@127.0.0.1:${postmaster()[3]}/tirage`,
  })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

function freePort(): Promise<number> {
  return listen(0).then(
    (server) =>
      new Promise((resolve) => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      }),
  )
}

async function listen(on: number): Promise<Server> {
  const server = createServer().listen(on, '127.0.0.1')
  await once(server, 'listening')
  return server
}

describe('a failed start says in one sentence why, and has exit code 1', () => {
  async function refusal(env: Record<string, string>): Promise<string> {
    const started = run(env)
    expect(await started.ended).toBe(1)
    expect(started.refusal().split('\n')).toHaveLength(1)
    return started.refusal()
  }

  test('a taken port; the database is not even made', async () => {
    const other = await listen(port)
    const sentence = await refusal({})
    other.close()
    expect(sentence).toBe(`Port ${port} is taken by another program: stop that one, or set PORT to another port.`)
    expect(() => postmaster()).toThrow('ENOENT')
  })

  test('a taken port is said before anything is installed or built', async () => {
    const project = join(folder, 'project')
    cpSync(join(projectRoot, 'scripts'), join(project, 'scripts'), { recursive: true })
    const other = await listen(port)
    const env = { PATH: process.env.PATH, LANG: 'en_GB.UTF-8', PORT: String(port) }
    const child = spawn(process.execPath, [join(project, 'scripts', 'start.mjs')], { env })
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    const [printed, refusal, [code]] = await said
    other.close()
    expect([printed, code]).toEqual(['', 1])
    expect(refusal).toBe(
      `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=8080 npm start\n`,
    )
  })

  test('a folder that cannot be written to', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    expect(await refusal({ DATA_DIR: join(file, 'data') })).toMatch(
      /^The data folder .*a-file\/data cannot be written to/,
    )
  })

  test('half a configuration', async () => {
    expect(await refusal({ GITHUB_CLIENT_ID: 'x' })).toBe(
      'GITHUB_CLIENT_ID is set but GITHUB_CLIENT_SECRET is not: set both or none.',
    )
  })

  test('a database that does not answer', async () => {
    const nobody = `postgres://u:secret@127.0.0.1:${await freePort()}/tirage`
    const sentence = await refusal({ DATABASE_URL: nobody })
    expect(sentence).toMatch(
      /^PostgreSQL at 127\.0\.0\.1:\d+\/tirage cannot be used \(.*ECONNREFUSED.*\): check DATABASE_URL\.$/,
    )
    expect(sentence).not.toContain('secret')
  })

  test('another Tirage on the same folder, which goes on', async () => {
    const first = await ready(runAgain())
    const sentence = await refusal({ PORT: String(await freePort()) })
    expect(sentence).toContain(`Another Tirage (process ${first.child.pid}) is using the data folder`)
    expect((await fetch(url('/readyz'))).status).toBe(200)
  })
})

test('whoever waits reads what a first start does, and the next one does not migrate', async () => {
  const first = await ready(run())
  const migrations = readdirSync(join(projectRoot, 'migrations')).filter((name) => name.endsWith('.sql')).length
  const before = ({ output }: Program) => output().split('Tirage is ready')[0]?.trimEnd().split('\n')
  const starting = [
    '  Loading the program…',
    `  Starting its database, PostgreSQL, with its data in ${join(folder, 'data')}…`,
  ]
  const updating = `  Bringing the database up to date: ${migrations} steps…`
  expect(before(first)).toEqual([...starting, updating, '  Starting the server…'])
  first.child.kill('SIGTERM')
  await first.ended
  expect(before(await ready(run()))).toEqual([...starting, '  Starting the server…'])
})

test('ready means that the database answers, durably', async () => {
  await ready(run())
  expect((await fetch(url('/readyz'))).status).toBe(200)
  expect(
    await query('select current_setting($$fsync$$) as fsync, current_setting($$synchronous_commit$$) as commits'),
  ).toEqual([{ fsync: 'on', commits: 'on' }])
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops everything and leaves nothing behind', async (signal) => {
  const started = await ready(runAgain())
  started.child.kill(signal)
  started.child.kill(signal)
  expect(await started.ended).toBe(0)
  expect(started.output()).toMatch(/Stopping…\nStopped\.\n$/)
  expect(started.output()).not.toContain('Warning')
  expect(() => postmaster()).toThrow('ENOENT')
})

test('a stop does not wait for a client that stays connected', async () => {
  const started = await ready(runAgain())
  const answer = await fetch(url('/healthz'), { headers: { connection: 'keep-alive' } })
  await answer.text()
  started.child.kill('SIGTERM')
  expect(await started.ended).toBe(0)
})

test('after a kill the next start uses the same database server, and nothing is lost', async () => {
  const first = await ready(runAgain())
  await query('create table proof (word text)')
  await query(`insert into proof values ('committed')`)
  first.child.kill('SIGKILL')
  await first.ended
  const [server] = postmaster()

  await ready(run())
  expect(postmaster()[0]).toBe(server)
  expect(await query('select word from proof')).toEqual([{ word: 'committed' }])
})

test('a job that a killed process was doing is done by the next', async () => {
  const first = await ready(runAgain())
  const job = `from graphile_worker._private_jobs where key = 'left'`
  await query(
    `select graphile_worker.add_job('forget_guests', '{}', run_at := now() + interval '1 hour', job_key := 'left')`,
  )
  first.child.kill('SIGKILL')
  await first.ended
  await query(
    `update graphile_worker._private_jobs set run_at = now(), locked_at = now(), locked_by = 'it' where key = 'left'`,
  )
  await ready(run())
  await expect.poll(() => query(`select last_error ${job}`), { timeout: 30_000 }).toEqual([])
})

test('a database server that was killed as well recovers all commits', async () => {
  const first = await ready(run())
  await query('create table proof (word text)')
  await query(`insert into proof values ('committed')`)
  first.child.kill('SIGKILL')
  process.kill(Number(postmaster()[0]), 'SIGQUIT')
  await first.ended

  await ready(run())
  expect(await query('select word from proof')).toEqual([{ word: 'committed' }])
})

test('a command beside a running program knows its address by the data folder alone', async () => {
  await ready(runAgain())
  const seeded = run({ PORT: '' }, ['seed', '--subscribers', '20'])
  expect(await seeded.ended, seeded.output()).toBe(0)
  expect(seeded.output()).toContain(`Sign in at http://localhost:${port}/login`)
})

test('a database server that ends by itself is started again while the program runs', async () => {
  const started = await ready(runAgain())
  await query('create table proof (word text)')
  process.kill(Number(postmaster()[0]), 'SIGKILL')
  await said(started, 'was started again')
  expect((await fetch(url('/readyz'))).status).toBe(200)
  expect(await query('select count(*)::int as rows from proof')).toEqual([{ rows: 0 }])
})

test('a pid file with the id of another process is ignored', async () => {
  const first = await ready(runAgain())
  const stale = postmaster()
  first.child.kill('SIGTERM')
  await first.ended
  mkdirSync(join(folder, 'data', 'postgres'), { recursive: true })
  writeFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), [process.pid, ...stale.slice(1)].join('\n'))

  await ready(run())
  expect((await fetch(url('/readyz'))).status).toBe(200)
})
