import { SMTPServer } from 'smtp-server'
import { type FakeProvider, parsedMail } from './fake-provider.ts'
import { portOf } from './port.ts'

/** An SMTP server on a free port of this machine that behaves as the fake APIs do. */
export async function startFakeSmtp(): Promise<FakeProvider> {
  const secret = 'hunter2 é'
  let proved = ''
  const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    onAuth({ password }, _session, done) {
      proved = password ?? ''
      if (fake.behaviour === 'knows us not') done(refusal(535, '5.7.8 Authentication credentials invalid'))
      else done(null, { user: 'x' })
    },
    onMailFrom(_address, _session, done) {
      done(fake.behaviour === 'doubts our sender' ? refusal(550, '5.7.1 Sender not allowed') : null)
    },
    onRcptTo(_address, _session, done) {
      done(fake.behaviour === 'knows nobody' ? refusal(550, '5.1.1 No such user here') : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const mail = await parsedMail(Buffer.concat(chunks))
        fake.arrived.push({ ...mail, to, secret: proved, names: null, path: '', requestHeaders: {} })
        if (fake.behaviour === 'hangs up') for (const connection of server.connections) connection._socket.destroy()
        else if (fake.behaviour === 'wants less') done(refusal(421, '4.7.0 Try again later, closing connection'))
        else if (fake.behaviour === 'fails') done(refusal(451, '4.3.0 Local error in processing'))
        else done(null, '2.0.0 ok')
      })
    },
  })
  server.on('error', () => {})
  const fake: FakeProvider = {
    config: { kind: 'smtp', host: '127.0.0.1', port: 0, security: 'none', username: 'x' },
    secret,
    httpApi: null,
    behaviour: 'accepts',
    arrived: [],
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const listening = await new Promise<ReturnType<SMTPServer['listen']>>((resolve) => {
    const made = server.listen(0, '127.0.0.1', () => resolve(made))
  })
  const port = portOf(listening)
  fake.config = { kind: 'smtp', host: '127.0.0.1', port, security: 'none', username: 'x' }
  return fake
}
