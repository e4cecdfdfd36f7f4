import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { networkOf } from '../http/limits.ts'

/** How long and how slowly clients may use the listener. Only time for which we wait for them counts. */
export interface VisitLimits {
  connections: number
  fromOneNetwork: number
  /** A connection may last for this time, and … */
  totalMs: number
  /** … be slower than `bytesPerSecond` for this time. */
  graceMs: number
  bytesPerSecond: number
  /** How often the limits are checked. */
  checkMs: number
}

export const usualVisitLimits: VisitLimits = {
  connections: 50,
  fromOneNetwork: 10,
  totalMs: 600_000,
  graceMs: 30_000,
  bytesPerSecond: 100,
  checkMs: 1_000,
}

/** A client that has ended its side is closed when we owe it no answer for this time. */
const ENDED_MS = 1_000
const LEAVING_MS = 1_000

interface Visit {
  socket: Socket
  network: string
  beganAt: number
  /** Milliseconds for which the client waited for us. */
  workedMs: number
  /** Since when it waits for us; null while we wait for the client. */
  workingSince: number | null
  mails: number
  /** The client has ended its side, and can only receive answers. */
  hasEnded: boolean
}

/**
 * The open connections of the listener. A client that is too slow is closed with 421, and when all places are taken, the
 * client that has had the most time for each of its mails makes room. So slow senders cannot hold the listener, from
 * however many networks they come.
 */
export class Visits {
  readonly #open = new Map<string, Visit>()
  readonly #checking: NodeJS.Timeout

  constructor(private readonly limits: VisitLimits) {
    this.#checking = setInterval(() => this.#check(), limits.checkMs).unref()
  }

  /** @returns the id of a new visit; null when the client was refused */
  admit(socket: Socket): string | null {
    socket.on('error', () => {})
    const network = networkOf(socket.remoteAddress ?? '')
    const fromThere = [...this.#open.values()].filter((visit) => visit.network === network && !visit.hasEnded)
    if (fromThere.length >= this.limits.fromOneNetwork) {
      return refuse(socket, '421 4.7.0 Too many connections from your network')
    }
    if (this.#open.size >= this.limits.connections && !this.#makeRoom()) {
      return refuse(socket, '421 4.3.2 Too many connections')
    }
    const id = randomUUID()
    const began = { beganAt: performance.now(), workedMs: 0, workingSince: null, mails: 0, hasEnded: false }
    const visit: Visit = { socket, network, ...began }
    this.#open.set(id, visit)
    socket.once('close', () => this.#open.delete(id))
    socket.once('end', () => {
      visit.hasEnded = true
      this.#closeWhenAnswered(id)
    })
    return id
  }

  /** Handles one mail of the visit. The client waits for it. */
  async during<T>(id: string, handle: () => Promise<T>): Promise<T> {
    const visit = this.#open.get(id)
    if (!visit) return handle()
    const begun = performance.now()
    visit.workingSince = begun
    try {
      return await handle()
    } finally {
      visit.workingSince = null
      visit.workedMs += performance.now() - begun
      visit.mails += 1
      if (visit.hasEnded) this.#closeWhenAnswered(id)
    }
  }

  /** Closes all connections. */
  closeAll(): void {
    clearInterval(this.#checking)
    for (const id of this.#open.keys()) this.#close(id, '421 4.3.2 Closing')
  }

  #check(): void {
    const now = performance.now()
    for (const [id, visit] of this.#open) {
      if (visit.workingSince !== null) continue
      const taken = takenMs(visit, now)
      const { totalMs, graceMs, bytesPerSecond } = this.limits
      const isSlow = taken > graceMs + (visit.socket.bytesRead * 1_000) / bytesPerSecond
      if (isSlow || taken > totalMs) this.#close(id, '421 4.4.2 Too slow')
    }
  }

  /** @returns whether somebody could be closed, who did not wait for us */
  #makeRoom(): boolean {
    const now = performance.now()
    const slowness = ([, visit]: [string, Visit]) => takenMs(visit, now) / (1 + visit.mails)
    const idle = [...this.#open].filter(([, { workingSince }]) => workingSince === null)
    const [slowest] = idle.toSorted((a, b) => slowness(b) - slowness(a))
    if (slowest) this.#close(slowest[0], '421 4.3.2 Others need this connection')
    return slowest !== undefined
  }

  #closeWhenAnswered(id: string): void {
    setTimeout(() => {
      if (this.#open.get(id)?.workingSince === null) this.#close(id)
    }, ENDED_MS).unref()
  }

  #close(id: string, line?: string): void {
    const visit = this.#open.get(id)
    this.#open.delete(id)
    if (visit) leave(visit.socket, line)
  }
}

/** How long we waited for the client. */
const takenMs = ({ beganAt, workedMs }: Visit, now: number): number => now - beganAt - workedMs

function refuse(socket: Socket, line: string): null {
  leave(socket, line)
  return null
}

function leave(socket: Socket, line?: string): void {
  if (line) socket.end(`${line}\r\n`)
  else socket.end()
  setTimeout(() => socket.destroy(), LEAVING_MS).unref()
}
