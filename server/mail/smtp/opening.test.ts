import tls from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { certificate } from '../../testing/certificate.ts'
import { ehloReply, type Peer, type ScriptedServer, serve } from '../../testing/scripted-server.ts'
import { briefly, limits, messageTo, SmtpHarness, sendTo } from '../../testing/smtp-harness.ts'
import { relayAddress } from './address.ts'
import { SmtpRelay } from './smtp-relay.ts'

let harness = new SmtpHarness()
const authorities = tls.getCACertificates()
afterEach(() => {
  harness.stop()
  harness = new SmtpHarness()
  tls.setDefaultCACertificates(authorities)
})

const send = (at: string | ScriptedServer) => harness.client(at).send(messageTo('r0@example.org'))
const taken = { kind: 'answered', code: 250 }

/** Answers each line with the next of `replies`, and keeps the lines in `received`. */
function scripted(received: string[], greeting: string, ...replies: string[]) {
  return async (peer: Peer) => {
    peer.say(greeting)
    for (const reply of replies) {
      received.push(await peer.line())
      peer.say(reply)
    }
    await peer.left()
  }
}

test.each([
  ['greets with a no', '554 5.3.2 no mail here', 'refused', '554 5.3.2 no mail here'],
  ['greets with a later', '421 4.3.2 too many of you', 'unreachable', '421 4.3.2 too many of you'],
  [
    'speaks HTTP',
    'HTTP/1.1 400 Bad Request',
    'unreachable',
    'The relay sent what is no reply: HTTP/1.1 400 Bad Request',
  ],
])('a server that %s', async (...[, greeting, kind, text]) => {
  expect(await send(await harness.server(scripted([], greeting)))).toEqual({ kind, text })
})

test('a server that says 421 to EHLO is not greeted with HELO', async () => {
  const received: string[] = []
  const server = await harness.server(scripted(received, '220 raw.test', '421 4.3.2 too many of you'))
  expect(await send(server)).toEqual({ kind: 'unreachable', text: '421 4.3.2 too many of you' })
  expect(received).toEqual(['EHLO [127.0.0.1]'])
})

test.each([
  ['lines without end', '220-welcome, and welcome again\r\n', 'The relay sent a reply of more than 64 kB'],
  ['one line without end', 'x'.repeat(50_000), 'The relay sent a line of more than 8 kB'],
])('a greeting of %s is read up to a limit', async (_what, chunk, text) => {
  const poured = Promise.withResolvers<number>()
  const server = await harness.server(async (peer) => {
    await peer.pour(chunk, 200_000_000)
    poured.resolve(peer.bytesWritten)
  })
  expect(await send(server)).toEqual({ kind: 'unreachable', text })
  // No more than the kernels of both sides hold.
  expect(await poured.promise).toBeLessThan(20_000_000)
})

test('an answer of 10 MB on one line ends the connection, not the process', async () => {
  const server = await harness.polite({
    answer: (_peer, step) => (step === 'rcpt' ? `250 ${'x'.repeat(10_000_000)}` : undefined),
  })
  const [sent] = await sendTo(harness.client(server), 'r0')
  expect(sent).toMatchObject({
    outcome: { kind: 'broken', written: false, text: 'The relay sent a line of more than 8 kB' },
  })
})

test.each([
  ['greet us', { greeting: 30 }, async () => {}],
  ['answer our greeting', { opening: 30 }, async (peer: Peer) => peer.say('220 hello')],
] as const)('a server that does not %s in time', async (phase, some, begin) => {
  const server = await harness.server(async (peer) => {
    await begin(peer)
    await peer.left()
  })
  const relay = harness.client(server, { limits: limits(some) })
  expect(await relay.send(messageTo('r0@example.org'))).toEqual({
    kind: 'unreachable',
    text: `The relay did not ${phase} in time`,
  })
})

test('a greeting that arrives one byte at a time has the same time limit', async () => {
  const server = await harness.server((peer) => peer.spell('220-'.concat('x'.repeat(100_000))))
  const relay = harness.client(server, { limits: limits({ greeting: 60 }) })
  expect(await relay.send(messageTo('r0@example.org'))).toMatchObject({ kind: 'unreachable' })
})

test('a server that does not know EHLO is greeted with HELO and used without extensions', async () => {
  const received: string[] = []
  const server = await harness.server(async (peer) => {
    peer.say('220 old.test')
    received.push(await peer.line())
    peer.say('502 5.5.1 what')
    received.push(await peer.line())
    peer.say('250 old.test')
    for (const reply of ['250 ok', '250 ok', '354 go on']) {
      received.push(await peer.line())
      expect(peer.unread).toBe('')
      peer.say(reply)
    }
    await peer.text()
    peer.say('250 ok')
    await peer.left()
  })
  const relay = harness.client(server, { name: 'news.example.org' })
  expect(await relay.send(messageTo('r0@example.org'))).toMatchObject(taken)
  expect(received).toEqual([
    'EHLO news.example.org',
    'HELO news.example.org',
    'MAIL FROM:<ines@lowwater.test>',
    'RCPT TO:<r0@example.org>',
    'DATA',
  ])
  expect(server.failure).toBeUndefined()
})

const encoded = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['PLAIN', 'smtp://ada:s%40cret@', ['LOGIN PLAIN'], [`AUTH PLAIN ${encoded('\0ada\0s@cret')}`], ['235 2.7.0 yes']],
  [
    'LOGIN',
    'smtp://ada:s%40cret@',
    ['LOGIN CRAM-MD5'],
    ['AUTH LOGIN', encoded('ada'), encoded('s@cret')],
    ['334 VXNlcm5hbWU6', '334 UGFzc3dvcmQ6', '235 yes'],
  ],
  [
    'LOGIN, as old servers write it',
    'smtp://ada:x@',
    ['=LOGIN'],
    ['AUTH LOGIN', encoded('ada'), encoded('x')],
    ['334 a', '334 b', '235 yes'],
  ],
  [
    'PLAIN with a long password',
    `smtp://ada:${'x'.repeat(500)}@`,
    ['PLAIN'],
    ['AUTH PLAIN', encoded(`\0ada\0${'x'.repeat(500)}`)],
    ['334 ', '235 yes'],
  ],
  [
    'XOAUTH2',
    'smtp://ada%40b.test:token@',
    ['PLAIN XOAUTH2'],
    [`AUTH XOAUTH2 ${encoded('user=ada@b.test\x01auth=Bearer token\x01\x01')}`],
    ['235 yes'],
  ],
])('signs in with %s', async (...[name, start, offered, said, replies]) => {
  const received: string[] = []
  const offers = offered.map((each) => (each.startsWith('=') ? `AUTH${each}` : `AUTH ${each}`))
  const server = await harness.server(async (peer) => {
    await scriptedSignIn(peer, { received, offers, replies })
    peer.say('250 ok')
  })
  const query = name.startsWith('XOAUTH2') ? '?auth=xoauth2' : ''
  const relay = harness.client(`${start}127.0.0.1:${server.port}${query}`)
  expect(await relay.verify()).toBeNull()
  expect(received).toEqual(said)
})

interface SignInScript {
  received?: string[]
  offers: readonly string[]
  replies: readonly string[]
}

async function scriptedSignIn(peer: Peer, { received = [], offers, replies }: SignInScript): Promise<void> {
  peer.say('220 raw.test')
  await peer.line()
  peer.say(ehloReply([...offers]))
  for (const reply of replies) {
    received.push(await peer.line())
    peer.say(reply)
  }
}

test.each([
  ['a wrong password', '', ['AUTH PLAIN'], ['535 5.7.8 no'], 'refused', '535 5.7.8 no'],
  ['a server that cannot check it now', '', ['AUTH PLAIN'], ['454 4.7.0 later'], 'unreachable', '454 4.7.0 later'],
  [
    'a token that has expired',
    '?auth=xoauth2',
    ['AUTH XOAUTH2'],
    [`334 ${encoded('{"status":"401"}')}`, '535 5.7.8 no'],
    'refused',
    '535 5.7.8 no {"status":"401"}',
  ],
  ['no mechanism', '', [], [], 'refused', 'The relay offers no way to sign in with a password (it offers none)'],
  [
    'no common mechanism',
    '',
    ['AUTH GSSAPI'],
    [],
    'refused',
    'The relay offers no way to sign in with a password (it offers GSSAPI)',
  ],
] as const)('signing in fails: %s', async (...[, query, offers, replies, kind, text]) => {
  const received: string[] = []
  const server = await harness.server((peer) => scriptedSignIn(peer, { received, offers, replies }))
  expect(await send(`smtp://ada:x@127.0.0.1:${server.port}${query}`)).toEqual({ kind, text })
  // After the refusal of a token the server expects an empty line.
  if (query) expect(received[1]).toBe('')
})

test.each([
  ['PLAIN', '', `500 5.5.2 unknown: AUTH PLAIN ${encoded('\0ada\0s3cret-word')}`, '500 5.5.2 unknown: AUTH PLAIN …'],
  ['PLAIN', '', '535 5.7.8 not s3cret-word', '535 5.7.8 not …'],
  ['XOAUTH2', '?auth=xoauth2', `334 ${encoded('not s3cret-word')}`, '535 no not …'],
  ['PLAIN', '', encoded('\0ada\0s3cret-word'), 'The relay sent what is no reply: …'],
])(
  'the answer of a server that repeats a password by %s%s does not show it',
  async (...[mechanism, query, reply, text]) => {
    const server = await harness.server((peer) =>
      scriptedSignIn(peer, { offers: [`AUTH ${mechanism}`], replies: [reply, '535 no'] }),
    )
    expect((await send(`smtp://ada:s3cret-word@127.0.0.1:${server.port}${query}`)).text).toBe(text)
  },
)

test('nothing is sent to a remote server that offers no TLS when there is a password', async () => {
  const received: string[] = []
  const server = await harness.server(scripted(received, '220 raw.test', ehloReply(['AUTH PLAIN'])))
  const address = { ...relayAddress(`smtp://ada:x@127.0.0.1:${server.port}`), requireTls: true }
  const relay = new SmtpRelay(address)
  expect(await relay.send(messageTo('r0@example.org'))).toEqual({
    kind: 'refused',
    text: 'The relay offers no encryption, and a password is not sent without',
  })
  expect(received).toHaveLength(1)
})

/** Offers STARTTLS, and runs `then` when the client asks for it. */
async function offering(peer: Peer, then: (peer: Peer) => Promise<void> | void): Promise<void> {
  peer.say('220 raw.test')
  await peer.line()
  peer.say(ehloReply(['STARTTLS', 'AUTH PLAIN']))
  await peer.line()
  await then(peer)
}

test('STARTTLS: everything after it is encrypted, and earlier offers do not count', async () => {
  tls.setDefaultCACertificates([certificate])
  const server = await harness.server((peer) =>
    offering(peer, async () => {
      peer.say('220 2.0.0 go on')
      peer.secure()
      expect(await peer.line()).toMatch(/^EHLO/)
      peer.say(ehloReply(['PIPELINING']))
      await serve(peer, harness.taken, { greeted: true })
    }),
  )
  expect((await sendTo(harness.client(server), 'r0', 'r1', 'r2')).map(briefly)).toEqual(Array(3).fill('250 DATA'))
  expect(harness.taken.map(({ to }) => to)).toEqual(['r0@example.org', 'r1@example.org', 'r2@example.org'])
  expect(server.failure).toBeUndefined()
})

test.each([
  ['a whole answer', '220 go on\r\n250 injected\r\n'],
  ['half an answer', '220 go on\r\n250-inj'],
])('STARTTLS: %s before the handshake is not read as the server’s', async (_what, bytes) => {
  const server = await harness.server((peer) =>
    offering(peer, async () => {
      peer.raw(bytes)
      await peer.left()
    }),
  )
  expect(await send(server)).toEqual({ kind: 'refused', text: 'The relay said more than its consent to STARTTLS' })
})

test('STARTTLS: garbage instead of a handshake', async () => {
  const server = await harness.server((peer) =>
    offering(peer, async () => {
      peer.say('220 go on')
      await peer.something()
      peer.say('250 I have never heard of TLS')
      await peer.left()
    }),
  )
  expect(await send(server)).toEqual({
    kind: 'refused',
    text: expect.stringMatching(/^TLS with 127\.0\.0\.1 failed: /),
  })
})

test('STARTTLS: when it is offered and refused, nothing is sent in clear text', async () => {
  const received: string[] = []
  const server = await harness.server(scripted(received, '220 raw.test', ehloReply(['STARTTLS']), '454 4.7.0 not now'))
  expect(await send(server)).toEqual({
    kind: 'refused',
    text: 'The relay offers STARTTLS and refuses it: 454 4.7.0 not now',
  })
  expect(received).toEqual(['EHLO [127.0.0.1]', 'STARTTLS'])
})

test('STARTTLS: a server that disconnects or is silent in the handshake is unreachable', async () => {
  for (const then of [(peer: Peer) => peer.cut(), (peer: Peer) => peer.left()]) {
    const server = await harness.server((peer) =>
      offering(peer, (each) => {
        each.say('220 go on')
        return each.something().then(() => then(each))
      }),
    )
    const relay = harness.client(server, { limits: limits({ opening: 80 }) })
    expect(await relay.send(messageTo('r0@example.org'))).toMatchObject({ kind: 'unreachable' })
  }
})

test('smtps: encrypted from the first byte, to a server whose certificate is valid', async () => {
  tls.setDefaultCACertificates([certificate])
  const server = await harness.server((peer) => serve(peer, harness.taken), true)
  const relay = harness.client(`smtps://localhost:${server.port}`)
  expect((await sendTo(relay, 'r0', 'r1')).map(briefly)).toEqual(['250 DATA', '250 DATA'])
})

test('smtps: a certificate for another host, and a server without TLS', async () => {
  const plain = await harness.polite()
  expect(await send(`smtps://127.0.0.1:${plain.port}`)).toEqual({
    kind: 'refused',
    text: expect.stringMatching(/^TLS with 127\.0\.0\.1 failed: /),
  })
  tls.setDefaultCACertificates([certificate])
  const other = await harness.server((peer) => serve(peer, harness.taken), true)
  // Another form of the same address, which the certificate does not name.
  expect(await send(`smtps://127.1:${other.port}`)).toEqual({
    kind: 'refused',
    text: expect.stringMatching(/^The certificate of 127\.1 cannot be trusted: /),
  })
  expect(harness.taken).toEqual([])
})
