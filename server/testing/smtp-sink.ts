import { createServer, type Socket } from 'node:net'
import { portOf } from './port.ts'

/** A step of the SMTP dialogue: `BEGUN` is the first bytes of a text, `WHOLE` its final dot. */
export type Step = 'CONNECT' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'BEGUN' | 'WHOLE'

/** The message that a connection is receiving. */
export interface IncomingMessage {
  /** Its place in its connection, from 1; 0 before the first. */
  place: number
  from: string
  to: string
  /** Only at `WHOLE`: the bytes that arrived, still dot-stuffed. */
  text: Buffer | null
}

/** What the sink does instead of the usual answer. */
export interface SinkReply {
  /** The answer without its line end; the usual answer when it is missing. */
  say?: string
  /** The answer waits for this, and later answers of the connection wait too. */
  after?: Promise<unknown>
  /** The connection is closed instead of an answer. */
  cut?: boolean
  /** Called when the answer is written. */
  said?: () => void
}

interface SinkOptions {
  port?: number
  /** Milliseconds by which every answer is delayed, all of them at the same time. */
  delayMs?: number
  decide?(step: Step, message: IncomingMessage): SinkReply | undefined
}

export interface Sink {
  port: number
  url: string
  /** Whole messages, and their bytes as they travelled. */
  received(): { messages: number; bytes: number }
  connections(): number
  /** Closes every connection and accepts no new one until `listen`. */
  deafen(): Promise<void>
  listen(): Promise<void>
  stop(): Promise<void>
}

const greeting = '220 sink ESMTP'
const abilities = [
  '250-sink',
  '250-PIPELINING',
  '250-SIZE 52428800',
  '250-8BITMIME',
  '250-SMTPUTF8',
  '250 ENHANCEDSTATUSCODES',
].join('\r\n')

/** An SMTP server that accepts every message and keeps none, with pipelining (RFC 2920), on raw sockets for speed. */
export async function startSink(options: SinkOptions = {}): Promise<Sink> {
  const received = { messages: 0, bytes: 0 }
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    new Conversation(socket, options, received).begin()
  })
  const listenOn = (port: number) =>
    new Promise<void>((resolve) => server.listen({ port, host: '127.0.0.1', backlog: 1_000 }, resolve))
  await listenOn(options.port ?? 0)
  const port = portOf(server)
  const deafen = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received: () => ({ ...received }),
    connections: () => open.size,
    deafen,
    listen: () => listenOn(port),
    stop: deafen,
  }
}

const END = Buffer.from('\r\n.\r\n')
const DOT = Buffer.from('.\r\n')
const NOTHING = Buffer.alloc(0)

class Conversation {
  #held: Buffer = NOTHING
  /** How many bytes of `#held` were searched for the end of a text. */
  #searched = 0
  #inText = false
  #waiting = false
  #said = ''
  #message: IncomingMessage = { place: 0, from: '', to: '', text: null }
  #hasSender = false

  readonly #socket: Socket
  readonly #options: SinkOptions
  readonly #received: { messages: number; bytes: number }

  constructor(socket: Socket, options: SinkOptions, received: { messages: number; bytes: number }) {
    this.#socket = socket
    this.#options = options
    this.#received = received
  }

  begin(): void {
    this.#socket.on('data', (piece: Buffer) => {
      this.#held = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
      this.#goOn()
    })
    this.#answer('CONNECT', greeting)
    this.#flush()
  }

  /** Handles every complete line and text, and writes the answers together. */
  #goOn(): void {
    while (!this.#waiting && !this.#socket.destroyed && (this.#inText ? this.#takeText() : this.#takeLine()));
    this.#flush()
  }

  #takeLine(): boolean {
    const end = this.#held.indexOf(10)
    if (end < 0) return false
    const line = this.#held.toString('latin1', 0, end).trimEnd()
    this.#held = this.#held.subarray(end + 1)
    this.#hear(line)
    return true
  }

  #hear(line: string): void {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'MAIL') {
      this.#message = { place: this.#message.place + 1, from: address(line), to: '', text: null }
      this.#answer('MAIL', '250 2.1.0 ok')
    } else if (!this.#hasSender && (verb === 'RCPT' || verb === 'DATA')) {
      this.#said += '503 5.5.1 a sender first\r\n'
    } else if (verb === 'RCPT') {
      this.#message.to = address(line)
      this.#answer('RCPT', '250 2.1.5 ok')
    } else if (verb === 'DATA') this.#answer('DATA', '354 go on')
    else if (verb === 'EHLO' || verb === 'HELO') this.#answer('EHLO', abilities)
    else if (verb === 'QUIT') this.#socket.end('221 2.0.0 bye\r\n')
    else this.#said += '250 2.0.0 ok\r\n'
  }

  #takeText(): boolean {
    // A dot alone: no recipient was accepted (RFC 2920 section 3.1).
    if (this.#held.length < DOT.length) return false
    if (DOT.equals(this.#held.subarray(0, DOT.length))) return this.#takeNothing()
    if (this.#searched === 0) this.#decide('BEGUN')
    if (this.#socket.destroyed) return false
    const end = this.#held.indexOf(END, Math.max(0, this.#searched - END.length + 1))
    this.#searched = this.#held.length
    if (end < 0) return false
    this.#received.messages += 1
    this.#received.bytes += end + END.length
    this.#message.text = this.#held.subarray(0, end + 2)
    this.#held = this.#held.subarray(end + END.length)
    this.#inText = false
    this.#answer('WHOLE', '250 2.0.0 ok')
    return true
  }

  #takeNothing(): boolean {
    this.#held = this.#held.subarray(DOT.length)
    this.#inText = false
    this.#said += '554 5.5.1 no valid recipients\r\n'
    return true
  }

  #decide(step: Step): SinkReply | undefined {
    const reply = this.#options.decide?.(step, this.#message)
    if (reply?.cut && !reply.after) this.#socket.destroy()
    return reply
  }

  #answer(step: Step, usual: string): void {
    const deed = this.#decide(step)
    if (this.#socket.destroyed) return
    const speak = () => {
      const text = deed?.say ?? usual
      if (step === 'MAIL') this.#hasSender = text.startsWith('2')
      this.#said += `${text}\r\n`
      this.#enterText(text)
      deed?.said?.()
    }
    if (deed?.after) void this.#wait(deed, speak)
    else speak()
  }

  async #wait(deed: SinkReply, speak: () => void): Promise<void> {
    this.#flush()
    this.#waiting = true
    await deed.after
    this.#waiting = false
    if (deed.cut) this.#socket.destroy()
    if (this.#socket.destroyed) return
    speak()
    this.#goOn()
  }

  #enterText(answer: string): void {
    this.#inText = answer.startsWith('354')
    this.#searched = 0
  }

  #flush(): void {
    if (this.#said === '' || this.#socket.destroyed) return
    const text = this.#said
    this.#said = ''
    if (!this.#options.delayMs) this.#socket.write(text, 'latin1')
    else setTimeout(() => this.#socket.destroyed || this.#socket.write(text, 'latin1'), this.#options.delayMs)
    // A server that answers 421 closes the connection (RFC 5321 section 3.8).
    if (/(^|\n)421 /.test(text)) this.#socket.end()
  }
}

const address = (line: string): string => /<(.*?)>/.exec(line)?.[1] ?? ''
