import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Where a conversation stands: `BEGUN` is the first piece of a text, `WHOLE` its final dot. */
export type Step = 'CONNECT' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'BEGUN' | 'WHOLE'

/** What one connection has said about the message under way. */
export interface IncomingMessage {
  from: string
  to: string
  /** Only from `WHOLE` on; a view of what arrived, dots still doubled. */
  text: Buffer | null
}

/** Something else than the usual answer. */
export interface SinkReply {
  /** Without its line end; missing: the usual answer. */
  say?: string
  /** It is said when this is over, and all that was said behind it waits too. */
  after?: Promise<unknown>
  /** Nothing is said: the connection ends. */
  cut?: boolean
  /** Called when it is said. */
  said?: () => void
}

interface SinkOptions {
  port?: number
  /** Milliseconds that every answer travels longer; they travel at the same time. */
  delayMs?: number
  decide?(step: Step, parcel: IncomingMessage): SinkReply | undefined
}

export interface Sink {
  port: number
  url: string
  /** Whole messages, and their bytes as they travelled. */
  received(): { messages: number; bytes: number }
  connections(): number
  /** Ends every connection and takes no new one until `listen`. */
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

/** A relay that takes everything and keeps nothing, with pipelining (RFC 2920): the least of SMTP on raw sockets. */
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
  const { port } = server.address() as AddressInfo
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
  /** Of what is held, how much was looked through for the end of a text. */
  #searched = 0
  #inText = false
  #waiting = false
  #said = ''
  #parcel: IncomingMessage = { from: '', to: '', text: null }

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

  /** Takes up all that is complete, and says in one piece what there is to say. */
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
      this.#parcel = { from: address(line), to: '', text: null }
      this.#answer('MAIL', '250 2.1.0 ok')
    } else if (verb === 'RCPT') {
      this.#parcel.to = address(line)
      this.#answer('RCPT', '250 2.1.5 ok')
    } else if (verb === 'DATA') this.#answer('DATA', '354 go on')
    else if (verb === 'EHLO' || verb === 'HELO') this.#answer('EHLO', abilities)
    else if (verb === 'QUIT') this.#socket.end('221 2.0.0 bye\r\n')
    else this.#said += '250 2.0.0 ok\r\n'
  }

  #takeText(): boolean {
    // A lone dot: nobody was to get it (RFC 2920 section 3.1).
    if (this.#held.length < DOT.length) return false
    if (DOT.equals(this.#held.subarray(0, DOT.length))) return this.#takeNothing()
    if (this.#searched === 0) this.#decide('BEGUN')
    if (this.#socket.destroyed) return false
    const end = this.#held.indexOf(END, Math.max(0, this.#searched - END.length + 1))
    this.#searched = this.#held.length
    if (end < 0) return false
    this.#received.messages += 1
    this.#received.bytes += end + END.length
    this.#parcel.text = this.#held.subarray(0, end + 2)
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
    const deed = this.#options.decide?.(step, this.#parcel)
    if (deed?.cut && !deed.after) this.#socket.destroy()
    return deed
  }

  #answer(step: Step, usual: string): void {
    const deed = this.#decide(step)
    if (this.#socket.destroyed) return
    const speak = () => {
      const text = deed?.say ?? usual
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
    // RFC 5321 section 3.8: who says 421 hangs up.
    if (/(^|\n)421 /.test(text)) this.#socket.end()
  }
}

const address = (line: string): string => /<(.*?)>/.exec(line)?.[1] ?? ''
