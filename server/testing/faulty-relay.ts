import { setTimeout as sleep } from 'node:timers/promises'
import { randomFor } from './random.ts'
import { type IncomingMessage, type Sink, type SinkReply, type Step, startSink } from './smtp-sink.ts'

/** A fault that a share of the recipients meets at a step, each of them once. */
export interface Fault {
  step: Step
  share: number
  say?: string
  afterMs?: number
  cut?: true
}

/** The relay’s own record of one refusal or of one whole text. */
export interface Entry {
  to: string
  /** The Message-ID of a text that arrived whole; null for what was refused before. */
  messageId: string | null
  /** The code of the answer; null before the answer, and when the connection was cut instead. */
  code: number | null
}

export interface FaultyRelay {
  record: Entry[]
  /** Connections that it cut in the middle of a message. */
  cuts(): number
  /** Opens one more port, so that each sender can have its own and its connections are known. */
  openPort(): Promise<Sink>
  /** Answers so many whole texts in all; those that come after them wait. */
  allow(texts: number): void
  stop(): Promise<void>
}

/** Refusals for now, refusals for good, stalls and cuts, at every step of the dialogue. */
export const everyFault: Fault[] = [
  { step: 'CONNECT', share: 0.02, say: '421 4.3.2 too many connections' },
  { step: 'CONNECT', share: 0.02, cut: true },
  { step: 'EHLO', share: 0.01, cut: true },
  { step: 'MAIL', share: 0.001, say: '421 4.3.2 closing' },
  { step: 'RCPT', share: 0.005, say: '450 4.2.1 mailbox busy' },
  { step: 'RCPT', share: 0.005, say: '550 5.1.1 no such mailbox' },
  { step: 'RCPT', share: 0.002, cut: true },
  { step: 'DATA', share: 0.002, say: '451 4.3.0 not now' },
  { step: 'DATA', share: 0.002, cut: true },
  { step: 'BEGUN', share: 0.003, cut: true },
  { step: 'WHOLE', share: 0.003, cut: true },
  { step: 'WHOLE', share: 0.002, cut: true, afterMs: 2_000 },
  { step: 'WHOLE', share: 0.002, afterMs: 3_000 },
  { step: 'WHOLE', share: 0.004, say: '452 4.3.1 full' },
  { step: 'WHOLE', share: 0.002, say: '554 5.6.0 not this' },
  { step: 'WHOLE', share: 0.002, say: '421 4.3.2 closing' },
]

/** Those after which a sending goes on without a delay. */
export const quickFaults = everyFault.filter(
  ({ step, say = '' }) => !say.startsWith('4') && !['CONNECT', 'EHLO'].includes(step),
)

/** A relay that refuses, stalls and cuts connections at random, reproducibly for a seed, and records what it received. */
export async function startFaultyRelay(seed: number, faults: Fault[]): Promise<FaultyRelay> {
  const record: Entry[] = []
  const ports: Sink[] = []
  const met = new Set<string>()
  let cuts = 0
  let connections = 0
  let allowed = Number.POSITIVE_INFINITY
  let arrived = 0
  const waiting: (() => void)[] = []

  const drawn = (step: Step, who: string): Fault | undefined => {
    const fault = faultAt(faults, step, randomFor(seed, `${step} ${who}`))
    // Each recipient is deferred once only: the delay after a second time is five minutes.
    const once = /^45/.test(fault?.say ?? '') ? who : `${step} ${who}`
    if (!fault || met.has(once)) return undefined
    met.add(once)
    return fault
  }
  const whenAllowed = (): Promise<void> | undefined =>
    arrived <= allowed ? undefined : new Promise((resolve) => waiting.push(resolve))

  const decide = (step: Step, { to, text }: IncomingMessage): SinkReply => {
    // Before the recipient is known, the chance depends on the connection.
    const { say, cut, afterMs } = drawn(step, to || `${++connections}`) ?? {}
    // A cut before a recipient is known leaves no delivery uncertain.
    if (cut && to) cuts += 1
    const code = Number.parseInt(say ?? '250', 10)
    const reply = { ...(say && { say }), ...(cut && { cut }) }
    if (step !== 'WHOLE') {
      if (to && code >= 400) record.push({ to, messageId: null, code })
      return reply
    }
    const entry: Entry = { to, messageId: messageIdOf(text), code: null }
    record.push(entry)
    arrived += 1
    const after = afterMs ? sleep(afterMs) : cut ? undefined : whenAllowed()
    const said = () => {
      entry.code = code
    }
    return { ...reply, ...(after && { after }), said }
  }
  return {
    record,
    cuts: () => cuts,
    async openPort() {
      const port = await startSink({ decide })
      ports.push(port)
      return port
    },
    allow(texts) {
      allowed = texts
      for (const answer of waiting.splice(0, Math.max(0, waiting.length - (arrived - allowed)))) answer()
    },
    async stop() {
      for (const answer of waiting.splice(0)) answer()
      await Promise.all(ports.map((door) => door.stop()))
    },
  }
}

function faultAt(faults: Fault[], step: Step, chance: number): Fault | undefined {
  let upTo = 0
  return faults.find((fault) => {
    if (fault.step === step) upTo += fault.share
    return fault.step === step && chance < upTo
  })
}

function messageIdOf(text: Buffer | null): string {
  const head = text?.toString('latin1', 0, text.indexOf('\r\n\r\n')) ?? ''
  return /^message-id:\s*<(.+?)>/im.exec(head)?.[1] ?? ''
}
