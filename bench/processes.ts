import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/** Runs a program to its end and returns its output. @throws Error when its exit code is not 0 */
export async function run(file: string, args: string[]): Promise<string> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', (piece) => (output += piece))
  child.stderr.on('data', (piece) => (errors += piece))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${errors}`)
  return output
}

/** Runs a program of this folder with its input as JSON, and parses its output. */
export async function runScript<Answer>(script: string, order: object): Promise<Answer> {
  const answer: Answer = JSON.parse(
    await run(process.execPath, [join(import.meta.dirname, script), JSON.stringify(order)]),
  )
  return answer
}

/** The path of a program on PATH or in the folders of system programs; null when it is not installed. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/lib/postfix', '/usr/lib/postfix/sbin']
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Waits until a server listens on the port. */
export async function waitForPort(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const found = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (found) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Ends a process and waits until it is gone. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** Seconds of CPU time of a process; with `withEndedChildren` also those of its ended children (Linux). */
export function cpuSeconds(pid: number, withEndedChildren = false): number {
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = statOf(pid).slice(11, 15).map(Number)
  return (user + system + (withEndedChildren ? childUser + childSystem : 0)) / 100
}

/** Seconds of CPU time of PostgreSQL: its server process and all processes that serve connections. */
export function databaseCpuSeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + cpuSeconds(Number(child)), cpuSeconds(pid, true))
}

/** The peak memory of a process since its start, in megabytes (Linux). */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** The fields of /proc/pid/stat from the third on; the second one, the name, may contain anything. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    // The time of a process that has just ended is in its parent's sum.
    return []
  }
}
