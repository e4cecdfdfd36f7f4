import { randomFor } from './random.ts'
import type { IncomingMessage, Step } from './smtp-sink.ts'

/** What a relay refuses always, as real ones do. */
export interface Rules {
  /** Addresses without a mailbox. */
  unknown: ReadonlySet<string>
  /** So many messages a connection; each more is refused at MAIL FROM. */
  messagesPerConnection: number
  /** So many connections at the same time; one more is refused in its greeting. */
  connections: number
}

/** What a refusal is about. */
export type About = 'message' | 'connection' | 'everybody'

export interface Refusal {
  say: string
  about: About
}

/** Exim’s relaying denied, cPanel’s quota in words, Exim’s sender verify: none has an enhanced code, and nobody’s mailbox is meant. */
export const refusalsOfEverybody = [
  '550 relay not permitted',
  '550 Domain lowwater.test has exceeded the max emails per hour (500/500 (100%)) allowed. Message discarded.',
  '550 Sender verify failed',
] as const

/** OpenSMTPD’s, Exim’s, and one without a code that says so. */
const tooManyMessages = [
  '452 4.5.3 Too many messages sent',
  '421 too many messages in this connection',
  '451 4.3.0 not on this connection',
] as const

/** Postfix’s and Exim’s. */
const noMailbox = ['550 5.1.1 User unknown in local recipient table', '550 Unrouteable address'] as const

/** Answers by rules, not by lot, and counts how often each was used. */
export class RuledRelay {
  readonly used = {
    'unknown addresses': 0,
    'messages too many': 0,
    'connections too many': 0,
    'refusals of everybody': 0,
  }
  readonly #seed: number
  readonly #rules: Rules
  #refusesAll: string | null = null

  constructor(seed: number, rules: Rules) {
    this.#seed = seed
    this.#rules = rules
  }

  /** Refuses every recipient with this answer from now on; null: no more. */
  refuseAll(answer: string | null): void {
    this.#refusesAll = answer
  }

  get refusesAll(): boolean {
    return this.#refusesAll !== null
  }

  /** @param connections that are open, this one included */
  refusal(step: Step, { to, place }: IncomingMessage, connections: () => number): Refusal | undefined {
    const { unknown, messagesPerConnection, connections: most } = this.#rules
    if (step === 'CONNECT' && connections() > most)
      return this.#use('connections too many', ['421 4.7.0 too many connections from your address'], 'connection')
    if (step === 'MAIL' && place > messagesPerConnection)
      return this.#use('messages too many', tooManyMessages, 'connection')
    if (step === 'RCPT' && this.#refusesAll !== null)
      return this.#use('refusals of everybody', [this.#refusesAll], 'everybody')
    if (step === 'RCPT' && unknown.has(to)) return this.#use('unknown addresses', noMailbox, 'message')
    return undefined
  }

  #use(rule: keyof RuledRelay['used'], answers: readonly string[], about: About): Refusal {
    this.used[rule] += 1
    const lot = randomFor(this.#seed, `${rule} ${this.used[rule]}`)
    return { say: answers[Math.floor(lot * answers.length)] ?? '', about }
  }
}
