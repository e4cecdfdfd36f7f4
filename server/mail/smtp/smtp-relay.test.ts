import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
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

/** Starts a server with these options. @returns its port */
async function startServer(options: SMTPServerOptions): Promise<number> {
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
  '%s: an untrusted certificate is refused with a clear reason; with a trusted one mail is sent',
  async (scheme, options) => {
    const port = await startServer(options)
    const distrusted = await relayAt(`${scheme}://127.0.0.1:${port}`).send(message)
    expect(distrusted).toEqual({
      kind: 'refused',
      text: 'The certificate of 127.0.0.1 cannot be trusted: self-signed certificate',
    })
    tls.setDefaultCACertificates([certificate])
    expect(await relayAt(`${scheme}://127.0.0.1:${port}`).send(message)).toMatchObject({ kind: 'answered', code: 250 })
  },
)

test('a password requires encryption for a remote relay', () => {
  expect(relayAddress('smtp://user:secret@relay.example.org')).toMatchObject({ requireTls: true, port: 587 })
  expect(relayAddress('smtps://user:secret@relay.example.org')).toMatchObject({ secure: true, port: 465 })
})

test('a relay whose name does not resolve and one that does not listen are unreachable', async () => {
  expect(await relayAt('smtp://relay.invalid:2525').send(message)).toMatchObject({ kind: 'unreachable' })
  const port = await startServer(takesAll)
  for (const { stop } of open.splice(0)) stop()
  expect(await relayAt(`smtp://127.0.0.1:${port}`).send(message)).toMatchObject({
    kind: 'unreachable',
    text: expect.stringContaining('ECONNREFUSED'),
  })
})

test('an urgent message goes before those that wait for a connection', async () => {
  const taken: string[] = []
  const port = await startServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      stream.resume().on('end', () => {
        taken.push(session.envelope.rcptTo[0]?.address ?? '')
        done(null, '2.0.0 ok')
      })
    },
  })
  const relay = new SmtpRelay(relayAddress(`smtp://127.0.0.1:${port}`), { connections: 1 })
  open.push({ stop: () => relay.close() })
  const waiting = Array.from({ length: 20 }, (_, n) => relay.send({ ...message, to: `bulk${n}@example.org` }))
  await waiting[0]
  await relay.send({ ...message, urgent: true })
  expect(taken.indexOf(message.to)).toBeLessThan(5)
  await Promise.all(waiting)
  expect(taken).toHaveLength(21)
})
