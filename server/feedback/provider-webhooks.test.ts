import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicId } from '../database/ids.ts'
import type { DeliveryKey } from '../mail/return-path.ts'
import { whileAway } from '../testing/database.ts'
import { addNewsletter } from '../testing/newsletter.ts'
import { namesOf, startWebhookNewsletter, type WebhookNewsletter } from '../testing/webhook-newsletter.ts'

let server: WebhookNewsletter
beforeAll(async () => {
  server = await startWebhookNewsletter()
})
afterAll(() => server?.stop())

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const seconds = (ago = 0) => String(Math.floor(Date.now() / 1000) - ago)

describe('Postmark', () => {
  const bounce = (delivery: DeliveryKey, type = 'HardBounce') => ({
    RecordType: 'Bounce',
    Type: type,
    TypeCode: 1,
    ID: 692560173,
    Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
    Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist.',
    Email: 'ada@example.com',
    Metadata: namesOf(delivery),
  })
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`tirage:${password}`).toString('base64')}`,
  })

  test('only a caller with the password is accepted', async () => {
    const relay = await server.addRelay('postmark', 'a password')
    const delivery = await server.addDelivery()
    const wrong = [
      {},
      basic('another'),
      basic(''),
      { authorization: 'Basic a password' },
      { authorization: 'Bearer x' },
    ]
    for (const headers of wrong) expect(await server.post(relay, bounce(delivery), headers)).toBe(401)
    expect((await server.outcomeOf(delivery)).feedback).toEqual([])
    expect(await server.post(relay, bounce(delivery), basic('a password'))).toBe(200)
    expect(await server.post(relay, bounce(delivery), basic('a password'))).toBe(200)
    const words = 'smtp;550 5.1.1 The email account that you tried to reach does not exist.'
    expect(await server.outcomeOf(delivery)).toEqual({
      status: 'bounced',
      feedback: [{ kind: 'hard', source: 'postmark', status: '5.1.1', words }],
    })
  })

  test('complaints end a subscription, automatic replies and opens do not', async () => {
    const relay = await server.addRelay('postmark', 'a password')
    const delivery = await server.addDelivery()
    const tell = (body: unknown) => server.post(relay, body, basic('a password'))
    for (const body of [bounce(delivery, 'AutoResponder'), { RecordType: 'Open' }, [], null, 'no json', ''])
      expect(await tell(body)).toBe(200)
    expect((await server.outcomeOf(delivery)).status).toBe('active')
    expect(await tell({ ...bounce(delivery, 'SpamComplaint'), RecordType: 'SpamComplaint' })).toBe(200)
    expect((await server.outcomeOf(delivery)).status).toBe('complained')
  })
})

describe('Mailgun', () => {
  const key = 'key-8d7f'
  let tokens = 0
  const signed = (event: object, { at = seconds(), token = `token${++tokens}`, by = key } = {}) => ({
    signature: { timestamp: at, token, signature: hmac(by, at + token).toString('hex') },
    'event-data': event,
  })
  const failed = (delivery: DeliveryKey, severity = 'permanent') => ({
    event: 'failed',
    severity,
    reason: 'bounce',
    'delivery-status': { code: 550, 'enhanced-code': '5.1.1', message: '550 5.1.1 No such user', description: '' },
    'user-variables': namesOf(delivery),
  })

  test('a valid signature is accepted once and for a quarter of an hour', async () => {
    const relay = await server.addRelay('mailgun', key)
    const [first, second] = [await server.addDelivery(), await server.addDelivery()]
    expect(await server.post(relay, signed(failed(first), { by: 'another' }))).toBe(401)
    expect(await server.post(relay, signed(failed(first), { at: seconds(16 * 60) }))).toBe(401)
    expect(await server.post(relay, signed(failed(first), { at: seconds(-16 * 60) }))).toBe(401)
    expect(await server.post(relay, failed(first))).toBe(401)
    expect((await server.outcomeOf(first)).status).toBe('active')
    const token = 'once'
    expect(await server.post(relay, signed(failed(first), { token }))).toBe(200)
    // The signature does not cover what is told: whoever saw it may not tell something else.
    expect(await server.post(relay, signed(failed(second), { token }))).toBe(401)
    expect((await server.outcomeOf(first)).status).toBe('bounced')
    expect((await server.outcomeOf(second)).status).toBe('active')
  })

  test('of several requests with one signature at the same time, one is accepted', async () => {
    const relay = await server.addRelay('mailgun', key)
    const deliveries = [await server.addDelivery(), await server.addDelivery(), await server.addDelivery()]
    const told = deliveries.map((delivery) => server.post(relay, signed(failed(delivery), { token: 'one for all' })))
    expect((await Promise.all(told)).toSorted()).toEqual([200, 401, 401])
    const standings = await Promise.all(deliveries.map((delivery) => server.outcomeOf(delivery)))
    expect(standings.filter(({ status }) => status === 'bounced')).toHaveLength(1)
  })

  test('an event that could not be recorded is accepted when it is sent again', async () => {
    const relay = await server.addRelay('mailgun', key)
    const delivery = await server.addDelivery()
    const webhook = signed(failed(delivery))
    await whileAway(server.context.config.databaseUrl ?? '', async () => {
      expect(await server.post(relay, webhook)).toBe(503)
    })
    expect(await server.post(relay, webhook)).toBe(200)
    expect((await server.outcomeOf(delivery)).status).toBe('bounced')
  })

  test('a delayed mail is no bounce; an address that complained before is suppressed', async () => {
    const relay = await server.addRelay('mailgun', key)
    const delivery = await server.addDelivery()
    await server.post(relay, signed(failed(delivery, 'temporary')))
    expect((await server.outcomeOf(delivery)).feedback).toEqual([])
    await server.post(relay, signed({ ...failed(delivery), reason: 'suppress-complaint' }))
    expect((await server.outcomeOf(delivery)).status).toBe('complained')
  })
})

describe('Resend', () => {
  const secret = `whsec_${Buffer.from('a secret of the webhook').toString('base64')}`
  const bounced = (delivery: DeliveryKey, type = 'Permanent') => ({
    type: 'email.bounced',
    created_at: new Date().toISOString(),
    data: {
      email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
      bounce: { type, subType: 'General', message: '550 5.1.1 user unknown' },
      tags: namesOf(delivery),
    },
  })
  function sign(body: string, { at = seconds(), by = secret, id = 'msg_1' } = {}) {
    const key = Buffer.from(by.slice('whsec_'.length), 'base64')
    const signature = hmac(key, `${id}.${at}.${body}`).toString('base64')
    return { 'svix-id': id, 'svix-timestamp': at, 'svix-signature': `v1,bm9wZQ== v1,${signature}` }
  }

  test('a valid signature over exactly these bytes is accepted for five minutes', async () => {
    const relay = await server.addRelay('resend', secret)
    const delivery = await server.addDelivery()
    const body = JSON.stringify(bounced(delivery))
    const other = `whsec_${Buffer.from('another').toString('base64')}`
    expect(await server.post(relay, body, sign(body, { by: other }))).toBe(401)
    expect(await server.post(relay, body, sign(body, { at: seconds(6 * 60) }))).toBe(401)
    expect(await server.post(relay, `${body} `, sign(body))).toBe(401)
    expect(await server.post(relay, body, { ...sign(body), 'svix-id': 'msg_2' })).toBe(401)
    expect(await server.post(relay, body)).toBe(401)
    expect((await server.outcomeOf(delivery)).status).toBe('active')
    expect(await server.post(relay, body, sign(body))).toBe(200)
    expect(await server.outcomeOf(delivery)).toMatchObject({
      status: 'bounced',
      feedback: [{ source: 'resend', status: '5.1.1' }],
    })
  })

  test('a secret without a key accepts no signature', async () => {
    for (const by of ['whsec_', 'whsec_!!!!', 'whsec_eA==']) {
      const relay = await server.addRelay('resend', by)
      const body = JSON.stringify(bounced(await server.addDelivery()))
      expect([by, await server.post(relay, body, sign(body, { by }))]).toEqual([by, 401])
    }
  })

  test('a bounce that is not permanent is soft', async () => {
    const relay = await server.addRelay('resend', secret)
    const delivery = await server.addDelivery()
    const body = JSON.stringify(bounced(delivery, 'Transient'))
    await server.post(relay, body, sign(body))
    expect(await server.outcomeOf(delivery)).toMatchObject({ status: 'active', feedback: [{ kind: 'soft' }] })
  })
})

describe('whatever the provider', () => {
  test('a relay that does not exist, or whose kind has no webhooks, is not found', async () => {
    for (const id of ['nothing', publicId(), await server.addRelay('smtp', 'x')])
      expect(await server.post(id, {})).toBe(404)
  })

  test('without a secret nothing is accepted', async () => {
    for (const kind of ['postmark', 'mailgun', 'resend'] as const) {
      expect(await server.post(await server.addRelay(kind, null), {}, { authorization: 'Basic Og==' })).toBe(401)
    }
  })

  test('events of a newsletter’s relay count for that newsletter only; those of the server’s relay count for all', async () => {
    const other = await addNewsletter(server.context.db, server.owner.userId, 'Other')
    const delivery = await server.addDelivery()
    const body = { RecordType: 'Bounce', Type: 'HardBounce', Details: '', Metadata: namesOf(delivery) }
    const headers = { authorization: `Basic ${Buffer.from('x:secret').toString('base64')}` }
    expect(await server.post(await server.addRelay('postmark', 'secret', other), body, headers)).toBe(200)
    const misnamed = { ...body, Metadata: { ...namesOf(delivery), newsletter: other } }
    expect(await server.post(await server.addRelay('postmark', 'secret', other), misnamed, headers)).toBe(200)
    expect((await server.outcomeOf(delivery)).status).toBe('active')
    expect(await server.post(await server.addRelay('postmark', 'secret', null), body, headers)).toBe(200)
    expect((await server.outcomeOf(delivery)).status).toBe('bounced')
  })

  test('more than 256 KB are not read', async () => {
    expect(await server.post(await server.addRelay('resend', 'whsec_x'), 'x'.repeat(300_000))).toBe(413)
  })
})
