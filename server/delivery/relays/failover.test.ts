import { afterEach, expect, test } from 'vitest'
import { openNewsroom } from '../../testing/newsroom.ts'
import { startTestRelay } from '../../testing/relay.ts'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

test('one of two relays dies in the middle: everybody gets exactly one message', async () => {
  const room = await openNewsroom({ PRIVATE_RELAYS: 'true' })
  open.push(room)
  const steady = await startTestRelay()
  open.push(steady)
  let dead = false
  // After its fortieth message it takes no more, and a moment later it is gone.
  const dying = await startTestRelay(() => (dead ? { code: 421, text: '4.3.2 going down' } : null))
  const port = (url: string) => Number(new URL(url).port)
  for (const [name, relay] of [
    ['steady', steady],
    ['dying', dying],
  ] as const) {
    const way = { kind: 'smtp', host: '127.0.0.1', port: port(relay.url), security: 'none', username: null }
    const added = await room.owner.call('POST', `${room.path}/relays`, { name, way, connections: 2 })
    expect(added.statusCode).toBe(200)
  }
  const readers = Array.from({ length: 600 }, (_, index) => `reader${index}@example.org`)
  await room.addSubscribers(readers)
  const { id } = await room.draft()
  await room.send(id)
  const watch = setInterval(() => {
    if (dying.received.length < 40 || dead) return
    dead = true
    void dying.stop()
  }, 1)
  await room.work()
  clearInterval(watch)
  expect(dead).toBe(true)
  const received = [...steady.received, ...dying.received].map(({ to }) => to)
  const { accepted = 0, uncertain = 0 } = await room.counts(id)
  expect(accepted + uncertain).toBe(600)
  expect(new Set(received).size).toBe(received.length)
  // Whose text was on its way when it vanished may have it or not: at most one a connection.
  expect(uncertain).toBeLessThanOrEqual(2)
  expect(readers.length - received.length).toBeLessThanOrEqual(uncertain)
  if (uncertain === 0) expect(received.toSorted()).toEqual(readers.toSorted())
  expect(steady.received.length).toBeGreaterThan(300)
  expect(await room.state(id)).toMatchObject({ status: 'sent' })
})
