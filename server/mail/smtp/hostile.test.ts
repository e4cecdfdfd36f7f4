import { afterEach, expect, test } from 'vitest'
import { ehloReply, type Peer } from '../../testing/scripted-server.ts'
import { briefly, limits, messageTo, SmtpHarness, sendTo } from '../../testing/smtp-harness.ts'

let harness = new SmtpHarness()
afterEach(() => {
  harness.stop()
  harness = new SmtpHarness()
})

const recipients = () => harness.taken.map(({ to }) => to.slice(0, to.indexOf('@')))
const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`)
const yes = '250 DATA'

/** Greets and offers PIPELINING. After that a test decides what the server says. */
async function welcome(peer: Peer, ...offers: string[]): Promise<void> {
  peer.say('220 raw.test ESMTP')
  await peer.line()
  peer.say(ehloReply(['PIPELINING', ...offers]))
}

async function envelope(peer: Peer): Promise<string> {
  const lines = [await peer.line(), await peer.line(), await peer.line()]
  expect(lines.map((line) => line.slice(0, 4))).toEqual(['MAIL', 'RCPT', 'DATA'])
  return /<(\w+)@/.exec(lines[1] as string)?.[1] as string
}

const granted = ['250 ok', '250 ok', '354 go on']

test('with PIPELINING the next envelope arrives before a text is answered', async () => {
  const order: string[] = []
  const server = await harness.server(async (peer) => {
    await welcome(peer)
    let name = await envelope(peer)
    peer.say(...granted)
    for (let n = 0; n < 4; n++) {
      await peer.text()
      // Answers only when the next envelope has arrived. No envelope follows the last message.
      const next = n < 3 ? await envelope(peer) : ''
      order.push(name)
      name = next
      peer.say('250 ok', ...(next ? granted : []))
    }
  })
  const sent = await sendTo(harness.client(server), ...names(4))
  expect(sent.map(briefly)).toEqual([yes, yes, yes, yes])
  expect(order).toEqual(names(4))
  expect(server.failure).toBeUndefined()
})

test('without PIPELINING each command waits for the answer to the one before', async () => {
  const early: string[] = []
  const server = await harness.polite({
    offers: ['SIZE 1000'],
    async answer(peer, step) {
      await new Promise((resolve) => setImmediate(resolve))
      if (peer.unread !== '') early.push(`${step}: ${peer.unread}`)
      return undefined
    },
  })
  expect((await sendTo(harness.client(server), ...names(5))).map(briefly)).toEqual(Array(5).fill(yes))
  expect(early).toEqual([])
  expect(recipients()).toEqual(names(5))
})

test.each([
  ['a byte at a time', (peer: Peer, line: string) => peer.spell(line)],
  ['late', (peer: Peer, line: string) => later(() => peer.say(line))],
])('answers that arrive %s are understood', async (_how, say) => {
  const server = await harness.polite({
    say,
    offers: ['PIPELINING', 'SIZE 10000', '8BITMIME'],
    answer: (_peer, step) => (step === 'text' ? '250-2.0.0 taken\r\n250 2.0.0 as 1' : undefined),
  })
  const sent = await sendTo(harness.client(server), ...names(6))
  expect(sent.map(({ outcome }) => outcome.text)).toEqual(Array(6).fill('250 2.0.0 taken as 1'))
  expect(sent.map(({ begun }) => begun)).toEqual(Array(6).fill(1))
  expect(recipients()).toEqual(names(6))
})

test.each([
  ['RCPT', 'rcpt', '450 4.2.1 greylisted', '450 RCPT TO'],
  ['DATA', 'data', '451 4.3.0 no room', '451 DATA'],
  ['the text', 'text', '452 4.3.1 no room', '452 DATA'],
] as const)(
  '4xx to the third %s affects the third message only, with PIPELINING and without',
  async (...[, refused, code, outcome]) => {
    for (const offers of [['PIPELINING'], []]) {
      let asked = 0
      harness.taken.length = 0
      const server = await harness.polite({
        offers,
        answer: (_peer, step) => (step === refused && ++asked === 3 ? code : step === 'rset' ? '250 reset' : undefined),
      })
      const sent = await sendTo(harness.client(server), ...names(6))
      expect(sent.map(briefly)).toEqual([yes, yes, outcome, yes, yes, yes])
      expect(sent[2]?.outcome.text).toBe(code)
      expect(sent.map(({ begun }) => begun)).toEqual([1, 1, refused === 'text' ? 1 : 0, 1, 1, 1])
      expect(recipients()).toEqual(['r0', 'r1', 'r3', 'r4', 'r5'])
      expect(server.connections).toBe(1)
      expect(server.failure).toBeUndefined()
    }
  },
)

test('when a recipient is refused and DATA is accepted, an empty text is sent', async () => {
  const texts: string[] = []
  const server = await harness.server(async (peer) => {
    await welcome(peer)
    for (;;) {
      const refused = (await envelope(peer)) === 'r1'
      peer.say('250 ok', refused ? '550 5.1.1 nobody' : '250 ok', '354 go on')
      texts.push(await peer.text())
      peer.say(refused ? '554 5.5.1 no valid recipients' : '250 ok')
    }
  })
  const sent = await sendTo(harness.client(server), 'r0', 'r1', 'r2')
  expect(sent.map(briefly)).toEqual([yes, '550 RCPT TO', yes])
  expect(sent.map(({ begun }) => begun)).toEqual([1, 0, 1])
  expect(texts.map((text) => text.length)).toEqual([messageTo('').raw.length, 0, messageTo('').raw.length])
})

test.each([
  ['before the last dot', (peer: Peer) => peer.something().then(() => peer.cut())],
  ['after the last dot', (peer: Peer) => peer.text().then(() => peer.cut())],
  ['by a reset', (peer: Peer) => peer.text().then(() => peer.reset())],
  ['by half', (peer: Peer) => peer.text().then(() => peer.halfClose())],
])(
  'when a connection ends %s, that text may have arrived, and the next message is sent on a new connection',
  async (_how, end) => {
    const server = await harness.server(async (peer) => {
      await welcome(peer)
      for (let n = 0; ; n++) {
        harness.taken.push({ from: '', to: `${await envelope(peer)}@`, text: '' })
        peer.say(...granted)
        if (peer.nth === 0 && n === 1) return end(peer)
        await peer.text()
        peer.say('250 ok')
      }
    })
    const sent = await sendTo(harness.client(server), ...names(4))
    expect(sent.map(briefly)).toEqual([yes, 'broken written', yes, yes])
    expect(sent.map(({ begun }) => begun)).toEqual([1, 1, 1, 1])
    expect(server.connections).toBe(2)
  },
)

test('a message on a new connection that ends before any text was not written', async () => {
  const server = await harness.server(async (peer) => {
    await welcome(peer)
    await envelope(peer)
    peer.cut()
  })
  const sent = await sendTo(harness.client(server), 'r0')
  expect(sent.map(briefly)).toEqual(['broken unwritten'])
  expect(sent[0]?.begun).toBe(0)
})

test('after a relay closed an idle connection or said 421 on it, the message is sent on a new one', async () => {
  for (const goodbye of ['', '421 4.7.0 enough of you']) {
    const server = await harness.server(async (peer) => {
      await welcome(peer)
      harness.taken.push({ from: '', to: `${await envelope(peer)}@`, text: '' })
      peer.say(...granted)
      await peer.text()
      peer.say('250 ok')
      await envelope(peer)
      if (goodbye) peer.say(goodbye)
      peer.cut()
    })
    const relay = harness.client(server)
    for (const name of names(3)) expect((await sendTo(relay, name)).map(briefly)).toEqual([yes])
    expect(server.connections).toBe(3)
  }
})

test('when a sender is refused and its recipient and DATA are accepted, nothing is written, not even a dot', async () => {
  const heard = Promise.withResolvers<string>()
  const server = await harness.server(async (peer) => {
    await welcome(peer)
    await envelope(peer)
    peer.say('550 5.7.1 not you', '250 ok', '354 go on')
    await peer.left()
    heard.resolve(peer.unread)
  })
  const sent = await sendTo(harness.client(server), 'r0')
  expect(sent.map(briefly)).toEqual(['550 MAIL FROM'])
  expect(await heard.promise).toBe('')
})

test.each([
  ['421 to a text: it was not taken', ['250 ok', '250 ok', '354 go on'], '421 4.3.2 down', '421 DATA', 1],
  ['421 to an envelope on a new connection', ['250 ok', '421 4.3.2 down'], null, '421 RCPT TO', 0],
  ['three answers, and not one for DATA', ['250 ok', '250 ok', '250 ok'], null, 'broken unwritten', 0],
  ['a text answered before it was given', ['250 ok', '250 ok', '354 go on', '250 ok'], null, 'broken unwritten', 0],
  ['an answer in halves before it was given', ['250 ok', '250 ok', '354 go on', '25'], null, 'broken unwritten', 0],
  ['go on, to MAIL', ['354 go on'], null, 'broken unwritten', 0],
  ['go on, to the text', ['250 ok', '250 ok', '354 go on'], '354 go on', 'broken written', 1],
  ['no reply at all', ['250 ok', 'MEOW'], null, 'broken unwritten', 0],
] as const)('out of order: %s', async (...[, first, then, outcome, begun]) => {
  const server = await harness.server(async (peer) => {
    await welcome(peer)
    await envelope(peer)
    peer.say(...first)
    if (then) {
      await peer.text()
      peer.say(then)
    }
    await peer.left()
  })
  const [sent] = await sendTo(harness.client(server), 'r0')
  expect(sent && briefly(sent)).toBe(outcome)
  expect(sent?.begun).toBe(begun)
})

test('a reply that nothing asked for ends the connection and affects no message', async () => {
  const server = await harness.server(async (peer) => {
    await welcome(peer)
    await envelope(peer)
    peer.say(...granted)
    await peer.text()
    peer.say('250 ok', '250 ok')
    await peer.left()
  })
  const relay = harness.client(server)
  expect((await sendTo(relay, 'r0')).map(briefly)).toEqual([yes])
  expect((await sendTo(relay, 'r1')).map(briefly)).toEqual([yes])
  expect(server.connections).toBe(2)
})

test('when `begun` throws, the text is not sent, on no other connection either', async () => {
  const server = await harness.polite()
  const relay = harness.client(server)
  await sendTo(relay, 'r0')
  const outcome = await relay.send(messageTo('r1@example.org'), () => {
    throw new Error('The disk is full')
  })
  expect(outcome).toEqual({ kind: 'broken', written: false, text: 'The disk is full' })
  expect(recipients()).toEqual(['r0'])
  expect(server.connections).toBe(1)
})

test.each([
  ['the envelope', { envelope: 40 }, [], 'broken unwritten', 'The relay did not answer the envelope in time'],
  ['the text', { text: 20, answer: 20 }, granted, 'broken written', 'The relay did not answer the text in time'],
] as const)('silence after %s has a time limit', async (...[, some, said, outcome, text]) => {
  const server = await harness.server(async (peer) => {
    await welcome(peer)
    await envelope(peer)
    peer.say(...said)
    await peer.left()
  })
  const [sent] = await sendTo(harness.client(server, { limits: limits(some) }), 'r0')
  expect(sent && briefly(sent)).toBe(outcome)
  expect(sent?.outcome.text).toBe(text)
})

test('a large text arrives whole, and one that nobody reads has a time limit', async () => {
  const large = `Subject: a\r\n\r\n${'.Twice a day the sea leaves.\r\n'.repeat(40_000)}`
  const server = await harness.polite()
  const outcome = await harness.client(server).send(messageTo('r0@example.org', large))
  expect(outcome).toMatchObject({ kind: 'answered', code: 250 })
  expect(harness.taken[0]?.text).toBe(large)
  const deaf = await harness.server(async (peer) => {
    await welcome(peer)
    await envelope(peer)
    peer.say(...granted)
    peer.deaf()
    await peer.left()
  })
  const relay = harness.client(deaf, { limits: limits({ text: 60 }) })
  expect(await relay.send(messageTo('r0@example.org', large.repeat(10)))).toEqual({
    kind: 'broken',
    written: true,
    text: 'The relay did not take the text in time',
  })
})

test('a large text that is refused half-way is refused, and its connection is not used again', async () => {
  const large = `Subject: a\r\n\r\n${'x'.repeat(9_000_000)}\r\n`
  const server = await harness.server(async (peer) => {
    await welcome(peer)
    if ((await envelope(peer)) === 'r1') {
      peer.say(...granted)
      await peer.text()
    } else {
      peer.say(...granted)
      await peer.something()
      peer.deaf()
      return peer.say('552 5.3.4 too long')
    }
    peer.say('250 ok')
  })
  const relay = harness.client(server)
  const sent = await Promise.all([
    relay.send(messageTo('r0@example.org', large)),
    relay.send(messageTo('r1@example.org')),
  ])
  expect(sent).toMatchObject([
    { kind: 'answered', code: 552, command: 'DATA' },
    { kind: 'answered', code: 250 },
  ])
})

const later = (act: () => void) =>
  new Promise<void>((resolve) => {
    setTimeout(() => {
      act()
      resolve()
    }, 5)
  })
