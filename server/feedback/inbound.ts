import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/away.ts'
import { AppError } from '../errors.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { messageOf, StartError } from '../start-error.ts'
import { handleInboundMail, type Purpose, purposeOf } from './inbound-handler.ts'
import { usualVisitLimits, type VisitLimits, Visits } from './visits.ts'

/** A mail server that receives bounces, complaints and requests to leave. It has no users and relays nothing. */
export interface Inbound {
  port: number
  stop(): Promise<void>
}

const MAX_MAIL_BYTES = 1024 * 1024
const CLOSE_MS = 2_000
/** Somebody who writes to addresses that we gave to nobody is guessing. */
const unknownAddressLimit = () => new Limit(30, 600)
/** One of our own relays may send the bounces of a whole publication. */
const mailLimit = () => new Limit(6_000, 600)

type Done = (error?: Error | null, message?: string) => void

/** @throws StartError when the port cannot be opened */
export function startInbound(
  context: Context,
  { host, port }: NonNullable<Config['inbound']>,
  limits: VisitLimits = usualVisitLimits,
): Promise<Inbound> {
  const visits = new Visits(limits)
  const policy = new InboundPolicy(context, visits)
  const server = new SMTPServer({
    name: context.config.bounceDomain ?? '',
    banner: 'bounces and complaints',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    socketTimeout: 60_000,
    logger: false,
    onRcptTo: ({ address }, session, done) => answerWith(policy.admit(address, session), done),
    onData: (stream, session, done) => answerWith(policy.take(stream, session), done),
  })
  // A client that breaks off a session does no harm.
  server.on('error', () => {})
  // Some servers, such as Exim, end their side of the connection right after the last dot, and wait for the answer.
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    const id = visits.admit(socket)
    if (id !== null) server.connect(answerable(socket), { id })
  })
  // Clients that are refused have a connection for a moment.
  listener.maxConnections = limits.connections * 4
  const stop = () =>
    new Promise<void>((stopped) => {
      listener.close(() => stopped())
      server.close()
      const closing = setTimeout(() => visits.closeAll(), CLOSE_MS).unref()
      listener.once('close', () => clearTimeout(closing))
    })
  return new Promise((resolve, reject) => {
    listener.once('error', (error) => reject(unopened(port, error)))
    listener.listen(port, host, () => {
      const address = listener.address()
      // With INBOUND_PORT=0 the system chooses the port.
      const openPort = typeof address === 'object' && address ? address.port : port
      resolve({ port: openPort, stop })
    })
  })
}

/** smtp-server answers on an open socket only, and takes one whose client has ended its side for closed. */
const answerable = (socket: Socket): Socket =>
  Object.defineProperty(socket, 'readyState', { get: () => (socket.writable ? 'open' : 'closed') })

function unopened(port: number, error: Error): StartError {
  const advice = port < 1024 ? ' An ordinary user takes a port above 1023, to which port 25 is redirected.' : ''
  return new StartError(`INBOUND_PORT ${port} cannot be opened: ${messageOf(error)}.${advice}`, { cause: error })
}

const answerWith = (work: Promise<string | undefined>, done: Done): void => {
  work.then((message) => done(null, message), done)
}

/** Decides which mail is accepted. */
class InboundPolicy {
  readonly #wrong = unknownAddressLimit()
  readonly #mails = mailLimit()

  constructor(
    private readonly context: Context,
    private readonly visits: Visits,
  ) {}

  async admit(address: string, { remoteAddress, envelope }: SMTPServerSession): Promise<undefined> {
    const network = networkOf(remoteAddress)
    const purpose = purposeOf(this.context, address)
    if (!purpose) {
      await takeFrom(this.#wrong.take(network), 450)
      throw smtpError(550, '5.1.1 No such address here')
    }
    // A bounce is not a person's wish to leave.
    if (purpose.kind === 'leave' && !senderOf(envelope)) throw smtpError(550, '5.7.1 This address takes no bounces')
    await takeFrom(this.#mails.take(network), 451)
  }

  /** Resolves when everything is committed. While the database is away, the sender keeps the mail. */
  async take(stream: SMTPServerDataStream, { id, remoteAddress, envelope }: SMTPServerSession): Promise<string> {
    const raw = await readAll(stream)
    if (raw === null) throw smtpError(552, '5.3.4 This is larger than any report')
    const purposes = envelope.rcptTo.map(({ address }) => purposeOf(this.context, address))
    try {
      const mail = { raw, network: networkOf(remoteAddress) }
      await this.visits.during(id, () => handleInboundMail(this.context, purposes.filter(isKnown), mail))
      return '2.0.0 Noted'
    } catch (error) {
      if (!isDatabaseAway(error)) this.context.log.error(error, 'an inbound mail could not be recorded')
      throw smtpError(451, '4.3.0 Not now, please try again later')
    }
  }
}

const isKnown = (purpose: Purpose | null): purpose is Purpose => purpose !== null

const senderOf = ({ mailFrom }: SMTPServerSession['envelope']): string => (mailFrom ? mailFrom.address : '')

/** Returns null for a mail that is too large, after reading all of it. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    if (stream.sizeExceeded) chunks.length = 0
    else chunks.push(chunk)
  }
  return stream.sizeExceeded ? null : Buffer.concat(chunks)
}

async function takeFrom(taken: Promise<void>, code: number): Promise<void> {
  try {
    await taken
  } catch (error) {
    throw error instanceof AppError ? smtpError(code, '4.7.1 Too much at once, please try again later') : error
  }
}

const smtpError = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
