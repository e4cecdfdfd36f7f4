/** What a relay is given that is not known to refuse it. OpenSMTPD takes 100 messages a connection unless told otherwise. */
const USUAL = 100
/** After a refusal, so many connections carry all that they may before one of them is tried with more. */
const LEAST_PATIENCE = 32
const MOST_PATIENCE = 1_024

/** A connection, as far as its messages are counted. */
export interface Carrier {
  /** Messages whose envelope was sent. */
  readonly carried: number
  /** Messages that the relay answered and did not refuse for the sake of the connection. */
  readonly answered: number
}

/**
 * How many messages a connection to one relay may carry. Nobody announces that number, so it is learnt: one connection at
 * a time is tried with one message more. When the relay answers it, all may carry twice as many. When the relay refuses it
 * as too many, they carry what it bore, and more is tried again much later, since the reason may have been another one.
 */
export class Allowance {
  #messages: number
  /** The connection that carries one more than the others. */
  #tried: Carrier | null = null
  /** Connections that carried all they may since the last refusal. */
  #full = 0
  #patience = 0
  /** As it was before the last refusal. */
  #before: { messages: number; patience: number } | null = null

  /** @param most is never exceeded */
  constructor(private readonly most: number) {
    this.#messages = Math.min(USUAL, most)
  }

  get messages(): number {
    return this.#messages
  }

  /** Whether one connection is being tried with more, so that the others may soon be allowed more too. */
  get isTrying(): boolean {
    return this.#tried !== null
  }

  permits(connection: Carrier): boolean {
    if (connection.carried < this.#messages) return true
    return (
      connection.carried === this.#messages &&
      this.#messages < this.most &&
      this.#tried === null &&
      this.#full >= this.#patience
    )
  }

  /** The connection was given one more message. */
  given(connection: Carrier): void {
    if (connection.carried > this.#messages) this.#tried = connection
  }

  /** The relay answered a message of the connection. @returns whether more is allowed now */
  bore(connection: Carrier): boolean {
    if (connection !== this.#tried || connection.answered <= this.#messages) return false
    this.#messages = Math.min(this.#messages * 2, this.most)
    this.#tried = null
    this.#patience = 0
    this.#before = null
    return true
  }

  /** The relay takes no more messages on this connection. Call it only when it has answered one. */
  refused(connection: Carrier): void {
    this.#before = { messages: this.#messages, patience: this.#patience }
    const wasTried = connection === this.#tried
    this.#patience = wasTried
      ? Math.min(Math.max(LEAST_PATIENCE, this.#patience * 2), MOST_PATIENCE)
      : Math.max(LEAST_PATIENCE, this.#patience)
    this.#messages = Math.min(this.#messages, connection.answered)
    this.#full = 0
    this.#tried = null
  }

  /** The message of the last refusal was refused on another connection too, so that refusal said nothing about connections. */
  mistaken(): void {
    if (!this.#before) return
    this.#messages = this.#before.messages
    this.#patience = this.#before.patience
    this.#before = null
  }

  /** The connection is closed. @returns whether it was the one that was being tried */
  left(connection: Carrier): boolean {
    if (connection.answered >= this.#messages) this.#full += 1
    const wasTried = connection === this.#tried
    if (wasTried) this.#tried = null
    return wasTried
  }
}
