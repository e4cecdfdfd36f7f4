import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/away.ts'
import { AppError } from '../errors.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { messageOf, StartError } from '../start-error.ts'
import { handleInboundMail, type Purpose, purposeOf } from './inbound-handler.ts'

/** A mail server that takes in what comes back, and nothing else: it has no users, and hands nothing on. */
export interface Inbound {
  port: number
  stop(): Promise<void>
}

const MAX_MAIL_BYTES = 1024 * 1024
const MAX_CONNECTIONS = 50
const MAX_CONNECTIONS_FROM_ONE_NETWORK = 10
/** Who writes to addresses that nobody was given is guessing. */
const wrongAddresses = () => new Limit(30, 600)
/** A relay of our own may bring the bounces of a whole publication. */
const mails = () => new Limit(6_000, 600)

type Done = (error?: Error | null, message?: string) => void

/** @throws StartError when the port cannot be opened */
export function startInbound(context: Context, { host, port }: NonNullable<Config['inbound']>): Promise<Inbound> {
  const door = new InboundPolicy(context)
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
    onConnect: (session, done) => settle(door.enter(session), done),
    onClose: (session) => door.leave(session),
    onRcptTo: ({ address }, session, done) => settle(door.admit(address, session), done),
    onData: (stream, session, done) => settle(door.take(stream, session), done),
  })
  // A client that hangs up in the middle of a dialogue is not our concern.
  server.on('error', () => {})
  return new Promise((resolve, reject) => {
    const listening = server.listen(port, host, () => {
      const { port: taken } = listening.address() as AddressInfo
      resolve({ port: taken, stop: () => new Promise((stopped) => server.close(() => stopped())) })
    })
    listening.once('error', (error) => reject(unopened(port, error)))
  })
}

function unopened(port: number, error: Error): StartError {
  const advice = port < 1024 ? ' An ordinary user takes a port above 1023, to which port 25 is redirected.' : ''
  return new StartError(`INBOUND_PORT ${port} cannot be opened: ${messageOf(error)}.${advice}`, { cause: error })
}

const settle = (work: Promise<string | undefined>, done: Done): void => {
  work.then((message) => done(null, message), done)
}

/** What is asked of everybody who connects. */
class InboundPolicy {
  /** The network of each session that was greeted; others end without ever being known. */
  readonly #sessions = new Map<string, string>()
  readonly #wrong = wrongAddresses()
  readonly #mails = mails()

  constructor(private readonly context: Context) {}

  async enter({ id, remoteAddress }: SMTPServerSession): Promise<undefined> {
    const network = networkOf(remoteAddress)
    this.#sessions.set(id, network)
    const open = this.#sessions.values().reduce((count, one) => (one === network ? count + 1 : count), 0)
    if (open > MAX_CONNECTIONS_FROM_ONE_NETWORK) {
      throw refusal(421, '4.7.0 Too many connections from your network')
    }
  }

  leave({ id }: Pick<SMTPServerSession, 'id'>): void {
    this.#sessions.delete(id)
  }

  async admit(address: string, { remoteAddress, envelope }: SMTPServerSession): Promise<undefined> {
    const network = networkOf(remoteAddress)
    const purpose = purposeOf(this.context, address)
    if (!purpose) {
      await within(this.#wrong.take(network), 450)
      throw refusal(550, '5.1.1 No such address here')
    }
    // A bounce is no person’s wish to leave.
    if (purpose.kind === 'leave' && !senderOf(envelope)) throw refusal(550, '5.7.1 This address takes no bounces')
    await within(this.#mails.take(network), 451)
  }

  /** Answers once everything is in the database; while it is away the sender keeps the mail. */
  async take(stream: SMTPServerDataStream, { remoteAddress, envelope }: SMTPServerSession): Promise<string> {
    const raw = await readAll(stream)
    if (raw === null) throw refusal(552, '5.3.4 This is larger than any report')
    const purposes = envelope.rcptTo.map(({ address }) => purposeOf(this.context, address))
    try {
      await handleInboundMail(this.context, purposes.filter(isKnown), { raw, network: networkOf(remoteAddress) })
      return '2.0.0 Noted'
    } catch (error) {
      if (!isDatabaseAway(error)) this.context.log.error(error, 'a mail that came back could not be noted')
      throw refusal(451, '4.3.0 Not now, please try again later')
    }
  }
}

const isKnown = (purpose: Purpose | null): purpose is Purpose => purpose !== null

const senderOf = ({ mailFrom }: SMTPServerSession['envelope']): string => (mailFrom ? mailFrom.address : '')

/** Null for what is too large; the rest of it is read and dropped. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  for await (const piece of stream) {
    if (stream.sizeExceeded) pieces.length = 0
    else pieces.push(piece as Buffer)
  }
  return stream.sizeExceeded ? null : Buffer.concat(pieces)
}

async function within(taken: Promise<void>, code: number): Promise<void> {
  try {
    await taken
  } catch (error) {
    throw error instanceof AppError ? refusal(code, '4.7.1 Too much at once, please try again later') : error
  }
}

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
