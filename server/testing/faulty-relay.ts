import { setTimeout as sleep } from 'node:timers/promises'
import { randomFor } from './random.ts'
import { type About, RuledRelay, type Rules } from './relay-rules.ts'
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
  /** What a refusal is about. */
  about: About
}

export interface FaultyRelay {
  record: Entry[]
  rules: RuledRelay
  /** Connections that it cut in the middle of a message. */
  cuts(): number
  /** Opens one more port, so that each sender can have its own and its connections are known. */
  openPort(): Promise<Sink>
  /** Answers so many whole texts in all; those that come after them wait. */
  allow(texts: number): void
  /** Refuses every recipient with this answer from now on, and answers the texts that wait; null: no more. */
  refuseAll(answer: string | null): void
  stop(): Promise<void>
}

/** Refusals for now, refusals for good, stalls and cuts, at every step of the dialogue. */
export const everyFault: Fault[] = [
  { step: 'CONNECT', share: 0.02, say: '421 4.3.2 too many connections' },
  { step: 'CONNECT', share: 0.02, cut: true },
  { step: 'EHLO', share: 0.01, cut: true },
  { step: 'MAIL', share: 0.001, say: '421 4.3.2 closing' },
  { step: 'RCPT', share: 0.005, say: '450 4.2.1 mailbox busy' },
  { step: 'RCPT', share: 0.03, say: '451 4.7.1 Greylisted, please try again in a minute' },
  { step: 'RCPT', share: 0.002, say: '452 4.5.3 Too many recipients' },
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

/** A relay that refuses, stalls and cuts connections by rules and at random, reproducibly for a seed, and records what it received. */
export async function startFaultyRelay(seed: number, faults: Fault[], rules: Rules): Promise<FaultyRelay> {
  const record: Entry[] = []
  const ports: Sink[] = []
  const met = new Set<string>()
  const ruled = new RuledRelay(seed, rules)
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
    arrived <= allowed || ruled.refusesAll ? undefined : new Promise((resolve) => waiting.push(resolve))
  const answerAllBut = (texts: number) => {
    for (const answer of waiting.splice(0, Math.max(0, waiting.length - texts))) answer()
  }
  const openConnections = () => ports.reduce((sum, port) => sum + port.connections(), 0)

  const decide = (step: Step, message: IncomingMessage): SinkReply => {
    const { to, text } = message
    const rule = ruled.refusal(step, message, openConnections)
    // Before the recipient is known, the chance depends on the connection.
    const { cut, afterMs, say = rule?.say } = rule ? {} : (drawn(step, to || `${++connections}`) ?? {})
    // A cut before a recipient is known leaves no delivery uncertain.
    if (cut && to) cuts += 1
    const code = Number.parseInt(say ?? '250', 10)
    const reply = { ...(say && { say }), ...(cut && { cut }) }
    const entry: Entry = { to, messageId: null, code, about: rule?.about ?? aboutOf(say) }
    if (step !== 'WHOLE') {
      if (to && code >= 400) record.push(entry)
      return reply
    }
    Object.assign(entry, { messageId: messageIdOf(text), code: null })
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
    rules: ruled,
    cuts: () => cuts,
    async openPort() {
      const port = await startSink({ decide })
      ports.push(port)
      return port
    },
    allow(texts) {
      allowed = texts
      answerAllBut(arrived - allowed)
    },
    refuseAll(answer) {
      ruled.refuseAll(answer)
      if (answer !== null) answerAllBut(0)
    },
    async stop() {
      answerAllBut(0)
      await Promise.all(ports.map((door) => door.stop()))
    },
  }
}

const aboutOf = (say = ''): About => (/^421|4\.5\.3/.test(say) ? 'connection' : 'message')

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
