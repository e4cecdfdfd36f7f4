import { messageOf } from '../../start-error.ts'
import { readAnswer } from '../answers/read-answer.ts'
import type { Outcome } from '../relay.ts'
import { dotStuffed, type Envelope, envelopeOf } from './envelope.ts'
import type { MessageSource, QueuedMessage } from './message-source.ts'
import type { Opened } from './opening.ts'
import { type Reply, textOf } from './replies.ts'
import type { Limits, Listener, Wire } from './wire.ts'

/** What the next reply answers. `void`: the empty text after an envelope that was refused. */
type Step = 'idle' | 'reset' | 'mail' | 'rcpt' | 'data' | 'text' | 'void'

const commands = { mail: 'MAIL FROM', rcpt: 'RCPT TO', data: 'DATA', text: 'DATA' } as const

/**
 * One open connection that sends one message after the other. With PIPELINING (RFC 2920) the envelope of the next message
 * is sent together with the text before it, so a message takes one round trip. Without it every line waits for its answer.
 *
 * When the connection ends, the message whose text was being sent is `broken` and written. The message after it is `broken`
 * and not written.
 */
export class Connection implements Listener {
  /** The relay has answered a message on this connection. When it ends later, that says nothing about the message on it. */
  proven = false
  /** The relay takes no more on this connection. */
  isSpent = false
  /** Messages whose envelope was sent. */
  carried = 0
  /** Messages that the relay answered and did not refuse for the sake of this connection. */
  answered = 0
  #step: Step = 'idle'
  #current: QueuedMessage | null = null
  /** The message after the current one. Its envelope was sent with the current text, or after it. */
  #following: QueuedMessage | null = null
  #envelope: Envelope = { mail: '', rcpt: '' }
  #refusal: Outcome | null = null
  /** The refusal says that the relay takes no more on this connection. */
  #limited = false
  #hasRecipient = false
  #begun = false
  /** The relay refused an envelope, which has to be reset before the next one. */
  #needsReset = false
  /** The text is being sent. The time for its answer has not begun. */
  #leaving = false
  readonly #wire: Wire
  readonly #opened: Opened

  constructor(
    opened: Opened,
    private readonly source: MessageSource<Connection>,
    private readonly limits: Limits,
  ) {
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

  get #isUsedUp(): boolean {
    return this.isSpent || !this.source.permits(this)
  }

  /** Whether it can take a message now: at most one after the message whose text was sent. */
  get hasRoom(): boolean {
    if (!this.isOpen || this.#isUsedUp) return false
    if (this.#step === 'idle') return true
    return this.#step === 'text' && this.#opened.offers.pipelining && !this.#following && !this.#wire.isWritingSlices
  }

  /** Sends a message. Call it only when `hasRoom`. */
  take(queued: QueuedMessage): void {
    const envelope = this.#admit(queued)
    if (!envelope) return
    if (this.#step === 'text') {
      this.#following = queued
    } else {
      this.#current = queued
      this.#expect(this.#needsReset ? 'reset' : 'mail')
      this.#needsReset = false
    }
    this.#wire.write(envelope)
  }

  /** Closes the connection with QUIT. Call it only when `isIdle`. */
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

  ended({ message: text }: Error): void {
    const [current, behind, refusal] = [this.#current, this.#following, this.#refusal]
    const on = { connection: this, begun: this.#begun, limited: this.#limited }
    this.#current = this.#following = null
    this.#step = 'idle'
    this.source.ended(this)
    if (current) this.source.done(current, refusal ?? { kind: 'broken', written: on.begun, text }, on)
    if (behind)
      this.source.done(behind, { kind: 'broken', written: false, text }, { ...on, begun: false, limited: false })
  }

  /** The commands to send for the message at once; null when its outcome is clear without asking the relay. */
  #admit(queued: QueuedMessage): string | null {
    const envelope = envelopeOf(queued.message, this.#opened.offers)
    if ('kind' in envelope) {
      this.source.done(queued, envelope, { connection: this, begun: false, limited: false })
      return null
    }
    this.carried += 1
    this.source.given(this)
    const { mail, rcpt } = envelope
    const reset = this.#needsReset ? 'RSET\r\n' : ''
    if (this.#opened.offers.pipelining) return `${reset}${mail}${rcpt}DATA\r\n`
    this.#envelope = envelope
    return reset || mail
  }

  /** The commands of the next message, to be sent with what is written now. */
  #pull(): string {
    if (!this.#opened.offers.pipelining) return ''
    while (!this.#isUsedUp) {
      const queued = this.source.next()
      if (!queued) break
      const envelope = this.#admit(queued)
      if (envelope === null) continue
      this.#following = queued
      return envelope
    }
    return ''
  }

  /** The current message, while there is one: at every step but `idle`, `void` and `reset`. */
  get #sending(): QueuedMessage {
    return this.#current as QueuedMessage
  }

  #expect(step: Step): void {
    this.#step = step
    this.#wire.within(this.limits.envelope, 'answer the envelope')
  }

  /** Continues with the next line of the envelope. With PIPELINING it was already sent. */
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
    if (reply.code >= 400) this.#refused(step, reply)
    else if (step === 'rcpt') this.#hasRecipient = true
    if (step === 'data' && reply.code === 354) this.#consented()
    else if (this.#refusal && (step === 'data' || !this.#opened.offers.pipelining)) this.#refuse(this.#refusal)
    else this.#go(step === 'mail' ? 'rcpt' : 'data')
  }

  #textAnswered(reply: Reply): void {
    const answer = this.#answer('text', reply)
    if (this.#wire.isWritingSlices) {
      // The relay did not wait for the end of the text, so it would not understand what follows.
      if (reply.code >= 400) this.#refusal = answer
      this.#stop('The relay answered a text that it was not given')
    } else {
      if (reply.code >= 400) this.#refused('text', reply)
      this.#finish(answer)
    }
  }

  /** Only the first refusal counts: the others follow from it. */
  #refused(step: keyof typeof commands, reply: Reply): void {
    if (this.#refusal) return
    this.#refusal = this.#answer(step, reply)
    this.#limited = readAnswer({ stage: commands[step], code: reply.code, text: textOf(reply) }).session
    if (!this.#limited) return
    this.isSpent = true
    this.source.limited(this, this.#sending)
  }

  #answer(step: keyof typeof commands, reply: Reply): Outcome {
    return { kind: 'answered', code: reply.code, text: textOf(reply), command: commands[step] }
  }

  /** The relay waits for the text. */
  #consented(): void {
    // A reply that arrives before the text was sent cannot be the answer to it.
    if (this.#wire.hasMore) this.#stop('The relay answered a text that it was not given')
    else if (this.#refusal && this.#hasRecipient) this.#stop('The relay refused a sender and waits for its text')
    else if (this.#refusal) this.#sendEmptyText(this.#refusal)
    else if (this.#mayBegin()) this.#sendText()
  }

  #mayBegin(): boolean {
    const queued = this.#sending
    try {
      queued.begun()
      this.#begun = this.proven = true
    } catch (error) {
      queued.mayMove = false
      this.#stop(messageOf(error))
    }
    return this.#begun
  }

  #sendText(): void {
    const text = dotStuffed(this.#sending.message.raw)
    const next = this.#pull()
    this.#step = 'text'
    this.#leaving = true
    this.#wire.within(this.limits.text, 'take the text')
    this.#wire.writeText(text, `.\r\n${next}`, this.limits.text)
  }

  /** The recipient was refused, but the relay waits for a text. An empty one ends the transaction (RFC 2920 section 3.1). */
  #sendEmptyText(refusal: Outcome): void {
    this.#wire.write(`.\r\n${this.#pull()}`)
    this.#finish(refusal, 'void')
  }

  #refuse(refusal: Outcome): void {
    this.#needsReset = true
    this.#finish(refusal)
  }

  /** Reports the outcome of the current message and continues with the next one. */
  #finish(outcome: Outcome, then?: 'void'): void {
    const queued = this.#sending
    const on = { connection: this, begun: this.#begun, limited: this.#limited }
    this.#current = this.#following
    this.#following = this.#refusal = null
    this.#begun = this.#leaving = this.#hasRecipient = this.#limited = false
    this.proven = true
    if (!on.limited) this.answered += 1
    this.#expect(then ?? (this.#current ? 'mail' : 'idle'))
    this.source.done(queued, outcome, on)
    this.#rest()
  }

  /** The answer to the empty text does not matter. */
  #proceed(): void {
    this.#expect(this.#current ? 'mail' : 'idle')
    this.#rest()
  }

  #rest(): void {
    if (this.#step !== 'idle' || !this.isOpen) return
    this.#wire.within(this.limits.idle, '')
    this.source.idle(this)
  }

  /** 421: the relay closes the connection. It did not take the message that it answers. */
  #closing(reply: Reply): void {
    const step = this.#step
    if (step !== 'void' && step !== 'reset' && step !== 'idle') this.#refused(step, reply)
    // In a text that is half sent, QUIT would be a part of it.
    if (!this.#wire.isWritingSlices) this.#wire.leave()
    if (this.isOpen) this.#stop(textOf(reply))
    else this.ended(new Error(textOf(reply)))
  }

  #stop(text: string): void {
    this.#wire.fail(new Error(text))
  }
}

/** Whether the code is neither a yes nor a no to this step. */
const isOutOfTurn = (step: Step, code: number): boolean => code < 400 && (step === 'data' ? code !== 354 : code >= 300)
