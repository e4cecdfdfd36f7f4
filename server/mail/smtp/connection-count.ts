/** Connections that are opened as soon as there is work for them. */
const USUAL = 10
const LEAST_PAUSE_MS = 5_000
const MOST_PAUSE_MS = 300_000
/** Where a message takes less on its connection, the way to the relay is short, and more connections bring nothing. */
const SLOW_MESSAGE_MS = 5
const WINDOW_MS = 500
/** A rate from fewer answers than this for each connection is chance. */
const ANSWERS_A_CONNECTION = 3

/**
 * How many connections to one relay may be open. It begins with ten, or the owner's limit when that is lower.
 *
 * A relay that takes no further connection gets no more than it took; one more is tried after 5 seconds, 10 … 5 minutes. A
 * relay that is far away, so that all connections wait for answers, gets a quarter more at a time while the rate of
 * answers rises with them, up to the owner's limit.
 */
export class ConnectionCount {
  #wanted: number
  #pauseMs = 0
  #pausedUntil = 0
  /** The number and rate before the last growth, until it is known whether that helped. */
  #before: { connections: number; rate: number } | null = null
  /** Null while there is too little work to measure. */
  #windowBegan: number | null = null
  #answers = 0
  readonly #usual: number

  /** @param most the owner's limit */
  constructor(private readonly most: number) {
    this.#usual = Math.min(USUAL, most)
    this.#wanted = this.#usual
  }

  /** How many may be open. @param nowMs by the clock of `performance.now()`, here and everywhere */
  allowed(nowMs: number): number {
    return this.#wanted < this.#usual && nowMs >= this.#pausedUntil ? this.#wanted + 1 : this.#wanted
  }

  /** One more was opened. */
  opened(open: number): void {
    if (open <= this.#wanted) return
    this.#wanted = open
    this.#pauseMs = 0
  }

  /** One more could not be opened. @param open how many are, or may soon be */
  refused(open: number, nowMs: number): void {
    this.#wanted = Math.max(1, Math.min(open, this.#wanted))
    this.#before = null
    this.#pause(nowMs)
  }

  /**
   * A message was answered.
   * @param isFull whether all connections that may be open are, and messages wait for them
   * @returns whether more may be open now
   */
  answered(nowMs: number, isFull: boolean): boolean {
    const wanted = this.#wanted
    const elapsed = nowMs - (this.#windowBegan ?? nowMs)
    if (isFull && this.#windowBegan !== null) {
      this.#answers += 1
      if (elapsed < WINDOW_MS || this.#answers < this.#wanted * ANSWERS_A_CONNECTION) return false
      this.#judge(this.#answers / elapsed, nowMs)
    }
    this.#windowBegan = isFull ? nowMs : null
    this.#answers = 0
    return this.#wanted > wanted
  }

  /** @param rate answers a millisecond */
  #judge(rate: number, nowMs: number): void {
    const before = this.#before
    this.#before = null
    if (before && !hasHelped(before, { connections: this.#wanted, rate })) {
      this.#wanted = before.connections
      this.#pause(nowMs)
      return
    }
    if (before) this.#pauseMs = 0
    if (this.#wanted >= this.most || nowMs < this.#pausedUntil || this.#wanted / rate < SLOW_MESSAGE_MS) return
    this.#before = { connections: this.#wanted, rate }
    this.#wanted = Math.min(this.most, this.#wanted + Math.ceil(this.#wanted / 4))
  }

  #pause(nowMs: number): void {
    if (nowMs < this.#pausedUntil) return
    this.#pauseMs = Math.min(Math.max(LEAST_PAUSE_MS, this.#pauseMs * 2), MOST_PAUSE_MS)
    this.#pausedUntil = nowMs + this.#pauseMs
  }
}

interface Measured {
  connections: number
  rate: number
}

/** Whether the rate rose by at least half of what as many more connections could bring. */
const hasHelped = (before: Measured, after: Measured): boolean =>
  after.rate / before.rate - 1 >= (after.connections / before.connections - 1) / 2
