import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { certificate, key } from './certificate.ts'
import { portOf } from './port.ts'

class Gone extends Error {}

/** One connection of a client, for scripts that read and write it line by line and break it in every way. */
export class Peer {
  #socket: Socket
  #heard = ''
  #gone = false
  /** We ended the connection: what arrived and was not read is dropped. */
  #over = false
  #waiting: PromiseWithResolvers<void> | null = null

  constructor(
    socket: Socket,
    /** Which connection it is, from 0. */
    readonly nth: number,
  ) {
    this.#socket = this.#listen(socket)
  }

  /** What arrived and was not read yet. */
  get unread(): string {
    return this.#heard
  }

  get bytesWritten(): number {
    return this.#socket.bytesWritten
  }

  /** The next line, without its end. Throws when the client is gone. */
  async line(): Promise<string> {
    return (await this.#until('\r\n')).slice(0, -2)
  }

  /** A whole text, without dot-stuffing (RFC 5321 section 4.5.2). */
  async text(): Promise<string> {
    if (this.#over) throw new Gone()
    while (!this.#heard.startsWith('.\r\n') && !this.#heard.includes('\r\n.\r\n')) await this.#more()
    const raw = this.#heard.startsWith('.\r\n') ? this.#take(3) : this.#take(this.#heard.indexOf('\r\n.\r\n') + 5)
    return raw.slice(0, -3).replaceAll(/^\./gm, '')
  }

  /** Resolves when some bytes have arrived. */
  async something(): Promise<void> {
    while (this.#heard === '') await this.#more()
  }

  /** Resolves when the client has left. */
  async left(): Promise<void> {
    try {
      for (;;) await this.#more()
    } catch {}
  }

  say(...lines: string[]): void {
    this.raw(lines.map((line) => `${line}\r\n`).join(''))
  }

  raw(bytes: string): void {
    if (!this.#gone) this.#socket.write(bytes, 'latin1')
  }

  /** A byte at a time, each on its own. */
  async spell(...lines: string[]): Promise<void> {
    for (const byte of lines.map((line) => `${line}\r\n`).join('')) {
      if (this.#gone) return
      this.raw(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Writes up to so many bytes, as fast as the client reads them. */
  async pour(chunk: string, bytes: number): Promise<void> {
    for (let sent = 0; sent < bytes && !this.#gone; sent += chunk.length) {
      if (this.#socket.write(chunk)) continue
      await new Promise<void>((resolve) => {
        for (const event of ['drain', 'close']) this.#socket.once(event, () => resolve())
      })
    }
  }

  secure(): void {
    this.#socket.removeAllListeners('data')
    this.#heard = ''
    this.#socket = this.#listen(new TLSSocket(this.#socket, { isServer: true, key, cert: certificate }))
  }

  /** Reads no more. */
  deaf(): void {
    this.#socket.pause()
  }

  cut(): void {
    this.#over = true
    this.#socket.destroy()
  }

  reset(): void {
    this.#over = true
    // Node resets no connection under TLS.
    if (this.#socket instanceof TLSSocket) this.#socket.destroy()
    else this.#socket.resetAndDestroy()
  }

  /** Ends our side of the connection and goes on reading. */
  halfClose(): void {
    this.#socket.end()
  }

  #listen(socket: Socket): Socket {
    socket.on('data', (piece) => {
      this.#heard += piece.toString('latin1')
      this.#waiting?.resolve()
    })
    for (const event of ['error', 'end', 'close']) {
      socket.on(event, () => {
        this.#gone = true
        this.#waiting?.resolve()
      })
    }
    return socket
  }

  async #until(end: string): Promise<string> {
    if (this.#over) throw new Gone()
    while (!this.#heard.includes(end)) await this.#more()
    return this.#take(this.#heard.indexOf(end) + end.length)
  }

  #take(length: number): string {
    const taken = this.#heard.slice(0, length)
    this.#heard = this.#heard.slice(length)
    return taken
  }

  async #more(): Promise<void> {
    if (this.#gone) throw new Gone()
    this.#waiting = Promise.withResolvers<void>()
    await this.#waiting.promise
  }
}

export interface ScriptedServer {
  port: number
  /** Connections that were begun. */
  readonly connections: number
  /** The first error of a script. */
  readonly failure: unknown
  stop(): void
}

/** A server on a free port whose every connection is served by `serve`. */
export async function startScriptedServer(
  serve: (peer: Peer) => Promise<void>,
  secure = false,
): Promise<ScriptedServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  let failure: unknown
  const accept = (socket: Socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
    const peer = new Peer(socket, connections)
    connections += 1
    serve(peer).catch((error: unknown) => {
      if (!(error instanceof Gone)) failure ??= error
    })
  }
  const options = { allowHalfOpen: true, noDelay: true }
  const server = secure
    ? createTlsServer({ ...options, key, cert: certificate }, accept)
    : createServer(options, accept)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: portOf(server),
    get connections() {
      return connections
    },
    get failure() {
      return failure
    },
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Step = 'mail' | 'rcpt' | 'data' | 'text' | 'rset'

/** The answer to a line or a text. Null: the script has answered already. Undefined: the usual positive answer. */
type Answer = string | null | undefined

export interface ServerOptions {
  offers?: string[]
  /** The greeting and EHLO are done already. */
  greeted?: boolean
  answer?: (peer: Peer, step: Step, said: string) => Promise<Answer> | Answer
  /** How an answer is written; by default a line at once. */
  say?: (peer: Peer, line: string) => Promise<void>
}

const usual = {
  mail: '250 2.1.0 Ok',
  rcpt: '250 2.1.5 Ok',
  data: '354 go on',
  text: '250 2.0.0 Ok',
  rset: '250 2.0.0 Ok',
}

/** Serves one client as RFC 5321 says, except where `answer` says otherwise. Accepted messages are added to `taken`. */
export async function serve(
  peer: Peer,
  taken: Taken[],
  { offers, greeted, answer, say }: ServerOptions = {},
): Promise<void> {
  const speak = say ?? (async (_, line) => peer.say(line))
  const permits = async (step: Step, said: string, yes: () => void) => {
    const told = await answer?.(peer, step, said)
    const line = told === undefined ? usual[step] : told
    if (line?.startsWith(usual[step].slice(0, 3))) yes()
    if (line !== null) await speak(peer, line)
  }
  if (!greeted) {
    await speak(peer, '220 raw.test ESMTP')
    await peer.line()
    await speak(peer, ehloReply(offers ?? ['PIPELINING']))
  }
  let from: string | null = null
  let to: string[] = []
  const clear = () => {
    from = null
    to = []
  }
  const steps: Record<string, (line: string) => Promise<void> | void> = {
    mail: (line) =>
      permits('mail', line, () => {
        from = pathIn(line)
      }),
    rcpt: (line) =>
      from === null ? peer.say('503 5.5.1 no sender') : permits('rcpt', line, () => to.push(pathIn(line))),
    rset: (line) => permits('rset', line, clear),
    data: async (line) => {
      let granted = false
      if (to.length === 0) return peer.say('554 5.5.1 no valid recipients')
      await permits('data', line, () => {
        granted = true
      })
      if (!granted) return
      const text = await peer.text()
      await permits('text', text, () => taken.push(...to.map((each) => ({ from: from ?? '', to: each, text }))))
      clear()
    },
  }
  for (let line = await peer.line(); line !== 'QUIT'; line = await peer.line()) {
    const step = steps[line.slice(0, 4).toLowerCase()]
    if (!step) throw new Error(`Not a command: ${line}`)
    await step(line)
  }
  peer.say('221 bye')
  peer.halfClose()
}

/** The whole reply to EHLO, without its last line end. */
export const ehloReply = (offers: string[]): string =>
  ['raw.test', ...offers].map((line, n, { length }) => `250${n < length - 1 ? '-' : ' '}${line}`).join('\r\n')

export interface Taken {
  from: string
  to: string
  text: string
}

const pathIn = (line: string): string => /<(.*)>/.exec(line)?.[1] ?? ''
