import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Outcome } from '../mail/relay.ts'
import { messageOf } from '../start-error.ts'
import type { Outbox } from './outbox.ts'

/** A mail server for this machine only. It keeps all mail in the outbox and delivers nothing. */
export interface Catcher {
  port: number
  stop(): Promise<void>
}

const MAX_MAIL_BYTES = 25 * 1024 * 1024

/** RFC 5321 section 4.2.3, and RFC 3463 section 3.4: whoever sends it keeps it and tries again. */
const notKept = (error: unknown): Error =>
  Object.assign(new Error(`4.3.1 Not kept: ${messageOf(error)}`), { responseCode: 452 })

const CAUGHT = '2.0.0 caught as '

/** The id of the mail in the outbox; null when the outcome is not an answer of the catcher. */
export const caughtMailId = (outcome: Outcome): string | null =>
  outcome.kind === 'answered' && outcome.caught ? (outcome.text.split(CAUGHT)[1]?.trim() ?? null) : null

/** Listens on a free loopback port. */
export function startCatcher(outbox: Outbox): Promise<Catcher> {
  const server = new SMTPServer({
    banner: 'Tirage catches this mail',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    authOptional: true,
    size: MAX_MAIL_BYTES,
    closeTimeout: 500,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      const { mailFrom, rcptTo } = session.envelope
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', done)
      stream.on('end', () => {
        outbox.keep(Buffer.concat(chunks), envelope).then(
          ({ id }) => done(null, CAUGHT + id),
          (error: unknown) => done(notKept(error)),
        )
      })
    },
  })
  // A client that disconnects in the middle of a dialogue does not matter.
  server.on('error', () => {})
  return new Promise((resolve, reject) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const { port } = listening.address() as AddressInfo
      resolve({ port, stop: () => new Promise((stopped) => server.close(() => stopped())) })
    })
    listening.once('error', reject)
  })
}
