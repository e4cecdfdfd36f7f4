import { Readable } from 'node:stream'
import SMTPConnection, { type SMTPConnectionAuth, type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'

/** One message on its way: the envelope's two addresses and the whole of RFC 5322, lines ended by CRLF. */
export interface Message {
  from: string
  to: string
  raw: Buffer
}

/**
 * What became of one attempt.
 *
 * - `answered`: the relay said yes (2xx) or no (4xx, 5xx) to this message, in its own words.
 * - `unreachable`: no connection could be had; nothing of the message left.
 * - `refused`: the relay does not take mail from us: login, TLS, greeting.
 * - `broken`: the connection ended without an answer. With `written` the body may have arrived.
 */
export type Outcome =
  | { kind: 'answered'; code: number; text: string; command: string }
  | { kind: 'unreachable'; text: string }
  | { kind: 'refused'; text: string }
  | { kind: 'broken'; written: boolean; text: string }

type SmtpError = Error & {
  code?: string
  originalCode?: string
  response?: string
  responseCode?: number
  command?: string
}

interface RelayAddress {
  options: SMTPConnectionOptions
  auth: SMTPConnectionAuth | null
}

interface Line {
  connection: SMTPConnection
  alive: boolean
  sent: number
  idle: NodeJS.Timeout | null
}

const IDLE_MS = 5_000
/** Many relays close a connection after some number of messages; we leave before that. */
const MESSAGES_PER_LINE = 1_000

/** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. Certificates are always verified. */
export function relayAddress(url: string): RelayAddress {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : null
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return {
    auth,
    options: {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port ? Number(port) : secure ? 465 : 587,
      secure,
      // A password never crosses a network in the clear.
      requireTLS: !secure && auth !== null && !local,
      connectionTimeout: 15_000,
      greetingTimeout: 15_000,
      socketTimeout: 120_000,
      socketCloseTimeout: 0,
    },
  }
}

/** Open connections to one relay, kept between messages. At most `size` at a time; more calls wait their turn. */
export class Relay {
  readonly #idle: Line[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0

  constructor(
    private readonly address: RelayAddress,
    readonly size = 10,
  ) {}

  /** Hands over one message; `begun` is told before its text leaves. Never throws: what went wrong is the answer. */
  async send(message: Message, begun: () => void = () => {}): Promise<Outcome> {
    await this.#enter()
    try {
      return await this.#try(message, begun)
    } finally {
      this.#leave()
    }
  }

  /** Closes every idle connection; those in use close when they are done. */
  close(): void {
    for (const line of this.#idle.splice(0)) end(line)
  }

  async #try(message: Message, begun: () => void): Promise<Outcome> {
    const kept = this.#takeIdle()
    if (kept) {
      const outcome = await this.#sendOn(kept, message, begun)
      // A relay may hang up on an idle connection at any time: that is no answer to this message.
      if (outcome.kind !== 'broken' || outcome.written) return outcome
    }
    try {
      return await this.#sendOn(await openLine(this.address), message, begun)
    } catch (error) {
      return describeConnectError(error as SmtpError, this.address.options.host)
    }
  }

  async #sendOn(line: Line, message: Message, begun: () => void): Promise<Outcome> {
    const outcome = await transmit(line, message, begun)
    line.sent += 1
    const usable = outcome.kind === 'answered' && outcome.code !== 421 && line.sent < MESSAGES_PER_LINE
    if (usable && line.alive && (outcome.code < 400 || (await reset(line)))) this.#keep(line)
    else end(line)
    return outcome
  }

  #takeIdle(): Line | undefined {
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) {
      if (line.idle) clearTimeout(line.idle)
      if (line.alive) return line
    }
    return undefined
  }

  #keep(line: Line): void {
    line.idle = setTimeout(() => end(line), IDLE_MS)
    line.idle.unref()
    this.#idle.push(line)
  }

  async #enter(): Promise<void> {
    if (this.#busy < this.size) this.#busy += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#busy -= 1
  }
}

function openLine({ options, auth }: RelayAddress): Promise<Line> {
  const connection = new SMTPConnection({ ...options, logger: false })
  const line: Line = { connection, alive: true, sent: 0, idle: null }
  return new Promise((resolve, reject) => {
    connection.on('error', (error) => {
      line.alive = false
      reject(error)
    })
    connection.on('end', () => {
      line.alive = false
    })
    const settle = (error?: Error | null) => {
      if (!error) return resolve(line)
      end(line)
      reject(error)
    }
    connection.connect((error) => (error || !auth ? settle(error) : connection.login(auth, settle)))
  })
}

function transmit({ connection }: Line, { from, to, raw }: Message, begun: () => void): Promise<Outcome> {
  let written = false
  const body = new Readable({
    // Read only once the relay has said 354, so from here on the message may arrive.
    read() {
      begun()
      written = true
      this.push(raw)
      this.push(null)
    },
  })
  return new Promise((resolve) => {
    connection.send({ from, to: [to], size: raw.length }, body, (error, info) => {
      if (error) resolve(describeSendError(error as SmtpError, written))
      else resolve({ kind: 'answered', command: 'DATA', ...answerOf(info?.response ?? '250') })
    })
  })
}

const reset = ({ connection }: Line): Promise<boolean> =>
  new Promise((resolve) => connection.reset((error) => resolve(!error)))

function end(line: Line): void {
  if (line.idle) clearTimeout(line.idle)
  line.alive = false
  line.connection.close()
}

const answerOf = (response: string) => ({ code: Number(response.slice(0, 3)) || 250, text: response })

function describeSendError(error: SmtpError, written: boolean): Outcome {
  const text = error.response ?? error.message
  if (error.responseCode && error.command !== 'CONN') {
    return { kind: 'answered', code: error.responseCode, text, command: error.command ?? 'DATA' }
  }
  if (error.responseCode && !written) return { kind: 'unreachable', text }
  // Too large or an address that cannot be written in SMTP: the relay was never asked, and never will take it.
  if (error.code === 'EMESSAGE') return { kind: 'answered', code: 552, text, command: 'DATA' }
  if (error.code === 'EENVELOPE') return { kind: 'answered', code: 553, text, command: 'RCPT TO' }
  return { kind: 'broken', written, text }
}

const refusals = new Set(['EAUTH', 'ENOAUTH', 'ETLS', 'EREQUIRETLS'])

function describeConnectError(error: SmtpError, host: string | undefined): Outcome {
  const text = error.response ?? error.message
  if (isCertificate(error)) {
    // Without Node's advice about its own command line.
    const [reason] = text.split(';')
    return { kind: 'refused', text: `The certificate of ${host} cannot be trusted: ${reason}` }
  }
  const permanent = (error.responseCode ?? 0) >= 500
  const refused = refusals.has(error.code ?? '') && error.responseCode === undefined
  return permanent || refused ? { kind: 'refused', text } : { kind: 'unreachable', text }
}

const isCertificate = ({ code, originalCode }: SmtpError): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(originalCode ?? code ?? '')
