import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { projectRoot } from '../root.ts'
import { copyMadeDataFolder } from './made-data-folder.ts'
import { programEnvironment, programFlags } from './program-environment.ts'
import { queryDataFolder } from './query-data-folder.ts'

/** The built program on a folder of its own, as `npm start` runs it; it may be ended and started again. */
export interface Program {
  url: string
  folder: string
  start(): Promise<void>
  /** What it has printed since its last start. */
  output(): string
  /** Resolves when the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | string | null>
  /** The process id of its database server, which outlives a kill. */
  databaseServer(): number
  query<Row extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<Row[]>
  /** Ends the program and its database and removes the folder. */
  remove(): Promise<void>
}

export async function makeProgram(env: Record<string, string>): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'tirage-program-'))
  copyMadeDataFolder(folder)
  const port = await freePort()
  let child: ChildProcess | null = null
  let output = ''

  const postmaster = () => readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const end: Program['end'] = async (signal) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return null
    const ended = once(child, 'close')
    child.kill(signal)
    const [code, by] = await ended
    return code ?? by
  }
  const program: Program = {
    url: `http://127.0.0.1:${port}`,
    folder,
    async start() {
      const settings = { ...programEnvironment(), DATA_DIR: folder, PORT: String(port), ...env }
      const path = join(projectRoot, 'dist', 'server', 'cli.js')
      child = spawn(process.execPath, [...programFlags, path, 'start'], {
        env: settings,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      output = ''
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece))
      await ready(child, () => output)
    },
    output: () => output,
    end,
    databaseServer: () => Number(postmaster()[0]),
    query: (statement, values) => queryDataFolder(folder, statement, values),
    async remove() {
      await end('SIGTERM')
      try {
        process.kill(program.databaseServer(), 'SIGQUIT')
      } catch {
        // Its program ended it.
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return program
}

async function ready(child: ChildProcess, output: () => string): Promise<void> {
  while (!output().includes('Tirage is ready')) {
    if (child.exitCode !== null) throw new Error(output())
    await Promise.race([once(child, 'exit'), once(child.stdout ?? child, 'data')])
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
