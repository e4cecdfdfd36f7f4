import { SMTPServer } from 'smtp-server'
import { portOf } from './port.ts'

interface Received {
  from: string
  to: string
  raw: string
}

/** The answer to a message: null accepts it, `hang up` closes the connection without one, `wait` answers after `release`. */
export type Script = (to: string, attempt: number) => { code: number; text: string } | 'hang up' | 'wait' | null

export interface RecordingRelay {
  url: string
  received: Received[]
  /** Accepts every message that waits. */
  release(): void
  stop(): Promise<void>
}

/**
 * An SMTP server on a free port that keeps in memory what it accepts, and answers as the script says: a 5xx to RCPT TO,
 * anything else after the text.
 */
export async function startRecordingRelay(script: Script = () => null, password?: string): Promise<RecordingRelay> {
  const received: Received[] = []
  const attempts = new Map<string, number>()
  const held: (() => void)[] = []
  const asked = (to: string, attempt: number) => script(to, attempt)
  const server = new SMTPServer({
    disabledCommands: password === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: 'x' }) : done(refusal(535, '5.7.8 wrong password')),
    onRcptTo({ address }, _session, done) {
      const attempt = (attempts.get(address) ?? 0) + 1
      attempts.set(address, attempt)
      const answer = asked(address, attempt)
      if (answer && typeof answer === 'object' && answer.code >= 500) return done(refusal(answer.code, answer.text))
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      const to = session.envelope.rcptTo[0]?.address ?? ''
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const answer = asked(to, attempts.get(to) ?? 1)
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
        const accept = () => {
          received.push({ from, to, raw: Buffer.concat(chunks).toString() })
          done(null, '2.0.0 ok')
        }
        if (answer === 'hang up') for (const connection of server.connections) connection._socket.destroy()
        else if (answer === 'wait') held.push(accept)
        else if (answer) done(refusal(answer.code, answer.text))
        else accept()
      })
    },
  })
  server.on('error', () => {})
  const listening = await new Promise<ReturnType<SMTPServer['listen']>>((resolve) => {
    const made = server.listen(0, '127.0.0.1', () => resolve(made))
  })
  const port = portOf(listening)
  return {
    url: `smtp://${password === undefined ? '' : 'x:wrong@'}127.0.0.1:${port}`,
    received,
    release: () => {
      for (const accept of held.splice(0)) accept()
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
