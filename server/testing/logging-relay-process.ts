import { appendFileSync } from 'node:fs'
import { SMTPServer } from 'smtp-server'
import { portOf } from './port.ts'

/**
 * A relay in a process of its own, for tests that kill the program: `node logging-relay-process.ts <file> <milliseconds>`.
 * It prints its port. It writes the Message-ID of each whole message to the file, waits, and then accepts the message.
 */
const [file = '', wait = '0'] = process.argv.slice(2)

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  authOptional: true,
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, done) {
    let head = ''
    stream.on('data', (piece: Buffer) => {
      if (head.length < 8_192) head += piece.toString('latin1')
    })
    stream.on('end', () => {
      if (file) appendFileSync(file, `${/^message-id: *<(.+)>/im.exec(head)?.[1] ?? ''}\n`)
      if (wait === '0') done(null, '2.0.0 ok')
      else setTimeout(() => done(null, '2.0.0 ok'), Number(wait))
    })
  },
})
server.on('error', () => {})
const listening = server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${portOf(listening)}\n`)
})
