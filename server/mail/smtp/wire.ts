import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { RelayAddress } from './address.ts'
import { type Reply, ReplyReader } from './replies.ts'

/** Milliseconds that each phase may take (after RFC 5321 section 4.5.3.2). */
export interface Limits {
  connect: number
  greeting: number
  /** EHLO, STARTTLS, its handshake, AUTH. */
  opening: number
  /** MAIL, RCPT, RSET and DATA. */
  envelope: number
  /** Without any of the text being taken. */
  text: number
  /** For the answer to the text. */
  answer: number
  /** That an open connection is kept without work. */
  idle: number
}

export const usualLimits: Limits = {
  connect: 15_000,
  greeting: 15_000,
  opening: 30_000,
  envelope: 60_000,
  text: 120_000,
  answer: 300_000,
  idle: 5_000,
}

/** Who hears what comes over a wire. */
export interface Listener {
  reply(reply: Reply): void
  /** The time that was set has passed. False: more of it was set. */
  late(): boolean
  ended(error: Error): void
}

const LEAVING_MS = 2_000
const SLICE = 65_536
const REPLIES = 4_096

/** One connection's bytes: commands go out, replies come back in order, and it ends once, with a reason. */
export class Wire {
  /** Why nothing can be sent any more; null while it can. */
  end: Error | null = null
  pouring = false
  #socket: Socket
  #listener: Listener | null = null
  #asked: PromiseWithResolvers<Reply> | null = null
  #deadline = 0
  #phase = ''
  readonly #clock: NodeJS.Timeout
  readonly #reader = new ReplyReader((reply) => this.#onReply(reply))

  constructor(
    private readonly address: RelayAddress,
    tickMs: number,
  ) {
    const { host, port, secure, lookup } = address
    const buffer = Buffer.allocUnsafeSlow(REPLIES)
    const onread = { buffer, callback: (bytes: number) => this.#read(buffer, bytes) }
    if (secure) this.#socket = this.#listenToData(connectTls({ ...namedBy(host), port, lookup }))
    else this.#socket = connect({ host, port, onread, lookup })
    this.#socket.setNoDelay(true)
    this.#listenTo(this.#socket)
    this.#clock = setInterval(() => this.#tick(), tickMs).unref()
  }

  /** Commands from now on are the listener's. */
  set listener(listener: Listener) {
    this.#listener = listener
  }

  /** Bytes came after the last reply: it cannot be the answer to what was not sent yet. */
  get hasMore(): boolean {
    return this.#reader.hasMore
  }

  /** True while the kernel has not taken everything that was written. */
  get isStalled(): boolean {
    return this.#socket.writableLength > 0
  }

  /** Resolves to the greeting, once the connection and with smtps its TLS is there. */
  greeting({ connect, greeting }: Limits): Promise<Reply> {
    const answer = this.#answerWithin(connect, 'accept a connection')
    const event = this.address.secure ? 'secureConnect' : 'connect'
    this.#socket.once(event, () => this.within(greeting, 'greet us'))
    return answer
  }

  /** STARTTLS was granted: everything from here on is TLS (RFC 3207). */
  async secured(limitMs: number): Promise<void> {
    const plain = this.#socket
    for (const name of ['end', 'close']) plain.removeAllListeners(name)
    this.#socket = this.#listenToData(connectTls({ socket: plain, ...namedBy(this.address.host) }))
    this.#listenTo(this.#socket)
    const handshake = this.#answerWithin(limitMs, 'complete the TLS handshake')
    this.#socket.once('secureConnect', () => this.#onReply({ code: 220, lines: [] }))
    await handshake
  }

  /** Says one line and resolves to what the relay answers. Rejects when the connection ends before. */
  ask(line: string, phase: string, limitMs: number): Promise<Reply> {
    if (this.end) return Promise.reject(this.end)
    const answer = this.#answerWithin(limitMs, phase)
    this.write(`${line}\r\n`)
    return answer
  }

  /** Sets how long the relay may take from now on; `phase` completes “did not … in time”. */
  within(limitMs: number, phase: string): void {
    this.#deadline = performance.now() + limitMs
    this.#phase = phase
  }

  write(text: string): void {
    this.#socket.write(text)
  }

  /** A text, and in the same flight what follows it. */
  writeText(text: Buffer, after: string, limitMs: number): void {
    if (text.length > SLICE) this.#pour(text, { from: 0, after, limitMs })
    else this.#flight(text, after)
  }

  /** Says goodbye and hears no more. */
  leave(): void {
    if (this.end) return
    this.end = new Error('left')
    clearInterval(this.#clock)
    const socket = this.#socket
    socket.end('QUIT\r\n')
    setTimeout(() => socket.destroy(), LEAVING_MS).unref()
  }

  /** Ends the connection at once, with the reason. */
  fail(error: Error): void {
    if (this.end) return
    this.end = error
    clearInterval(this.#clock)
    this.#socket.destroy()
    this.#asked?.reject(error)
    this.#listener?.ended(error)
  }

  /** Writes a large text in slices, which distinguishes a slow connection from a stalled one. */
  #pour(text: Buffer, { from, after, limitMs }: { from: number; after: string; limitMs: number }): void {
    if (this.end) return
    this.within(limitMs, 'take the text')
    const to = from + SLICE
    this.pouring = to < text.length
    if (this.pouring) this.#socket.write(text.subarray(from, to), () => this.#pour(text, { from: to, after, limitMs }))
    else this.#flight(text.subarray(from), after)
  }

  #flight(text: Buffer, after: string): void {
    this.#socket.cork()
    this.#socket.write(text)
    this.#socket.write(after)
    this.#socket.uncork()
  }

  #listenTo(socket: Socket): void {
    socket.on('error', (error) => this.fail(error))
    socket.on('end', () => this.fail(new Error('The relay closed the connection')))
    socket.on('close', () => this.fail(new Error('The connection was closed')))
  }

  #listenToData(socket: Socket): Socket {
    return socket.on('data', (piece: Buffer) => this.#read(piece, piece.length))
  }

  #answerWithin(limitMs: number, phase: string): Promise<Reply> {
    this.#asked = Promise.withResolvers<Reply>()
    this.within(limitMs, phase)
    return this.#asked.promise
  }

  #read(bytes: Buffer, length: number): boolean {
    try {
      if (!this.end) this.#reader.read(bytes, length)
    } catch (error) {
      this.fail(error as Error)
    }
    return true
  }

  #onReply(reply: Reply): boolean {
    const asked = this.#asked
    this.#asked = null
    if (asked) asked.resolve(reply)
    else if (this.#listener) this.#listener.reply(reply)
    else this.fail(new Error('The relay spoke without being asked'))
    return this.end === null
  }

  #tick(): void {
    if (performance.now() < this.#deadline) return
    if (this.#listener && !this.#listener.late()) return
    this.fail(new Error(`The relay did not ${this.#phase} in time`))
  }
}

/** A certificate names a host, or an address; only a name is told to the relay before (RFC 6066 section 3). */
const namedBy = (host: string) => (isIP(host) ? { host } : { host, servername: host })
