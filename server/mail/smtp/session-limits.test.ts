import { afterEach, expect, test } from 'vitest'
import { type Peer, type ServerOptions, serve } from '../../testing/scripted-server.ts'
import { briefly, messageTo, SmtpHarness, sendTo } from '../../testing/smtp-harness.ts'
import type { Outcome } from '../relay.ts'

let harness = new SmtpHarness()
afterEach(() => {
  harness.stop()
  harness = new SmtpHarness()
})

const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`)
const yes = (count: number) => Array(count).fill('250 DATA')
const recipients = () => harness.taken.map(({ to }) => to.slice(0, to.indexOf('@')))

type Step = 'mail' | 'rcpt' | 'data' | 'text'

/** A relay that takes so many messages a connection, and refuses the next one at `step`. Counts refusals and QUITs. */
async function limited({ take, step, say, offers }: { take: number; step: Step; say: string; offers?: string[] }) {
  const seen = { refusals: 0, quits: 0 }
  const server = await harness.server(async (peer: Peer) => {
    let taken = 0
    const answer: ServerOptions['answer'] = (_peer, at) => {
      if (at === step && taken >= take) {
        seen.refusals += 1
        return say
      }
      if (at === 'text') taken += 1
      return undefined
    }
    await serve(peer, harness.taken, { answer, ...(offers && { offers }) })
    seen.quits += 1
  })
  return { server, seen }
}

test('2,000 messages to a relay that takes 100 a connection, as OpenSMTPD does: all are taken, almost none is refused', async () => {
  const { server, seen } = await limited({ take: 100, step: 'mail', say: '452 4.5.3 Too many messages sent' })
  const relay = harness.client(server, { connections: 10 })
  expect((await sendTo(relay, ...names(2_000))).map(briefly)).toEqual(yes(2_000))
  expect(recipients().sort()).toEqual(names(2_000).sort())
  expect(seen.refusals).toBe(1)
  expect(server.connections).toBeLessThanOrEqual(30)
})

test.each([
  ['421 to MAIL, as Exim says it', 'mail', '421 too many messages in this connection'],
  ['451 to MAIL', 'mail', '451 4.3.0 not on this connection'],
  ['452 4.5.3 to RCPT', 'rcpt', '452 4.5.3 Too many recipients'],
  ['451 to DATA', 'data', '451 Too many mails in this session'],
  ['421 to DATA', 'data', '421 4.3.2 closing'],
  ['452 4.5.3 to the text', 'text', '452 4.5.3 that was one too many'],
  ['421 to the text', 'text', '421 4.3.2 closing'],
] as const)(
  '%s after three messages: the rest goes to new connections, with PIPELINING and without',
  async (...[, step, say]) => {
    for (const offers of [['PIPELINING'], []]) {
      harness.taken.length = 0
      const { server, seen } = await limited({ take: 3, step, say, offers })
      const relay = harness.client(server, { connections: 2 })
      expect((await sendTo(relay, ...names(40))).map(briefly)).toEqual(yes(40))
      expect(recipients().sort()).toEqual(names(40).sort())
      // Each of the two may meet the limit before it is known, with the message behind as well.
      expect(seen.refusals).toBeLessThanOrEqual(4)
      expect(server.failure).toBeUndefined()
    }
  },
)

test.each(['421 4.3.2 closing', '452 4.5.3 Too many messages sent'])(
  'a connection that has carried enough, after %s, is left with QUIT',
  async (say) => {
    const { server, seen } = await limited({ take: 3, step: 'mail', say, offers: [] })
    const relay = harness.client(server, { connections: 2 })
    await sendTo(relay, ...names(20))
    relay.close()
    await expect.poll(() => seen.quits).toBe(server.connections)
  },
)

test('a text that was refused for the sake of its connection was not taken, and its sender is told', async () => {
  const { server } = await limited({ take: 1, step: 'text', say: '421 4.3.2 closing' })
  const relay = harness.client(server)
  const told: string[] = []
  const send = (name: string) =>
    relay.send(
      messageTo(`${name}@example.org`),
      () => told.push(`${name} begun`),
      (outcome: Outcome) => told.push(`${name} ${briefly({ outcome, begun: 0 })}`),
    )
  await Promise.all(['r0', 'r1'].map(send))
  expect(told).toEqual(['r0 begun', 'r0 250 DATA', 'r1 begun', 'r1 broken unwritten', 'r1 begun', 'r1 250 DATA'])
})

test.each(['421 4.7.0 not now', '451 4.7.1 not now'])(
  'a relay that refuses the first message of every connection with %s refuses us, and we do not connect for ever',
  async (say) => {
    const { server, seen } = await limited({ take: 0, step: 'mail', say })
    const relay = harness.client(server, { connections: 3 })
    const outcomes = (await sendTo(relay, ...names(6))).map(briefly)
    expect(outcomes.map((each) => each.slice(0, 3))).toEqual(Array(6).fill(say.slice(0, 3)))
    expect(seen.refusals).toBeLessThanOrEqual(12)
    expect(server.connections).toBeLessThanOrEqual(12)
  },
)

test('a message that is refused on two connections was the reason itself, and the others go on as before', async () => {
  const server = await harness.polite({
    answer: (_peer, step, said) =>
      step === 'rcpt' && said.includes('<r1@') ? '452 4.5.3 Too many recipients' : undefined,
  })
  const relay = harness.client(server)
  const sent = await sendTo(relay, ...names(60))
  expect(sent.map(briefly)).toEqual(['250 DATA', '452 RCPT TO', ...yes(58)])
  expect(server.connections).toBe(3)
})

test('a relay that bears more gets more: from 100 messages a connection to 1,000, without a refusal', async () => {
  const server = await harness.polite()
  const relay = harness.client(server)
  expect((await sendTo(relay, ...names(1_500))).map(briefly)).toEqual(yes(1_500))
  expect(server.connections).toBe(2)
})

test('connections too many, refused at MAIL, cost no message anything while others work', async () => {
  const server = await harness.server((peer) =>
    serve(peer, harness.taken, {
      answer: (_peer, step) => (step === 'mail' && peer.nth >= 2 ? '421 4.7.0 too many connections' : undefined),
    }),
  )
  const relay = harness.client(server, { connections: 10 })
  // The two that work are open before there is need for more.
  expect((await sendTo(relay, ...names(2))).map(briefly)).toEqual(yes(2))
  expect((await sendTo(relay, ...names(40))).map(briefly)).toEqual(yes(40))
  expect(server.connections).toBeLessThanOrEqual(10)
})
