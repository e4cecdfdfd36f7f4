import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendSystemMail } from '../sending/system-mail.ts'
import type { FakeProvider } from '../testing/fake-provider.ts'
import { startFakeProvider } from '../testing/fake-provider-apis.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { startRecordingRelay } from '../testing/recording-relay.ts'

const open: { stop(): Promise<void> }[] = []
let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter({ PRIVATE_RELAYS: 'true' })
})
afterAll(() => room.stop())
beforeEach(async () => {
  await room.context.db.deleteFrom('relay').execute()
  room.context.relays.forget()
})
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

const postmark = { name: 'Main', way: { kind: 'postmark', messageStream: 'broadcast' }, secret: 'token-1' }
const smtp = (port: number, rest: object = {}) => ({
  name: 'Ours',
  way: { kind: 'smtp', host: '127.0.0.1', port, security: 'none', username: null, ...rest },
})

const add = (body: object) => room.owner.call('POST', `${room.path}/relays`, body)
const list = async () => (await room.owner.call('GET', `${room.path}/relays`)).json()

async function startProvider(kind: FakeProvider['config']['kind']): Promise<FakeProvider> {
  const made = await startFakeProvider(kind)
  open.push(made)
  return made
}

test('a relay is added, shown, changed and removed; its secret is sealed and never shown', async () => {
  expect(await list()).toMatchObject({ relays: [], route: 'caught', instance: [], maximum: 20 })
  const made = await add({ ...postmark, webhookSecret: 'hook-1', perSecond: 10, warmUp: true })
  expect(made.statusCode).toBe(200)
  const { id, ...relay } = made.json()
  expect(relay).toMatchObject({
    name: 'Main',
    way: { kind: 'postmark', messageStream: 'broadcast' },
    weight: 1,
    connections: 20,
    perSecond: 10,
    perHour: null,
    enabled: true,
    hasSecret: true,
    hasWebhookSecret: true,
    warmUp: { day: 1, cap: 50, used: 0 },
    health: { state: 'untried', failures: 0, answer: null },
    used: { hour: 0, day: 0 },
    share: 1,
  })
  const row = await room.context.db.selectFrom('relay').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toMatch(/token-1|hook-1/)
  expect(row.secret?.includes('token-1')).toBe(false)
  expect(room.context.sealer.open('relay', row.secret as Buffer)).toBe('token-1')
  expect(room.context.sealer.open('relay', row.webhook_secret as Buffer)).toBe('hook-1')

  const changed = await room.owner.call('PATCH', `${room.path}/relays/${id}`, {
    weight: 3,
    perSecond: null,
    warmUp: false,
  })
  expect(changed.json()).toMatchObject({ id, name: 'Main', weight: 3, perSecond: null, warmUp: null, hasSecret: true })
  expect(await list()).toMatchObject({ relays: [{ id }], route: 'own' })
  expect(made.body + changed.body).not.toMatch(/token-1|hook-1/)

  expect((await room.owner.call('DELETE', `${room.path}/relays/${id}`)).statusCode).toBe(200)
  expect(await list()).toMatchObject({ relays: [], route: 'caught' })
  expect((await room.owner.call('DELETE', `${room.path}/relays/${id}`)).json().error.code).toBe('relay_not_found')
})

test('editors see the state of relays but not their accounts; analysts and strangers see nothing', async () => {
  await add({ ...smtp(2525, { username: 'ines', security: 'starttls' }), secret: 'x' })
  const editor = await room.asMember(room.newsletterId, 'editor')
  const analyst = await room.asMember(room.newsletterId, 'analyst')
  const seen = await editor.call('GET', `${room.path}/relays`)
  expect(seen.json().relays[0].way).toMatchObject({ host: '127.0.0.1', username: null })
  expect((await list()).relays[0].way).toMatchObject({ username: 'ines' })
  expect((await editor.call('POST', `${room.path}/relays`, postmark)).statusCode).toBe(403)
  expect((await analyst.call('GET', `${room.path}/relays`)).statusCode).toBe(403)
})

test('nobody can reach another newsletter’s relay, owners neither', async () => {
  const { id } = (await add(postmark)).json()
  const other = await room.signUp()
  const path = `/api/newsletters/${await room.createNewsletter(other)}/relays`
  for (const [method, url, body] of [
    ['PATCH', `${path}/${id}`, { weight: 9 }],
    ['DELETE', `${path}/${id}`, undefined],
    ['POST', `${path}/${id}/test`, undefined],
  ] as const) {
    expect((await other.call(method, url, body)).json().error.code).toBe('relay_not_found')
  }
  expect((await list()).relays[0].weight).toBe(1)
})

test('wrong settings are refused at their field, in the user’s language', async () => {
  const faults = async (body: object) => Object.keys((await add(body)).json().error?.fields ?? {})
  expect(await faults({ ...postmark, secret: null })).toEqual(['secret'])
  expect(await faults({ ...smtp(587, { username: 'x' }), secret: null })).toEqual(['secret'])
  expect(await faults({ ...postmark, way: { kind: 'mailgun', domain: 'not a domain', region: 'us' } })).toEqual([
    'way.domain',
  ])
  expect(await faults({ ...smtp(70_000) })).toEqual(['way.port'])
  expect(await faults({ ...smtp(25, { host: 'a b' }) })).toEqual(['way.host'])
  const withScheme = await add({ ...smtp(25, { host: 'http://smtp.example.org' }) })
  expect(withScheme.json().error.fields).toEqual({
    'way.host': 'Only the server’s name goes here, such as smtp.example.com.',
  })
  const ses = { kind: 'ses', region: 'eu-west-3', accessKeyId: null, configurationSet: null }
  expect(await faults({ ...postmark, way: ses })).toEqual(['way.accessKeyId'])
  const french = await room.inject({
    method: 'POST',
    url: `${room.path}/relays`,
    headers: { cookie: room.owner.cookie, origin: 'http://tirage.test', 'accept-language': 'fr' },
    payload: { ...postmark, secret: null },
  })
  expect(french.json().error.fields.secret).toBe('Ce champ est à remplir.')
})

test('a secret is never sent to another server than the one it was given for', async () => {
  const { id } = (await add({ ...smtp(2525, { username: 'ines', security: 'starttls' }), secret: 'x' })).json()
  const { way } = smtp(2525, { username: 'ines', security: 'starttls', host: 'thief.test' })
  const change = (body: object) => room.owner.call('PATCH', `${room.path}/relays/${id}`, body)
  expect((await change({ way })).json().error.fields).toHaveProperty('secret')
  expect((await change({ way: { ...way, host: '127.0.0.1', security: 'none' } })).json().error.fields).toHaveProperty(
    'secret',
  )
  expect((await change({ way, secret: 'for thief.test' })).statusCode).toBe(200)
})

test('without PRIVATE_RELAYS an owner’s relay must be on the public internet, on a port for mail', async () => {
  const server = await startTestNewsletter()
  open.push(server)
  const refused = async (rest: object) => {
    const body = { ...smtp(587, { security: 'starttls', ...rest }) }
    return Object.keys((await server.owner.call('POST', `${server.path}/relays`, body)).json().error?.fields ?? {})
  }
  for (const host of ['127.0.0.1', '10.0.0.8', '169.254.169.254', '::1', '::ffff:10.0.0.8', 'localhost']) {
    expect([host, await refused({ host })]).toEqual([host, ['way.host']])
  }
  expect(await refused({ host: '1.1.1.1', port: 80 })).toEqual(['way.port'])
  const clear = { ...smtp(587, { host: '1.1.1.1', username: 'x' }), secret: 'y' }
  const answer = await server.owner.call('POST', `${server.path}/relays`, clear)
  expect(Object.keys(answer.json().error.fields)).toEqual(['way.security'])
})

test('a newsletter has at most twenty relays, even when they are added at the same moment', async () => {
  const answers = await Promise.all(Array.from({ length: 24 }, () => add(postmark)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
  expect(answers.find(({ statusCode }) => statusCode !== 200)?.json().error.code).toBe('too_many_relays')
})

test('a test mail goes through one relay, to the user, and shows its answer', async () => {
  const relay = await startRecordingRelay()
  open.push(relay)
  const { id } = (await add(smtp(Number(new URL(relay.url).port)))).json()
  const dead = (await add(smtp(1))).json()
  const sent = await room.owner.call('POST', `${room.path}/relays/${id}/test`)
  expect(sent.json()).toMatchObject({ to: 'ines@example.org', outcome: 'accepted', answer: '250 2.0.0 ok' })
  expect(relay.received.map(({ to }) => to)).toEqual(['ines@example.org'])
  const failed = await room.owner.call('POST', `${room.path}/relays/${dead.id}/test`)
  expect(failed.json()).toMatchObject({ outcome: 'unreachable' })
  const { relays } = await list()
  expect(relays.find((one: { id: string }) => one.id === id)).toMatchObject({
    health: { state: 'working', answer: '250 2.0.0 ok' },
    used: { hour: 1, day: 1 },
    share: 1,
  })
  expect(relays.find((one: { id: string }) => one.id === dead.id)).toMatchObject({
    health: { state: 'resting', failures: 1 },
    share: 0,
  })
})

test('after a new password or server the relay no longer rests', async () => {
  const { id } = (await add({ ...smtp(1, { username: 'x' }), secret: 'wrong' })).json()
  const change = async (body: object) => {
    await room.owner.call('POST', `${room.path}/relays/${id}/test`)
    expect((await list()).relays[0].health.state).toBe('resting')
    expect((await room.owner.call('PATCH', `${room.path}/relays/${id}`, body)).statusCode).toBe(200)
    return (await list()).relays[0]
  }
  const untried = { health: { state: 'untried', failures: 0, answer: null }, share: 1 }
  expect(await change({ secret: 'right' })).toMatchObject(untried)
  expect(await change({ way: smtp(2, { username: 'x' }).way, secret: 'right' })).toMatchObject(untried)
})

test('a test needs a person to receive it', async () => {
  const { id } = (await add(postmark)).json()
  const key = await room.owner.call('POST', `${room.path}/api-keys`, { name: 'k', role: 'owner', expiresAt: null })
  const answer = await room.withKey(key.json().secret)('POST', `${room.path}/relays/${id}/test`)
  expect(answer.json().error.code).toBe('key_cannot')
})

test('a newsletter’s mail takes its own relay; other mail is still caught', async () => {
  const relay = await startProvider('smtp')
  const port = relay.config.kind === 'smtp' ? relay.config.port : 0
  await add({ ...smtp(port, { username: 'x' }), secret: 'y' })
  const mail = { to: 'zoe@example.org', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' }
  await sendSystemMail(room.context, { ...mail, newsletterId: room.newsletterId })
  await sendSystemMail(room.context, { ...mail, newsletterId: null })
  expect(relay.arrived.map(({ subject }) => subject)).toEqual(['Hello'])
  expect(await room.context.relays.outbox.list()).toHaveLength(1)
  const { caught } = (await room.owner.call('GET', `${room.path}/outbox`)).json()
  expect(caught).toBe(false)
})

test('domain limits are replaced as a whole list', async () => {
  const put = (limits: object[]) => room.owner.call('PUT', `${room.path}/relays/domain-limits`, { limits })
  const gmail = { domain: 'gmail.com', readable: 'gmail.com', perSecond: 5, perHour: null }
  const orange = { domain: 'orange.fr', readable: 'orange.fr', perSecond: null, perHour: 1_000 }
  expect((await put([orange, { ...gmail, domain: 'GMail.com' }])).json().limits).toEqual([gmail, orange])
  expect((await put([gmail])).json().limits).toEqual([gmail])
  expect((await list()).domainLimits).toEqual([gmail])
  expect(Object.keys((await put([gmail, orange, gmail])).json().error.fields)).toEqual(['limits.2.domain'])
  expect((await put([])).json().limits).toEqual([])
})

test('a relay whose secret cannot be opened refuses mail and says why', async () => {
  const { id } = (await add(postmark)).json()
  await room.context.db
    .updateTable('relay')
    .set({ secret: Buffer.alloc(40, 7) })
    .execute()
  const answer = await room.owner.call('POST', `${room.path}/relays/${id}/test`)
  expect(answer.json()).toMatchObject({ outcome: 'refused' })
  expect(answer.json().answer).toContain('set it again')
})
