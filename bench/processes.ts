import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/** Runs a program to its end and gives what it printed. @throws when it does not end with 0 */
export async function run(file: string, args: string[]): Promise<string> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let complaint = ''
  child.stdout.on('data', (piece) => (output += piece))
  child.stderr.on('data', (piece) => (complaint += piece))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${complaint}`)
  return output
}

/** One of our own programs beside this file, told as JSON what to do. */
export const runOurs = async <Answer>(script: string, order: object): Promise<Answer> =>
  JSON.parse(await run(process.execPath, [join(import.meta.dirname, script), JSON.stringify(order)])) as Answer

/** A program by its name on PATH or where system programs lie; null when it is not installed. */
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

/** Waits until something listens. */
export async function listening(port: number): Promise<void> {
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

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

/** Seconds of processor time that a process has used, with what its ended children used when `family` (Linux). */
export function processorSeconds(pid: number, family = false): number {
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = statOf(pid).slice(11, 15).map(Number)
  return (user + system + (family ? childUser + childSystem : 0)) / 100
}

/** The same of PostgreSQL: its server, and every process that serves a connection. */
export function familySeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + processorSeconds(Number(child)), processorSeconds(pid, true))
}

/** Megabytes that a process held at most since its start (Linux). */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** From the third field on: the name before them may contain anything. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    // A process that ended a moment ago is in its parent's sum.
    return []
  }
}
