import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { NodemailerOrder } from './nodemailer-process.ts'
import { end, findProgram, freePort, listening, run, runOurs } from './processes.ts'
import type { SenderOrder } from './sender-process.ts'

/** Where mail of a measurement goes, in a process of its own. */
export interface Sink {
  name: string
  port: number
  url: string
  stop(): Promise<void>
}

/** Of every sender that is measured, and of the product. */
export const CONNECTIONS = 10

const asSystemUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []

/** postfix's where installed, else ours; with a delay always ours. */
export async function startSinkProcess(delayMs = 0): Promise<Sink> {
  const theirs = delayMs === 0 ? findProgram('smtp-sink') : null
  return theirs ? startTheirs(theirs) : startOurs(delayMs)
}

async function startTheirs(program: string): Promise<Sink> {
  const port = await freePort()
  const child = spawn(program, [...asSystemUser, `127.0.0.1:${port}`, '1000'], { stdio: 'ignore' })
  await listening(port)
  return { name: 'smtp-sink', port, url: `smtp://127.0.0.1:${port}`, stop: () => end(child) }
}

async function startOurs(delayMs: number): Promise<Sink> {
  const args = [join(import.meta.dirname, 'sink-process.ts'), JSON.stringify({ delayMs })]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(child.stdout, 'data')
  const port = Number(printed)
  return { name: 'our own sink', port, url: `smtp://127.0.0.1:${port}`, stop: () => end(child) }
}

/** Messages a second of ready-made text: `smtp-source` where installed, else our own sender that is as dumb. */
export async function sendReadyMade(
  sink: Sink,
  bytes: number,
  messages: number,
): Promise<{ name: string; rate: number }> {
  const program = findProgram('smtp-source')
  if (!program) {
    const order: SenderOrder = { port: sink.port, messages, connections: CONNECTIONS, bytes }
    const { seconds } = await runOurs<{ seconds: number }>('sender-process.ts', order)
    return { name: 'our own dumb sender (no smtp-source here)', rate: messages / seconds }
  }
  const begun = performance.now()
  const flags = [
    '-s',
    CONNECTIONS,
    '-l',
    bytes,
    '-m',
    messages,
    '-f',
    'bench@lowwater.test',
    '-t',
    'reader@example.com',
  ]
  await run(program, [...flags.map(String), `127.0.0.1:${sink.port}`])
  return { name: `smtp-source -s ${CONNECTIONS}`, rate: messages / ((performance.now() - begun) / 1_000) }
}

/** Messages a second of nodemailer's pool, composing each. */
export async function sendByNodemailer(order: Omit<NodemailerOrder, 'connections'>): Promise<number> {
  const whole: NodemailerOrder = { ...order, connections: CONNECTIONS }
  const { seconds } = await runOurs<{ seconds: number }>('nodemailer-process.ts', whole)
  return order.messages / seconds
}

/** Signatures a second of one core with RSA-2048; null without openssl. */
export async function rsaSignatures(): Promise<number | null> {
  const openssl = findProgram('openssl')
  if (!openssl) return null
  const printed = await run(openssl, ['speed', '-seconds', '2', 'rsa2048'])
  return Number(/rsa\s+2048 bits(?:\s+[\d.]+s)+\s+([\d.]+)/.exec(printed)?.[1])
}
