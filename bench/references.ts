import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { NodemailerOrder } from './nodemailer-process.ts'
import { findProgram, freePort, run, runScript, stopProcess, waitForPort } from './processes.ts'
import type { SenderOrder } from './sender-process.ts'

/** An SMTP server that accepts everything, in its own process. */
export interface Sink {
  name: string
  port: number
  url: string
  stop(): Promise<void>
}

/** Of each sender that is measured, the product's included. */
export const CONNECTIONS = 10

const asSystemUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []

/** Starts postfix's `smtp-sink` where installed, else our own; with a delay always our own. */
export async function startSinkProcess(delayMs = 0): Promise<Sink> {
  const postfix = delayMs === 0 ? findProgram('smtp-sink') : null
  return postfix ? startPostfixSink(postfix) : startOwnSink(delayMs)
}

async function startPostfixSink(program: string): Promise<Sink> {
  const port = await freePort()
  const child = spawn(program, [...asSystemUser, `127.0.0.1:${port}`, '1000'], { stdio: 'ignore' })
  await waitForPort(port)
  return { name: 'smtp-sink', port, url: `smtp://127.0.0.1:${port}`, stop: () => stopProcess(child) }
}

async function startOwnSink(delayMs: number): Promise<Sink> {
  const args = [join(import.meta.dirname, 'sink-process.ts'), JSON.stringify({ delayMs })]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(child.stdout, 'data')
  const port = Number(printed)
  return { name: 'our own sink', port, url: `smtp://127.0.0.1:${port}`, stop: () => stopProcess(child) }
}

/** Messages per second of a ready-made text, sent by `smtp-source` where installed, else by our own equivalent. */
export async function sendReadyMade(
  sink: Sink,
  bytes: number,
  messages: number,
): Promise<{ name: string; rate: number }> {
  const program = findProgram('smtp-source')
  if (!program) {
    const order: SenderOrder = { port: sink.port, messages, connections: CONNECTIONS, bytes }
    const { seconds } = await runScript<{ seconds: number }>('sender-process.ts', order)
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

/** Messages per second of nodemailer's pool, which composes each. */
export async function sendByNodemailer(order: Omit<NodemailerOrder, 'connections'>): Promise<number> {
  const input: NodemailerOrder = { ...order, connections: CONNECTIONS }
  const { seconds } = await runScript<{ seconds: number }>('nodemailer-process.ts', input)
  return order.messages / seconds
}

/** RSA-2048 signatures per second of one core; null without openssl. */
export async function rsaSignatures(): Promise<number | null> {
  const openssl = findProgram('openssl')
  if (!openssl) return null
  const printed = await run(openssl, ['speed', '-seconds', '2', 'rsa2048'])
  return Number(/rsa\s+2048 bits(?:\s+[\d.]+s)+\s+([\d.]+)/.exec(printed)?.[1])
}
