import { lotOf } from './chance.ts'
import { type Deed, type Parcel, type Sink, type Step, startSink } from './sink.ts'

/** A share of the recipients that meets something at a step, each the first time it gets there. */
export interface Fault {
  step: Step
  share: number
  deed: Deed
}

/** What the relay wrote down by itself about one answer or one whole text. */
export interface Entry {
  to: string
  /** The Message-ID of a text that arrived whole; null for what was refused before. */
  messageId: string | null
  /** The answer's code; null when the connection was cut in its place. */
  code: number | null
}

export interface UnrulyRelay {
  record: Entry[]
  /** Connections that it cut in the middle of something. */
  cuts(): number
  /** A port of its own, so that it is known whose a connection is. */
  openDoor(): Promise<Sink>
  /** Texts that are answered in a second from now on; null: as many as come. */
  setPace(perSecond: number | null): void
  stop(): Promise<void>
}

/** Refusals for now, refusals for good, stalls and cuts, at every step of the dialogue. */
export const everyFault: Fault[] = [
  { step: 'CONNECT', share: 0.02, deed: { say: '421 4.3.2 too many connections' } },
  { step: 'CONNECT', share: 0.02, deed: { cut: true } },
  { step: 'EHLO', share: 0.01, deed: { cut: true } },
  { step: 'MAIL', share: 0.001, deed: { say: '451 4.3.0 not now' } },
  { step: 'MAIL', share: 0.001, deed: { say: '421 4.3.2 closing' } },
  { step: 'RCPT', share: 0.005, deed: { say: '450 4.2.1 mailbox busy' } },
  { step: 'RCPT', share: 0.005, deed: { say: '550 5.1.1 no such mailbox' } },
  { step: 'RCPT', share: 0.002, deed: { cut: true } },
  { step: 'DATA', share: 0.002, deed: { say: '451 4.3.0 not now' } },
  { step: 'DATA', share: 0.002, deed: { cut: true } },
  { step: 'BEGUN', share: 0.003, deed: { cut: true } },
  { step: 'WHOLE', share: 0.003, deed: { cut: true } },
  { step: 'WHOLE', share: 0.002, deed: { cut: true, afterMs: 2_000 } },
  { step: 'WHOLE', share: 0.002, deed: { afterMs: 3_000 } },
  { step: 'WHOLE', share: 0.004, deed: { say: '452 4.3.1 full' } },
  { step: 'WHOLE', share: 0.002, deed: { say: '554 5.6.0 not this' } },
  { step: 'WHOLE', share: 0.002, deed: { say: '421 4.3.2 closing' } },
]

/** Those that a sending gets over at once. */
export const quickFaults = everyFault.filter(
  ({ step, deed }) => !/^4/.test(deed.say ?? '') && !['CONNECT', 'EHLO'].includes(step),
)

/** A relay that refuses, stalls and cuts by the lot of a seed, and keeps its own record of what reached it. */
export async function startUnrulyRelay(seed: number, faults: Fault[]): Promise<UnrulyRelay> {
  const record: Entry[] = []
  const doors: Sink[] = []
  const met = new Set<string>()
  let cuts = 0
  let connections = 0
  let perSecond: number | null = null
  let nextAnswer = 0

  const drawn = (step: Step, who: string): Deed | undefined => {
    const fault = faultAt(faults, step, lotOf(seed, `${step} ${who}`))
    if (!fault || met.has(`${step} ${who}`)) return undefined
    met.add(`${step} ${who}`)
    return fault.deed
  }
  const paced = (): number => {
    if (perSecond === null) return 0
    nextAnswer = Math.max(performance.now(), nextAnswer) + 1_000 / perSecond
    return nextAnswer - performance.now()
  }
  const decide = (step: Step, parcel: Parcel): Deed | undefined => {
    // Before the recipient is known, the lot is the connection's.
    const deed = drawn(step, parcel.to || `${++connections}`)
    if (deed?.cut) cuts += 1
    const code = deed?.cut ? null : Number.parseInt(deed?.say ?? '250', 10)
    if (step === 'WHOLE') {
      record.push({ to: parcel.to, messageId: messageIdOf(parcel), code })
      return { ...deed, afterMs: deed?.afterMs ?? (deed?.cut ? 0 : paced()) }
    }
    if (parcel.to && code !== null && code >= 400) record.push({ to: parcel.to, messageId: null, code })
    return deed
  }
  return {
    record,
    cuts: () => cuts,
    async openDoor() {
      const door = await startSink({ decide })
      doors.push(door)
      return door
    },
    setPace(given) {
      perSecond = given
      nextAnswer = 0
    },
    async stop() {
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

function messageIdOf({ text }: Parcel): string {
  const head = text?.toString('latin1', 0, text.indexOf('\r\n\r\n')) ?? ''
  return /^message-id:\s*<(.+?)>/im.exec(head)?.[1] ?? ''
}
