import { createHash, createHmac } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message, Relay } from '../mail/relay.ts'
import { verdictOn } from '../sending/retry.ts'
import type { FakeProvider } from '../testing/fake-provider.ts'
import { startFakeProvider } from '../testing/fake-provider-apis.ts'
import { RelayKind } from './contract.ts'
import { openRelay } from './registry.ts'

const delivery = {
  newsletterId: 'gazetteX1',
  publicationId: 'pubY2',
  subscriberId: '0192f0c0-0000-7000-8000-00000000002a',
}

/** A message with two alternatives, an inline image and the headers of a list. */
function testMessage({ html = '<p>Marée basse à 6 h 12</p>', named = true } = {}): Message {
  const boundary = 'frontier'
  const encoded = (text: string) => Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const raw = [
    'From: =?utf-8?Q?L=E2=80=99=C3=89tale?= <ines@lowwater.test>',
    'To: zoe@example.org',
    'Subject: =?utf-8?B?TWFyw6llIGJhc3NlIPCfjIo=?=',
    'Date: Sat, 21 Nov 2026 09:00:00 +0000',
    'Message-ID: <low.tide.42@lowwater.test>',
    'List-Unsubscribe: <https://lowwater.test/u/abc>, <mailto:leave@lowwater.test>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    encoded('Marée basse, שלום'),
    `--${boundary}`,
    'Content-Type: multipart/related; boundary="inner"',
    '',
    '--inner',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    encoded(html),
    '--inner',
    'Content-Type: image/png; name="sea.png"',
    'Content-Disposition: inline; filename="sea.png"',
    'Content-ID: <sea@lowwater.test>',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw0KGgo=',
    '--inner--',
    `--${boundary}--`,
    '',
  ].join('\r\n')
  const message = { from: 'bounce+1@bounces.lowwater.test', to: 'zoe@example.org', raw: Buffer.from(raw) }
  return named ? { ...message, delivery } : message
}

describe.each(RelayKind.options)('%s', (kind) => {
  let provider: FakeProvider
  let relay: Relay
  beforeEach(async () => {
    provider = await startFakeProvider(kind)
    const { config, secret, httpApi } = provider
    relay = openRelay(config, {
      secret,
      connections: 3,
      publicUrl: 'https://news.test',
      gateway: httpApi,
      mayBePrivate: true,
    })
  })
  afterEach(async () => {
    relay.close()
    await provider.stop()
  })

  test('an accepted message arrives whole, for one recipient, with its important headers, and names its delivery', async () => {
    const begun: string[] = []
    const outcome = await relay.send(testMessage(), () => begun.push('begun'))
    expect(outcome).toMatchObject({ kind: 'answered', code: 250 })
    expect(begun).toEqual(['begun'])
    expect(provider.arrived).toHaveLength(1)
    const [arrived] = provider.arrived
    expect(arrived).toMatchObject({
      to: 'zoe@example.org',
      from: '"L’Étale" <ines@lowwater.test>',
      subject: 'Marée basse 🌊',
      headers: {
        'message-id': '<low.tide.42@lowwater.test>',
        'list-unsubscribe': '<https://lowwater.test/u/abc>, <mailto:leave@lowwater.test>',
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      },
      attachments: [{ type: 'image/png', content: 'iVBORw0KGgo=', contentId: 'sea@lowwater.test' }],
    })
    expect(arrived?.html.trim()).toBe('<p>Marée basse à 6 h 12</p>')
    expect(arrived?.text.trim()).toBe('Marée basse, שלום')
    const names = { newsletter: 'gazetteX1', publication: 'pubY2', subscriber: delivery.subscriberId }
    expect(arrived?.names).toEqual(kind === 'smtp' ? null : names)
  })

  test('it signs in with its secret', async () => {
    await relay.send(testMessage({ named: false }))
    const [arrived] = provider.arrived
    // The secret for Amazon is never sent: requests are signed with it.
    if (kind === 'ses')
      expect(arrived?.secret).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE0123456\/\d{8}\/eu-west-3\/ses\/aws4_request, SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$/,
      )
    else expect(arrived?.secret).toBe(provider.secret)
    expect(arrived?.names).toBeNull()
  })

  test.each([
    ['knows nobody', { kind: 'failed', gone: true }],
    ['doubts our sender', { kind: 'returned' }],
    ['wants less', { kind: 'returned' }],
    ['knows us not', { kind: 'returned' }],
    ['fails', { kind: 'deferred', delaySeconds: 60 }],
    ['hangs up', { kind: 'uncertain' }],
  ] as const)('a relay that %s', async (mood, verdict) => {
    provider.behaviour = mood
    const outcome = await relay.send(testMessage())
    expect(verdictOn(outcome, 0)).toEqual(verdict)
    expect(outcome.text.length).toBeGreaterThan(5)
    if (mood === 'knows us not' || (mood === 'doubts our sender' && kind !== 'smtp'))
      expect(outcome.kind).toBe('refused')
    if (mood === 'wants less' && !['smtp', 'ses'].includes(kind)) expect(outcome).toMatchObject({ retryAfterMs: 7_000 })
  })

  test('without a connection `begun` is not called', async () => {
    await provider.stop()
    let begun = false
    const outcome = await relay.send(testMessage(), () => {
      begun = true
    })
    expect(outcome.kind).toBe('unreachable')
    expect(begun).toBe(false)
  })

  test('when `begun` throws, nothing is sent', async () => {
    const outcome = await relay.send(testMessage(), () => {
      throw new Error('the disk is full')
    })
    expect(verdictOn(outcome, 0)).toEqual({ kind: 'returned' })
    expect(provider.arrived).toEqual([])
  })

  test('a large message arrives whole', async () => {
    const html = `<p>${'La mer se retire. '.repeat(150_000)}</p>`
    expect(await relay.send(testMessage({ html }))).toMatchObject({ kind: 'answered', code: 250 })
    expect(provider.arrived[0]?.html.trim()).toBe(html)
  })

  test('many messages at once use no more connections than allowed', async () => {
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => relay.send(testMessage())))
    expect(outcomes.every((outcome) => outcome.kind === 'answered' && outcome.code === 250)).toBe(true)
    expect(provider.arrived).toHaveLength(30)
  })
})

describe('features of single providers', () => {
  const openings = { connections: 1, publicUrl: 'https://news.test', mayBePrivate: true }

  test('Postmark keeps our Message-ID, uses the stream, and tracks nothing', async () => {
    const provider = await startFakeProvider('postmark')
    const relay = openRelay(provider.config, { ...openings, secret: provider.secret, gateway: provider.httpApi })
    await relay.send(testMessage())
    expect(provider.arrived[0]).toMatchObject({ path: '/email', headers: { 'x-pm-keepid': 'true' } })
    relay.close()
    await provider.stop()
  })

  test.each(RelayKind.exclude(['smtp']).options)('%s says nothing that cannot be written down', async (kind) => {
    const provider = await startFakeProvider(kind)
    const words = 'text \u0000 by\u001b[2J a\u202e stranger'
    const server = createHttpServer((_request, response) =>
      response.writeHead(400).end(JSON.stringify({ message: words, Message: words })),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const relay = openRelay(provider.config, { ...openings, secret: provider.secret, gateway })
    expect((await relay.send(testMessage())).text).toContain('text   by [2J a  stranger')
    relay.close()
    server.close()
    await provider.stop()
  })

  test('an API that changes to another protocol leaves it uncertain whether it took the message', async () => {
    const provider = await startFakeProvider('postmark')
    const server = createHttpServer(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const relay = openRelay(provider.config, { ...openings, secret: provider.secret, gateway })
    expect(await relay.send(testMessage())).toMatchObject({ kind: 'broken', written: true })
    relay.close()
    server.close()
    await provider.stop()
  })

  test('an unknown error name from Amazon is an error like any other', async () => {
    const { config, secret, stop } = await startFakeProvider('ses')
    const server = createHttpServer((_request, response) =>
      response.writeHead(400, { 'x-amzn-errortype': 'constructor' }).end('{"message":"no"}'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const relay = openRelay(config, { ...openings, secret, gateway })
    expect(await relay.send(testMessage())).toMatchObject({ kind: 'answered', code: 554, text: 'constructor no' })
    relay.close()
    server.close()
    await stop()
  })

  test('Resend accepts a delivery once, because of its idempotency key', async () => {
    const provider = await startFakeProvider('resend')
    const relay = openRelay(provider.config, { ...openings, secret: provider.secret, gateway: provider.httpApi })
    await relay.send(testMessage())
    expect(provider.arrived[0]?.requestHeaders['idempotency-key']).toBe(`pubY2/${delivery.subscriberId}`)
    expect(provider.arrived[0]?.requestHeaders['x-forwarded-host']).toBe('api.resend.com')
    relay.close()
    await provider.stop()
  })

  test('an owner’s relay cannot reach the private network, by address or by name', async () => {
    let connections = 0
    const server = createServer(() => {
      connections += 1
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    for (const host of ['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1', '127.1', '0']) {
      const way = { kind: 'smtp', host, port, security: 'none', username: null } as const
      const relay = openRelay(way, { ...openings, secret: null, gateway: null, mayBePrivate: false })
      const outcome = await relay.send(testMessage())
      expect([host, outcome.kind === 'refused' || outcome.kind === 'unreachable']).toEqual([host, true])
      relay.close()
    }
    expect(connections).toBe(0)
    server.close()
  })
})

test('the signature for Amazon is the one that its reference describes', async () => {
  const provider = await startFakeProvider('ses')
  const { config, secret, httpApi } = provider
  const relay = openRelay(config, {
    secret,
    connections: 1,
    publicUrl: 'https://news.test',
    gateway: httpApi,
    mayBePrivate: true,
  })
  await relay.send(testMessage())
  const [arrived] = provider.arrived
  relay.close()
  await provider.stop()
  const { authorization = '', 'x-amz-date': date = '', ...headers } = arrived?.requestHeaders ?? {}
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/(.+), SignedHeaders=(.+), Signature=(.+)$/.exec(authorization) ?? []
  const headerOf = (name: string) =>
    name === 'host' ? 'email.eu-west-3.amazonaws.com' : name === 'x-amz-date' ? date : (headers[name] ?? '')
  const canonical = [
    'POST',
    arrived?.path,
    '',
    ...names.split(';').map((name) => `${name}:${headerOf(name)}`),
    '',
    names,
    headerOf('x-amz-content-sha256'),
  ].join('\n')
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const key = [...scope.split('/')].reduce<Buffer | string>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${secret}`,
  )
  const toSign = ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n')
  expect(signature).toBe(createHmac('sha256', key).update(toSign).digest('hex'))
})
