import type { Message, Outcome } from '../relay.ts'
import { dotted, type Envelope, envelopeOf } from './envelope.ts'
import type { Opened } from './opening.ts'
import { type Reply, textOf } from './replies.ts'
import type { Limits, Listener, Wire } from './wire.ts'

/** A message that waits to be handed over, with the callbacks of its sender. */
export interface QueuedMessage {
  readonly message: Message
  readonly begun: () => void
  readonly settle: (outcome: Outcome) => void
  retries: number
  /** Whether another connection could do better. */
  mayMove: boolean
}

/** Where a connection gets its messages, and reports their outcomes. */
export interface MessageSource {
  /** The next message for it, if there is one. */
  next(): QueuedMessage | undefined
  /** The message has its outcome; `begun`: some of its text left. */
  done(queued: QueuedMessage, outcome: Outcome, on: { connection: Connection; begun: boolean }): void
  /** It has nothing to do. */
  idle(connection: Connection): void
  ended(connection: Connection): void
}

/** What the next reply answers. `void`: the lone dot after an envelope that was refused. */
type Step = 'idle' | 'reset' | 'mail' | 'rcpt' | 'data' | 'text' | 'void'

const commands = { mail: 'MAIL FROM', rcpt: 'RCPT TO', data: 'DATA', text: 'DATA' }

/**
 * One open connection that takes one message after the other. With PIPELINING (RFC 2920) the next message's envelope
 * travels with the text before it: one round trip a message. Without, it speaks line by line.
 *
 * When it ends, the message whose text has begun to leave is `broken` and written; the one behind it is not written.
 */
export class Connection implements Listener {
  /** The relay has granted or answered a message here: when it ends later, that is no verdict on what it carried. */
  proven = false
  #taken = 0
  #step: Step = 'idle'
  #current: QueuedMessage | null = null
  /** Its envelope left with, or after, the current one's text. */
  #behind: QueuedMessage | null = null
  #envelope: Envelope = { mail: '', rcpt: '' }
  #refusal: Outcome | null = null
  #hasRecipient = false
  #begun = false
  /** A refused envelope has to be taken back before the next. */
  #needsReset = false
  /** The text has its own time to leave; the answer's begins after it. */
  #leaving = false
  readonly #wire: Wire
  readonly #opened: Opened
  private readonly limits: Limits
  private readonly maxMessages: number

  constructor(
    opened: Opened,
    private readonly source: MessageSource,
    { limits, maxMessages }: { limits: Limits; maxMessages: number },
  ) {
    this.limits = limits
    this.maxMessages = maxMessages
    this.#opened = opened
    this.#wire = opened.wire
    this.#wire.listener = this
    this.#wire.within(limits.idle, '')
  }

  get isOpen(): boolean {
    return this.#wire.end === null
  }

  get isIdle(): boolean {
    return this.#step === 'idle'
  }

  get isUsedUp(): boolean {
    return this.#taken >= this.maxMessages
  }

  /** Whether a message may be given to it now: at most one behind the one whose text has left. */
  get hasRoom(): boolean {
    if (this.isUsedUp || !this.isOpen) return false
    if (this.#step === 'idle') return true
    return this.#step === 'text' && this.#opened.offers.pipelining && !this.#behind && !this.#wire.pouring
  }

  /** Takes a message; only when there is room. */
  take(queued: QueuedMessage): void {
    const envelope = this.#admit(queued)
    if (!envelope) return
    if (this.#step === 'text') {
      this.#behind = queued
    } else {
      this.#current = queued
      this.#expect(this.#needsReset ? 'reset' : 'mail')
      this.#needsReset = false
    }
    this.#wire.write(envelope)
  }

  /** Says goodbye; only when idle. */
  leave(): void {
    this.#wire.leave()
  }

  reply(reply: Reply): void {
    const step = this.#step
    if (step === 'idle') this.#stop('The relay spoke without being asked')
    else if (reply.code === 421) this.#closing(reply)
    else if (step === 'void') this.#proceed()
    else if (step === 'reset') this.#whenReset(reply)
    else if (isOutOfTurn(step, reply.code)) this.#stop(`The relay answered out of turn: ${textOf(reply)}`)
    else if (step === 'text') this.#textAnswered(reply)
    else this.#envelopeAnswered(step, reply)
  }

  late(): boolean {
    if (this.#step === 'idle') {
      this.leave()
      this.source.ended(this)
      return false
    }
    if (!this.#leaving || this.#wire.isStalled) return true
    this.#leaving = false
    this.#wire.within(this.limits.answer, 'answer the text')
    return false
  }

  ended(error: Error): void {
    const text = error.message
    const [current, behind, refusal, written] = [this.#current, this.#behind, this.#refusal, this.#begun]
    this.#current = this.#behind = null
    this.#step = 'idle'
    this.source.ended(this)
    if (current)
      this.source.done(current, refusal ?? { kind: 'broken', written, text }, { connection: this, begun: written })
    if (behind) this.source.done(behind, { kind: 'broken', written: false, text }, { connection: this, begun: false })
  }

  /** The commands to send for it at once, or null when the relay need not be asked. */
  #admit(queued: QueuedMessage): string | null {
    const envelope = envelopeOf(queued.message, this.#opened.offers)
    if ('kind' in envelope) {
      this.source.done(queued, envelope, { connection: this, begun: false })
      return null
    }
    this.#taken += 1
    const { mail, rcpt } = envelope
    const reset = this.#needsReset ? 'RSET\r\n' : ''
    if (this.#opened.offers.pipelining) return `${reset}${mail}${rcpt}DATA\r\n`
    this.#envelope = envelope
    return reset || mail
  }

  /** The next message's commands, to travel with what is written now. */
  #pull(): string {
    if (!this.#opened.offers.pipelining) return ''
    while (!this.isUsedUp) {
      const queued = this.source.next()
      if (!queued) break
      const envelope = this.#admit(queued)
      if (envelope === null) continue
      this.#behind = queued
      return envelope
    }
    return ''
  }

  #expect(step: Step): void {
    this.#step = step
    this.#wire.within(this.limits.envelope, 'answer the envelope')
  }

  /** To the next line of the envelope; line by line, it is only said now. */
  #go(step: 'mail' | 'rcpt' | 'data'): void {
    this.#expect(step)
    if (this.#opened.offers.pipelining) return
    this.#wire.write(step === 'mail' ? this.#envelope.mail : step === 'rcpt' ? this.#envelope.rcpt : 'DATA\r\n')
  }

  #whenReset(reply: Reply): void {
    if (reply.code < 300) this.#go('mail')
    else this.#stop(textOf(reply))
  }

  #envelopeAnswered(step: 'mail' | 'rcpt' | 'data', reply: Reply): void {
    if (reply.code >= 400) this.#refusal ??= this.#answer(step, reply)
    else if (step === 'rcpt') this.#hasRecipient = true
    if (step === 'data' && reply.code === 354) this.#consented()
    else if (step === 'data' || (this.#refusal && !this.#opened.offers.pipelining)) this.#refuse()
    else this.#go(step === 'mail' ? 'rcpt' : 'data')
  }

  #textAnswered(reply: Reply): void {
    const answer = this.#answer('text', reply)
    if (this.#wire.pouring) {
      // It did not wait for the end: nothing that follows would be understood.
      if (reply.code >= 400) this.#refusal = answer
      this.#stop('The relay answered a text that it was not given')
    } else {
      this.#finish(answer)
    }
  }

  #answer(step: keyof typeof commands, reply: Reply): Outcome {
    return { kind: 'answered', code: reply.code, text: textOf(reply), command: commands[step] }
  }

  /** The relay waits for the text. */
  #consented(): void {
    // An answer to the text cannot be here before the text has left.
    if (this.#wire.hasMore) this.#stop('The relay answered a text that it was not given')
    else if (this.#refusal && this.#hasRecipient) this.#stop('The relay refused a sender and waits for its text')
    else if (this.#refusal) this.#leaveEmpty(this.#refusal)
    else if (this.#mayBegin()) this.#sendText()
  }

  #mayBegin(): boolean {
    const queued = this.#current as QueuedMessage
    try {
      queued.begun()
      this.#begun = this.proven = true
    } catch (error) {
      queued.mayMove = false
      this.#stop((error as Error).message)
    }
    return this.#begun
  }

  #sendText(): void {
    const text = dotted((this.#current as QueuedMessage).message.raw)
    const next = this.#pull()
    this.#step = 'text'
    this.#leaving = true
    this.#wire.within(this.limits.text, 'take the text')
    this.#wire.writeText(text, `.\r\n${next}`, this.limits.text)
  }

  /** Nobody is to get it, and yet a text is waited for: an empty one ends it (RFC 2920 section 3.1). */
  #leaveEmpty(refusal: Outcome): void {
    this.#wire.write(`.\r\n${this.#pull()}`)
    this.#finish(refusal, 'void')
  }

  #refuse(): void {
    this.#needsReset = true
    this.#finish(this.#refusal as Outcome)
  }

  /** The current message has its answer. */
  #finish(outcome: Outcome, then?: 'void'): void {
    const [queued, begun] = [this.#current as QueuedMessage, this.#begun]
    this.#current = this.#behind
    this.#behind = this.#refusal = null
    this.#begun = this.#leaving = this.#hasRecipient = false
    this.proven = true
    this.#expect(then ?? (this.#current ? 'mail' : 'idle'))
    this.source.done(queued, outcome, { connection: this, begun })
    this.#rest()
  }

  /** What the lone dot was answered is nobody’s concern. */
  #proceed(): void {
    this.#expect(this.#current ? 'mail' : 'idle')
    this.#rest()
  }

  #rest(): void {
    if (this.#step !== 'idle' || !this.isOpen) return
    this.#wire.within(this.limits.idle, '')
    this.source.idle(this)
  }

  /** 421: the relay closes the connection. What it answers was not taken. */
  #closing(reply: Reply): void {
    const step = this.#step
    if (step !== 'void' && step !== 'reset' && step !== 'idle') this.#refusal ??= this.#answer(step, reply)
    this.#stop(textOf(reply))
  }

  #stop(text: string): void {
    this.#wire.fail(new Error(text))
  }
}

/** Neither yes nor no to what was said. */
const isOutOfTurn = (step: Step, code: number): boolean => code < 400 && (step === 'data' ? code !== 354 : code >= 300)
