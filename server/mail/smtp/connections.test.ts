import { afterEach, expect, test } from 'vitest'
import type { Peer } from '../../testing/scripted-server.ts'
import { serve } from '../../testing/scripted-server.ts'
import { briefly, limits, messageTo, SmtpHarness, sendTo } from '../../testing/smtp-harness.ts'
import { startSink } from '../../testing/smtp-sink.ts'

let harness = new SmtpHarness()
afterEach(() => {
  harness.stop()
  harness = new SmtpHarness()
})

const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`)
const yes = (count: number) => Array(count).fill('250 DATA')

test('connections are opened when they are needed, and kept', async () => {
  const server = await harness.polite()
  const relay = harness.client(server, { connections: 3 })
  expect(server.connections).toBe(0)
  for (const name of names(3)) await sendTo(relay, name)
  expect(server.connections).toBe(1)
  expect((await sendTo(relay, ...names(20))).map(briefly)).toEqual(yes(20))
  expect(server.connections).toBe(3)
  expect(relay.capacity).toBe(9)
})

test('a relay that accepts fewer connections than we would open gets everything over those', async () => {
  const server = await harness.server(async (peer) => {
    if (peer.nth < 2) return serve(peer, harness.taken)
    peer.say('421 4.7.0 too many connections')
    peer.halfClose()
  })
  const relay = harness.client(server, { connections: 10 })
  expect((await sendTo(relay, ...names(40))).map(briefly)).toEqual(yes(40))
  expect(harness.taken).toHaveLength(40)
  expect(server.connections).toBeLessThanOrEqual(10)
})

test('a message does not wait behind a stuck one while another connection may be opened', async () => {
  const stuck = Promise.withResolvers<undefined>()
  const server = await harness.polite({
    answer: (_peer, step, said) => (step === 'text' && said.includes('r0@') ? stuck.promise : undefined),
  })
  const relay = harness.client(server, { connections: 2 })
  const first = sendTo(relay, 'r0')
  expect((await sendTo(relay, 'r1', 'r2', 'r3')).map(briefly)).toEqual(yes(3))
  stuck.resolve(undefined)
  expect((await first).map(briefly)).toEqual(yes(1))
})

/** A polite server that counts the clients that left with QUIT. */
async function counting() {
  const left: number[] = []
  const waiting: (() => void)[] = []
  const server = await harness.server(async (peer: Peer) => {
    await serve(peer, harness.taken)
    left.push(peer.nth)
    for (const resolve of waiting.splice(0)) resolve()
  })
  const leavings = async (count: number) => {
    while (left.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    return left.length
  }
  return { server, left, leavings }
}

test('a connection is closed with QUIT after the maximum number of messages', async () => {
  const { server, leavings } = await counting()
  const relay = harness.client(server, { messagesPerConnection: 4 })
  expect((await sendTo(relay, ...names(10))).map(briefly)).toEqual(yes(10))
  expect(server.connections).toBe(3)
  expect(await leavings(2)).toBe(2)
})

test('an idle connection is closed with QUIT after a time', async () => {
  const { server, leavings } = await counting()
  const relay = harness.client(server, { limits: limits({ idle: 40 }) })
  await sendTo(relay, 'r0')
  expect(await leavings(1)).toBe(1)
  expect((await sendTo(relay, 'r1')).map(briefly)).toEqual(yes(1))
  expect(server.connections).toBe(2)
})

test('closing ends idle connections at once, and busy ones when their work is done', async () => {
  const { server, left, leavings } = await counting()
  const relay = harness.client(server, { connections: 2 })
  await sendTo(relay, 'r0', 'r1')
  const last = sendTo(relay, 'r2', 'r3')
  relay.close()
  expect(left).toEqual([])
  expect((await last).map(briefly)).toEqual(yes(2))
  expect(await leavings(2)).toBe(2)
})

test('more than ten connections are opened to a far relay, and not more than its owner allows', async () => {
  const sink = await startSink({ delayMs: 20 })
  const relay = harness.client(sink.url, { connections: 16 })
  let most = 0
  const sent = names(1_000).map(async (name) => {
    const { kind } = await relay.send(messageTo(`${name}@example.org`))
    most = Math.max(most, sink.connections())
    return kind
  })
  expect(new Set(await Promise.all(sent))).toEqual(new Set(['answered']))
  expect(most).toBeGreaterThan(10)
  expect(most).toBeLessThanOrEqual(16)
  relay.close()
  await sink.stop()
})
