import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import tls from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { certificate, key } from '../../testing/certificate.ts'
import { relayAddress } from './address.ts'
import { SmtpRelay } from './smtp-relay.ts'

const open: { stop(): void }[] = []
const authorities = tls.getCACertificates()
afterEach(() => {
  for (const each of open.splice(0).reverse()) each.stop()
  tls.setDefaultCACertificates(authorities)
})

const message = {
  from: 'ines@lowwater.test',
  to: 'ada@example.org',
  raw: Buffer.from('Subject: Low tide\r\n\r\nNow.\r\n'),
}

/** A relay that is strange in one way; the port it listens on. */
async function strange(options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  open.push({ stop: () => server.close(() => {}) })
  return (listening.address() as AddressInfo).port
}

/** One that speaks as `answer` says to each line; null hangs up. */
async function scripted(answer: (line: string) => string | null): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {}).write('220 test ESMTP\r\n')
    socket.on('data', (piece) => {
      for (const line of piece.toString().split('\r\n').slice(0, -1)) {
        const said = answer(line)
        if (said === null) socket.destroy()
        else if (said) socket.write(`${said}\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({ stop: () => server.close() })
  return (server.address() as AddressInfo).port
}

function relayAt(url: string): SmtpRelay {
  const relay = new SmtpRelay(relayAddress(url), { connections: 2 })
  open.push({ stop: () => relay.close() })
  return relay
}

const takesAll: SMTPServerOptions = {
  key,
  cert: certificate,
  onData: (stream, _session, done) => {
    stream.resume().on('end', () => done(null, '2.0.0 ok'))
  },
}

test.each([
  ['smtps', { ...takesAll, secure: true }],
  ['smtp', takesAll],
] as const)(
  '%s: a certificate that nobody vouches for is refused in so many words; trusted, mail goes',
  async (scheme, options) => {
    const port = await strange(options)
    const distrusted = await relayAt(`${scheme}://127.0.0.1:${port}`).send(message)
    expect(distrusted).toEqual({
      kind: 'refused',
      text: 'The certificate of 127.0.0.1 cannot be trusted: self-signed certificate',
    })
    tls.setDefaultCACertificates([certificate])
    expect(await relayAt(`${scheme}://127.0.0.1:${port}`).send(message)).toMatchObject({ kind: 'answered', code: 250 })
  },
)

test('a password is not given to a relay elsewhere that offers no encryption', () => {
  expect(relayAddress('smtp://user:secret@relay.example.org')).toMatchObject({ requireTls: true, port: 587 })
  expect(relayAddress('smtps://user:secret@relay.example.org')).toMatchObject({ secure: true, port: 465 })
})

test('a relay that nobody finds, and one that does not listen, are out of reach', async () => {
  expect(await relayAt('smtp://relay.invalid:2525').send(message)).toMatchObject({ kind: 'unreachable' })
  const port = await strange(takesAll)
  for (const { stop } of open.splice(0)) stop()
  expect(await relayAt(`smtp://127.0.0.1:${port}`).send(message)).toMatchObject({
    kind: 'unreachable',
    text: expect.stringContaining('ECONNREFUSED'),
  })
})

test('a relay that hangs up after each message gets each of them once', async () => {
  let taken = 0
  let inBody = false
  const port = await scripted((line) => {
    if (inBody) {
      if (line !== '.') return ''
      inBody = false
      taken += 1
      return '250 ok'
    }
    if (line === 'DATA') {
      inBody = true
      return '354 go on'
    }
    if (taken > 0 && line.startsWith('MAIL')) {
      taken -= 1
      return null
    }
    return '250 ok'
  })
  const relay = relayAt(`smtp://127.0.0.1:${port}`)
  for (let n = 0; n < 4; n++) expect(await relay.send(message)).toMatchObject({ kind: 'answered', code: 250 })
})

test.each([
  [
    '421 at the greeting',
    (line: string) => (line.startsWith('EHLO') ? '421 4.3.2 too many' : '421 later'),
    'unreachable',
  ],
  [
    'a hang-up within the text',
    (line: string) =>
      line === 'DATA'
        ? '354 go on'
        : line === '.'
          ? null
          : line.startsWith('Subject') || line === 'Now.' || line === ''
            ? ''
            : '250 ok',
    'broken',
  ],
  ['a hang-up before the text', (line: string) => (line === 'DATA' ? null : '250 ok'), 'broken'],
] as const)('%s', async (_what, answer, kind) => {
  let begun = 0
  const outcome = await relayAt(`smtp://127.0.0.1:${await scripted(answer)}`).send(message, () => begun++)
  expect(outcome.kind).toBe(kind)
  if (outcome.kind === 'broken') expect(outcome.written).toBe(begun === 1)
})

test('421 instead of an answer to the message is an answer: nothing was taken', async () => {
  const port = await scripted((line) => (line.startsWith('RCPT') ? '421 4.7.0 closing' : '250 ok'))
  expect(await relayAt(`smtp://127.0.0.1:${port}`).send(message)).toMatchObject({ kind: 'answered', code: 421 })
})
