import { afterEach, expect, test } from 'vitest'
import { startFakeProvider } from '../testing/fake-provider-apis.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

async function openRoom(): Promise<TestNewsletter> {
  const room = await startTestNewsletter({ PRIVATE_RELAYS: 'true' })
  open.push(room)
  return room
}

async function addRelay(room: TestNewsletter, { url }: RecordingRelay, settings: object = {}): Promise<void> {
  const way = { kind: 'smtp', host: '127.0.0.1', port: Number(new URL(url).port), security: 'none', username: null }
  const body = { name: 'Ours', way, connections: 2, ...settings }
  expect((await room.owner.call('POST', `${room.path}/relays`, body)).statusCode).toBe(200)
}

const addresses = (count: number, domain = 'example.org') =>
  Array.from({ length: count }, (_, index) => `subscriber${index}@${domain}`)

test('when one of two relays fails in the middle, everybody gets exactly one message', async () => {
  const room = await openRoom()
  const steady = await startRecordingRelay()
  open.push(steady)
  let dead = false
  // After its fortieth message it refuses mail, and a moment later it stops.
  const dying = await startRecordingRelay(() => (dead ? { code: 421, text: '4.3.2 going down' } : null))
  await addRelay(room, steady)
  await addRelay(room, dying)
  const subscribers = addresses(600)
  await room.addSubscribers(subscribers)
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
  // A text that was being sent when the relay vanished may have arrived: at most one for each connection.
  expect(uncertain).toBeLessThanOrEqual(2)
  expect(subscribers.length - received.length).toBeLessThanOrEqual(uncertain)
  if (uncertain === 0) expect(received.toSorted()).toEqual(subscribers.toSorted())
  expect(steady.received.length).toBeGreaterThan(300)
  expect(await room.state(id)).toMatchObject({ status: 'sent' })
})

test('a rate holds through a whole sending, and every subscriber gets the mail', async () => {
  const room = await openRoom()
  const relay = await startRecordingRelay()
  open.push(relay)
  await addRelay(room, relay, { perSecond: 50 })
  await room.addSubscribers(addresses(41))
  const { id } = await room.draft()
  await room.send(id)
  const begun = performance.now()
  await room.work()
  expect(performance.now() - begun).toBeGreaterThan(790)
  expect(await room.counts(id)).toEqual({ intended: 41, accepted: 41 })
  const { relays } = (await room.owner.call('GET', `${room.path}/relays`)).json()
  expect(relays[0]).toMatchObject({ used: { hour: 41, day: 41 }, health: { state: 'working', answer: '250 2.0.0 ok' } })
})

test('mail that was never sent uses no limit: a wrong password does not use up a warm-up day', async () => {
  const room = await openRoom()
  const relay = await startRecordingRelay(undefined, 'right')
  open.push(relay)
  const way = {
    kind: 'smtp',
    host: '127.0.0.1',
    port: Number(new URL(relay.url).port),
    security: 'none',
    username: 'x',
  }
  await addRelay(room, relay, { way, secret: 'wrong', perHour: 50, warmUp: true })
  await room.addSubscribers(addresses(40))
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.state(id)).toMatchObject({ status: 'paused', stopped_by: 'relay_refused' })
  const list = async () => (await room.owner.call('GET', `${room.path}/relays`)).json().relays[0]
  const refused = await list()
  expect(refused.used).toEqual({ hour: 0, day: 0 })
  await room.owner.call('PATCH', `${room.path}/relays/${refused.id}`, { secret: 'right' })
  await room.owner.call('POST', `${room.path}/publications/${id}/resume`)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 40, accepted: 40 })
  expect((await list()).used).toEqual({ hour: 40, day: 40 })
})

test('a domain’s limit delays its subscribers and nobody else', async () => {
  const room = await openRoom()
  const relay = await startRecordingRelay()
  open.push(relay)
  await addRelay(room, relay)
  await room.owner.call('PUT', `${room.path}/relays/domain-limits`, {
    limits: [{ domain: 'mail.test', perSecond: null, perHour: 3 }],
  })
  await room.addSubscribers([...addresses(5, 'mail.test'), ...addresses(10)])
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 15, accepted: 13, queued: 2 })
  expect(relay.received.filter(({ to }) => to.endsWith('@mail.test'))).toHaveLength(3)
  expect(await room.state(id)).toMatchObject({ status: 'sending' })
})

test('a domain has one limit, whether it is written in Unicode or in A-labels', async () => {
  const room = await openRoom()
  const relay = await startRecordingRelay()
  open.push(relay)
  await addRelay(room, relay)
  const put = (...domains: string[]) =>
    room.owner.call('PUT', `${room.path}/relays/domain-limits`, {
      limits: domains.map((domain) => ({ domain, perSecond: null, perHour: 3 })),
    })
  const kept = { domain: 'xn--caf-dma.example', readable: 'café.example', perSecond: null, perHour: 3 }
  expect((await put('Café.example')).json()).toEqual({ limits: [kept] })
  expect((await put('xn--caf-dma.example')).json()).toEqual({ limits: [kept] })
  expect((await put('café.example', 'xn--caf-dma.example')).json()).toMatchObject({
    error: { fields: { 'limits.1.domain': expect.any(String) } },
  })
  for (const wrong of ['café', 'a b.example', '-.example', '192.0.2.1']) expect((await put(wrong)).statusCode).toBe(422)
  await room.addSubscribers([...addresses(3, 'café.example'), ...addresses(2, 'xn--caf-dma.example'), ...addresses(4)])
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 9, accepted: 7, queued: 2 })
  expect(relay.received.filter(({ to }) => /@(café|xn--caf-dma)\.example$/.test(to))).toHaveLength(3)
})

test('a provider gets the name of each delivery, so that its webhooks can name it', async () => {
  const postmark = await startFakeProvider('postmark')
  open.push(postmark)
  const room = await startTestNewsletter({ PROVIDER_GATEWAY: postmark.httpApi ?? '' })
  open.push(room)
  const { config, secret } = postmark
  await room.owner.call('POST', `${room.path}/relays`, { name: 'Postmark', way: config, secret, perSecond: 200 })
  const [first] = await room.addSubscribers(['ada@example.org'], 'Ada')
  await room.addSubscribers(['bob@example.org'])
  const { id } = await room.draft()
  await room.send(id)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 2, accepted: 2 })
  const toAda = postmark.arrived.find(({ to }) => to.includes('ada@example.org'))
  expect(toAda).toMatchObject({
    secret,
    from: '"Low Water" <ines@lowwater.test>',
    names: { newsletter: room.newsletterId, publication: id, subscriber: first },
  })
  expect(toAda?.headers).toMatchObject({
    'message-id': `<${id}.${first}@lowwater.test>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
  expect(toAda?.headers).not.toHaveProperty('dkim-signature')
  expect(toAda?.html).toContain('Twice a day the sea leaves.')
})
