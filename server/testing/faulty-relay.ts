import { setTimeout as sleep } from 'node:timers/promises'
import { randomFor } from './random.ts'
import { type IncomingMessage, type Sink, type SinkReply, type Step, startSink } from './sink.ts'

/** A share of the recipients that meets something at a step, each the first time it gets there. */
export interface Fault {
  step: Step
  share: number
  say?: string
  afterMs?: number
  cut?: true
}

/** What the relay wrote down by itself about one answer or one whole text. */
export interface Entry {
  to: string
  /** The Message-ID of a text that arrived whole; null for what was refused before. */
  messageId: string | null
  /** The answer’s code; null while it was not given, or when the connection was cut in its place. */
  code: number | null
}

export interface FaultyRelay {
  record: Entry[]
  /** Connections that it cut in the middle of a message. */
  cuts(): number
  /** A port of its own, so that it is known whose a connection is. */
  openPort(): Promise<Sink>
  /** Answers so many whole texts in all, and keeps those who bring more waiting. */
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

/** Those that a sending gets over at once. */
export const quickFaults = everyFault.filter(
  ({ step, say = '' }) => !say.startsWith('4') && !['CONNECT', 'EHLO'].includes(step),
)

/** A relay that refuses, stalls and cuts by the lot of a seed, and keeps its own record of what reached it. */
export async function startFaultyRelay(seed: number, faults: Fault[]): Promise<FaultyRelay> {
  const record: Entry[] = []
  const doors: Sink[] = []
  const met = new Set<string>()
  let cuts = 0
  let connections = 0
  let allowed = Number.POSITIVE_INFINITY
  let arrived = 0
  const waiting: (() => void)[] = []

  const drawn = (step: Step, who: string): Fault | undefined => {
    const fault = faultAt(faults, step, randomFor(seed, `${step} ${who}`))
    // Told to come back later once, and not again: the second time would be five minutes away.
    const once = /^45/.test(fault?.say ?? '') ? who : `${step} ${who}`
    if (!fault || met.has(once)) return undefined
    met.add(once)
    return fault
  }
  const itsTurn = (): Promise<void> | undefined =>
    arrived <= allowed ? undefined : new Promise((resolve) => waiting.push(resolve))

  const decide = (step: Step, { to, text }: IncomingMessage): SinkReply => {
    // Before the recipient is known, the lot is the connection’s.
    const { say, cut, afterMs } = drawn(step, to || `${++connections}`) ?? {}
    // Before there is a message, nobody can be unsure of one.
    if (cut && to) cuts += 1
    const code = Number.parseInt(say ?? '250', 10)
    const deed = { ...(say && { say }), ...(cut && { cut }) }
    if (step !== 'WHOLE') {
      if (to && code >= 400) record.push({ to, messageId: null, code })
      return deed
    }
    const entry: Entry = { to, messageId: messageIdOf(text), code: null }
    record.push(entry)
    arrived += 1
    const after = afterMs ? sleep(afterMs) : cut ? undefined : itsTurn()
    const said = () => {
      entry.code = code
    }
    return { ...deed, ...(after && { after }), said }
  }
  return {
    record,
    cuts: () => cuts,
    async openPort() {
      const door = await startSink({ decide })
      doors.push(door)
      return door
    },
    allow(texts) {
      allowed = texts
      for (const answer of waiting.splice(0, Math.max(0, waiting.length - (arrived - allowed)))) answer()
    },
    async stop() {
      for (const answer of waiting.splice(0)) answer()
      await Promise.all(doors.map((door) => door.stop()))
    },
  }
}

function faultAt(faults: Fault[], step: Step, lot: number): Fault | undefined {
  let upTo = 0
  return faults.find((fault) => {
    if (fault.step === step) upTo += fault.share
    return fault.step === step && lot < upTo
  })
}

function messageIdOf(text: Buffer | null): string {
  const head = text?.toString('latin1', 0, text.indexOf('\r\n\r\n')) ?? ''
  return /^message-id:\s*<(.+?)>/im.exec(head)?.[1] ?? ''
}
