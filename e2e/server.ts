import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

const root = join(import.meta.dirname, '..')
/** The pinned Node, whichever Node runs this file. */
export const pinnedNode = join(root, 'node_modules/.bin/node')
const built = join(root, 'dist/server/cli.js')

export interface RunningServer {
  url: string
  stop(): Promise<void>
}

/**
 * Starts the built program on a free port with `dataDir`, as `npm start` does, with no relay and its own database; resolves once it is ready.
 *
 * @param settings more of its environment
 * @param program another build of it
 */
export async function startServer(
  dataDir: string,
  settings: NodeJS.ProcessEnv = {},
  program = built,
): Promise<RunningServer> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const child = spawn(pinnedNode, [program, 'start'], {
    cwd: root,
    env: { ...environment(dataDir), PORT: String(port), PUBLIC_URL: url, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (await ready(url, child)) return { url, stop: () => ended(child) }
  return startServer(dataDir, settings, program)
}

/** Runs `tirage seed` on `dataDir`. */
export async function seedServer(
  dataDir: string,
  subscribers: number,
  { program = built, settings = {} }: { program?: string; settings?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const args = [program, 'seed', '--subscribers', String(subscribers)]
  const env = { ...environment(dataDir), ...settings }
  const child = spawn(pinnedNode, args, { cwd: root, env, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`seeding ended with ${code}`)
}

/**
 * Leaves the machine's own settings out. `TRUST_PROXY` lets each test choose the address that it comes from, so that tests
 * share no rate limit.
 */
function environment(dataDir: string): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, NODE_COMPILE_CACHE } = process.env
  const ours = { NODE_ENV: 'production', TRUST_PROXY: 'true', LOG_LEVEL: 'error', PRIVATE_RELAYS: 'true' }
  return { PATH, HOME, LANG, NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...ours }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Resolves once the program says that it serves `url`, and to false when another run took the port before it. */
async function ready(url: string, child: ChildProcessByStdio<null, Readable, Readable>): Promise<boolean> {
  let output = ''
  let closed = false
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
  child.stdout.pipe(process.stdout)
  child.stderr.pipe(process.stderr)
  child.once('close', () => (closed = true))
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    if (output.includes(url)) return true
    if (closed && /is taken by another program|EADDRINUSE/.test(output)) return false
    if (closed) throw new Error(`the program ended with ${child.exitCode} before it was ready`)
    await delay(100)
  }
  await ended(child)
  throw new Error('the program was not ready within two minutes')
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  return end
}
