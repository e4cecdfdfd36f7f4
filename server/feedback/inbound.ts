import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/away.ts'
import { AppError } from '../errors.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { messageOf, StartError } from '../start-error.ts'
import { handleInboundMail, type Purpose, purposeOf } from './inbound-handler.ts'

/** A mail server that receives bounces, complaints and requests to leave. It has no users and relays nothing. */
export interface Inbound {
  port: number
  stop(): Promise<void>
}

const MAX_MAIL_BYTES = 1024 * 1024
const MAX_CONNECTIONS = 50
const MAX_CONNECTIONS_FROM_ONE_NETWORK = 10
/** Somebody who writes to addresses that we gave to nobody is guessing. */
const unknownAddressLimit = () => new Limit(30, 600)
/** One of our own relays may send the bounces of a whole publication. */
const mailLimit = () => new Limit(6_000, 600)

type Done = (error?: Error | null, message?: string) => void

/** @throws StartError when the port cannot be opened */
export function startInbound(context: Context, { host, port }: NonNullable<Config['inbound']>): Promise<Inbound> {
  const policy = new InboundPolicy(context)
  const server = new SMTPServer({
    name: context.config.bounceDomain ?? '',
    banner: 'bounces and complaints',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: 60_000,
    closeTimeout: 2_000,
    logger: false,
    onConnect: (session, done) => answerWith(policy.enter(session), done),
    onClose: (session) => policy.leave(session),
    onRcptTo: ({ address }, session, done) => answerWith(policy.admit(address, session), done),
    onData: (stream, session, done) => answerWith(policy.take(stream, session), done),
  })
  // A client that breaks off a session does no harm.
  server.on('error', () => {})
  return new Promise((resolve, reject) => {
    const listening = server.listen(port, host, () => {
      const address = listening.address()
      // With INBOUND_PORT=0 the system chooses the port.
      const openPort = typeof address === 'object' && address ? address.port : port
      resolve({ port: openPort, stop: () => new Promise((stopped) => server.close(() => stopped())) })
    })
    listening.once('error', (error) => reject(unopened(port, error)))
  })
}

function unopened(port: number, error: Error): StartError {
  const advice = port < 1024 ? ' An ordinary user takes a port above 1023, to which port 25 is redirected.' : ''
  return new StartError(`INBOUND_PORT ${port} cannot be opened: ${messageOf(error)}.${advice}`, { cause: error })
}

const answerWith = (work: Promise<string | undefined>, done: Done): void => {
  work.then((message) => done(null, message), done)
}

/** Decides who may connect, and which mail is accepted. */
class InboundPolicy {
  /** The network of each open session. */
  readonly #sessions = new Map<string, string>()
  readonly #wrong = unknownAddressLimit()
  readonly #mails = mailLimit()

  constructor(private readonly context: Context) {}

  async enter({ id, remoteAddress }: SMTPServerSession): Promise<undefined> {
    const network = networkOf(remoteAddress)
    this.#sessions.set(id, network)
    const open = this.#sessions.values().reduce((count, one) => (one === network ? count + 1 : count), 0)
    if (open > MAX_CONNECTIONS_FROM_ONE_NETWORK) {
      throw smtpError(421, '4.7.0 Too many connections from your network')
    }
  }

  leave({ id }: Pick<SMTPServerSession, 'id'>): void {
    this.#sessions.delete(id)
  }

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
  async take(stream: SMTPServerDataStream, { remoteAddress, envelope }: SMTPServerSession): Promise<string> {
    const raw = await readAll(stream)
    if (raw === null) throw smtpError(552, '5.3.4 This is larger than any report')
    const purposes = envelope.rcptTo.map(({ address }) => purposeOf(this.context, address))
    try {
      await handleInboundMail(this.context, purposes.filter(isKnown), { raw, network: networkOf(remoteAddress) })
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
