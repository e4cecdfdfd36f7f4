import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { RelayAddress } from './address.ts'
import { type Reply, ReplyReader } from './replies.ts'

/** Milliseconds that each phase may take (compare RFC 5321 section 4.5.3.2). */
export interface Limits {
  connect: number
  greeting: number
  /** EHLO, STARTTLS, its handshake, AUTH. */
  opening: number
  /** MAIL, RCPT, RSET and DATA. */
  envelope: number
  /** While the relay takes none of the text. */
  text: number
  /** For the answer to the text. */
  answer: number
  /** How long an open connection is kept without work. */
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

/** Gets what happens on a connection. */
export interface Listener {
  reply(reply: Reply): void
  /** The time limit has passed. @returns false when it has set another one */
  late(): boolean
  ended(error: Error): void
}

const LEAVING_MS = 2_000
const SLICE = 65_536
const REPLIES = 4_096

/** The bytes of one connection. Commands go out, replies come back in order, and it ends once, with a reason. */
export class Wire {
  /** Why it has ended; null while it is open. */
  end: Error | null = null
  /** Some slices of a large text are not written yet. */
  isWritingSlices = false
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

  /** From now on the listener gets the replies. */
  set listener(listener: Listener) {
    this.#listener = listener
  }

  /** Whether bytes arrived after the last reply. They cannot answer what was not sent yet. */
  get hasMore(): boolean {
    return this.#reader.hasMore
  }

  /** Whether the kernel has not taken everything that was written. */
  get isStalled(): boolean {
    return this.#socket.writableLength > 0
  }

  /** Resolves to the greeting, which follows the connection and, with smtps, the TLS handshake. */
  greeting({ connect, greeting }: Limits): Promise<Reply> {
    const answer = this.#answerWithin(connect, 'accept a connection')
    const event = this.address.secure ? 'secureConnect' : 'connect'
    this.#socket.once(event, () => this.within(greeting, 'greet us'))
    return answer
  }

  /** Starts TLS, after the relay accepted STARTTLS (RFC 3207). */
  async secured(limitMs: number): Promise<void> {
    const plain = this.#socket
    for (const name of ['end', 'close']) plain.removeAllListeners(name)
    this.#socket = this.#listenToData(connectTls({ socket: plain, ...namedBy(this.address.host) }))
    this.#listenTo(this.#socket)
    const handshake = this.#answerWithin(limitMs, 'complete the TLS handshake')
    this.#socket.once('secureConnect', () => this.#onReply({ code: 220, lines: [] }))
    await handshake
  }

  /** Sends one line and resolves to its reply. Rejects when the connection ends before. */
  ask(line: string, phase: string, limitMs: number): Promise<Reply> {
    if (this.end) return Promise.reject(this.end)
    const answer = this.#answerWithin(limitMs, phase)
    this.write(`${line}\r\n`)
    return answer
  }

  /** Sets how long the relay may take from now on. `phase` completes “did not … in time”. */
  within(limitMs: number, phase: string): void {
    this.#deadline = performance.now() + limitMs
    this.#phase = phase
  }

  write(text: string): void {
    this.#socket.write(text)
  }

  /** Writes a text together with the commands after it. */
  writeText(text: Buffer, after: string, limitMs: number): void {
    if (text.length > SLICE) this.#writeSlices(text, { from: 0, after, limitMs })
    else this.#writeTogether(text, after)
  }

  /** Sends QUIT and closes the connection. The listener gets nothing more. */
  leave(): void {
    if (this.end) return
    this.end = new Error('left')
    clearInterval(this.#clock)
    const socket = this.#socket
    socket.end('QUIT\r\n')
    setTimeout(() => socket.destroy(), LEAVING_MS).unref()
  }

  /** Ends the connection at once, with a reason. */
  fail(error: Error): void {
    if (this.end) return
    this.end = error
    clearInterval(this.#clock)
    this.#socket.destroy()
    this.#asked?.reject(error)
    this.#listener?.ended(error)
  }

  /** Writes a large text in slices. So a slow connection can be distinguished from a stalled one. */
  #writeSlices(text: Buffer, { from, after, limitMs }: { from: number; after: string; limitMs: number }): void {
    if (this.end) return
    this.within(limitMs, 'take the text')
    const to = from + SLICE
    this.isWritingSlices = to < text.length
    if (this.isWritingSlices)
      this.#socket.write(text.subarray(from, to), () => this.#writeSlices(text, { from: to, after, limitMs }))
    else this.#writeTogether(text.subarray(from), after)
  }

  #writeTogether(text: Buffer, after: string): void {
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
    return socket.on('data', (chunk: Buffer) => this.#read(chunk, chunk.length))
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
      this.fail(error instanceof Error ? error : new Error(String(error)))
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

/** A certificate names a host or an IP address. Only a name may be sent to the relay as SNI (RFC 6066 section 3). */
const namedBy = (host: string) => (isIP(host) ? { host } : { host, servername: host })
