import { createHmac, createSign, generateKeyPairSync, type KeyLike } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicId } from '../../../database/ids.ts'
import { certificate, key as privateKey } from '../../../testing/certificate.ts'
import { whileAway } from '../../../testing/database.ts'
import { addNewsletter, type Newsroom, openNewsroom } from '../../../testing/newsroom.ts'
import { addSent } from '../../../testing/sent.ts'
import type { RelayKind } from '../../relays/contract.ts'
import type { DeliveryKey } from '../return-path.ts'

let house: Newsroom
/** In the place of Amazon: has a certificate to give, and remembers what it was asked. */
let amazon: Server
const asked: string[] = []

beforeAll(async () => {
  amazon = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(request.url?.endsWith('.pem') ? certificate : 'ok')
  })
  await new Promise<void>((resolve) => amazon.listen(0, '127.0.0.1', resolve))
  const { port } = amazon.address() as AddressInfo
  house = await openNewsroom({ PROVIDER_GATEWAY: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await house?.stop()
  amazon?.close()
})

async function addRelay(kind: RelayKind, secret: string | null, newsletterId: string | null = house.newsletterId) {
  const id = publicId()
  const { db, sealer } = house.context
  const settings = JSON.stringify({})
  const webhook_secret = secret === null ? null : sealer.seal('relay', secret)
  await db
    .insertInto('relay')
    .values({
      id,
      newsletter_id: newsletterId,
      name: kind,
      kind,
      settings,
      webhook_secret,
      weight: 1,
      connections: 1,
      enabled: true,
    })
    .execute()
  return id
}

let people = 0
async function sentToOne(): Promise<DeliveryKey> {
  const [delivery] = await addSent(house, await house.addSubscribers([`reader${++people}@example.com`]))
  return delivery as DeliveryKey
}

const namesOf = ({ newsletterId, publicationId, subscriberId }: DeliveryKey) => ({
  newsletter: newsletterId,
  publication: publicationId,
  subscriber: subscriberId,
})

async function standing({ subscriberId }: DeliveryKey) {
  const { db } = house.context
  const row = await db
    .selectFrom('subscriber')
    .select('status')
    .where('id', '=', subscriberId)
    .executeTakeFirstOrThrow()
  const heard = await db
    .selectFrom('feedback')
    .select(['kind', 'source', 'status', 'words'])
    .where('subscriber_id', '=', subscriberId)
    .execute()
  return { status: row.status, heard }
}

async function post(relayId: string, body: unknown, headers: Record<string, string> = {}, type = 'application/json') {
  const answer = await house.inject({
    method: 'POST',
    url: `/webhooks/relays/${relayId}`,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': type, ...headers },
  })
  return answer.statusCode
}

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

  test('who knows the password is believed, and only they', async () => {
    const relay = await addRelay('postmark', 'a password')
    const delivery = await sentToOne()
    const wrong = [
      {},
      basic('another'),
      basic(''),
      { authorization: 'Basic a password' },
      { authorization: 'Bearer x' },
    ]
    for (const headers of wrong) expect(await post(relay, bounce(delivery), headers)).toBe(401)
    expect((await standing(delivery)).heard).toEqual([])
    expect(await post(relay, bounce(delivery), basic('a password'))).toBe(200)
    expect(await post(relay, bounce(delivery), basic('a password'))).toBe(200)
    const words = 'smtp;550 5.1.1 The email account that you tried to reach does not exist.'
    expect(await standing(delivery)).toEqual({
      status: 'bounced',
      heard: [{ kind: 'hard', source: 'postmark', status: '5.1.1', words }],
    })
  })

  test('complaints end a subscription, automatic replies and opens do not', async () => {
    const relay = await addRelay('postmark', 'a password')
    const delivery = await sentToOne()
    const tell = (body: unknown) => post(relay, body, basic('a password'))
    for (const body of [bounce(delivery, 'AutoResponder'), { RecordType: 'Open' }, [], null, 'no json', ''])
      expect(await tell(body)).toBe(200)
    expect((await standing(delivery)).status).toBe('active')
    expect(await tell({ ...bounce(delivery, 'SpamComplaint'), RecordType: 'SpamComplaint' })).toBe(200)
    expect((await standing(delivery)).status).toBe('complained')
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

  test('a true signature is believed once and for a quarter of an hour', async () => {
    const relay = await addRelay('mailgun', key)
    const [first, second] = [await sentToOne(), await sentToOne()]
    expect(await post(relay, signed(failed(first), { by: 'another' }))).toBe(401)
    expect(await post(relay, signed(failed(first), { at: seconds(16 * 60) }))).toBe(401)
    expect(await post(relay, signed(failed(first), { at: seconds(-16 * 60) }))).toBe(401)
    expect(await post(relay, failed(first))).toBe(401)
    expect((await standing(first)).status).toBe('active')
    const token = 'once'
    expect(await post(relay, signed(failed(first), { token }))).toBe(200)
    // The signature does not cover what is told: whoever saw it may not tell something else.
    expect(await post(relay, signed(failed(second), { token }))).toBe(401)
    expect((await standing(first)).status).toBe('bounced')
    expect((await standing(second)).status).toBe('active')
  })

  test('what could not be written down may come again', async () => {
    const relay = await addRelay('mailgun', key)
    const delivery = await sentToOne()
    const webhook = signed(failed(delivery))
    await whileAway(house.context.config.databaseUrl ?? '', async () => {
      expect(await post(relay, webhook)).toBe(503)
    })
    expect(await post(relay, webhook)).toBe(200)
    expect((await standing(delivery)).status).toBe('bounced')
  })

  test('what is only delayed is tried again; who complained before is never written to', async () => {
    const relay = await addRelay('mailgun', key)
    const delivery = await sentToOne()
    await post(relay, signed(failed(delivery, 'temporary')))
    expect((await standing(delivery)).heard).toEqual([])
    await post(relay, signed({ ...failed(delivery), reason: 'suppress-complaint' }))
    expect((await standing(delivery)).status).toBe('complained')
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

  test('a true signature over these very bytes is believed, for five minutes', async () => {
    const relay = await addRelay('resend', secret)
    const delivery = await sentToOne()
    const body = JSON.stringify(bounced(delivery))
    const other = `whsec_${Buffer.from('another').toString('base64')}`
    expect(await post(relay, body, sign(body, { by: other }))).toBe(401)
    expect(await post(relay, body, sign(body, { at: seconds(6 * 60) }))).toBe(401)
    expect(await post(relay, `${body} `, sign(body))).toBe(401)
    expect(await post(relay, body, { ...sign(body), 'svix-id': 'msg_2' })).toBe(401)
    expect(await post(relay, body)).toBe(401)
    expect((await standing(delivery)).status).toBe('active')
    expect(await post(relay, body, sign(body))).toBe(200)
    expect(await standing(delivery)).toMatchObject({
      status: 'bounced',
      heard: [{ source: 'resend', status: '5.1.1' }],
    })
  })

  test('what is not lasting is a soft bounce', async () => {
    const relay = await addRelay('resend', secret)
    const delivery = await sentToOne()
    const body = JSON.stringify(bounced(delivery, 'Transient'))
    await post(relay, body, sign(body))
    expect(await standing(delivery)).toMatchObject({ status: 'active', heard: [{ kind: 'soft' }] })
  })
})

describe('Amazon SES', () => {
  const topic = 'arn:aws:sns:eu-west-3:123456789012:tirage'
  const at = 'https://sns.eu-west-3.amazonaws.com'
  const fields = ['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const

  function signed(message: Partial<Record<string, string>>, version: '1' | '2' = '2', key: KeyLike = privateKey) {
    const whole: Partial<Record<string, string>> = {
      Type: 'Notification',
      MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
      TopicArn: topic,
      Timestamp: new Date().toISOString(),
      SignatureVersion: version,
      SigningCertURL: `${at}/SimpleNotificationService-${version}.pem`,
      ...message,
    }
    const text = fields.flatMap((name) => (whole[name] === undefined ? [] : [`${name}\n${whole[name]}\n`])).join('')
    const signature = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
      .update(text)
      .sign(key, 'base64')
    return { Signature: signature, ...whole }
  }
  const subscription = (message = {}) =>
    signed({
      Type: 'SubscriptionConfirmation',
      Message: 'You have chosen to subscribe to the topic.',
      Token: 'a-token',
      SubscribeURL: `${at}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=a-token`,
      ...message,
    })
  const bounce = (delivery: DeliveryKey, bounceType = 'Permanent') =>
    JSON.stringify({
      eventType: 'Bounce',
      bounce: {
        bounceType,
        bounceSubType: 'General',
        bouncedRecipients: [
          {
            emailAddress: 'ada@example.com',
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: 'smtp; 550 5.1.1 user unknown',
          },
        ],
      },
      mail: { tags: Object.fromEntries(Object.entries(namesOf(delivery)).map(([name, value]) => [name, [value]])) },
    })
  const tell = (relay: string, message: unknown) => post(relay, message, {}, 'text/plain; charset=UTF-8')

  test('its topic is confirmed by itself and remembered; another topic is not heard', async () => {
    const relay = await addRelay('ses', null)
    const delivery = await sentToOne()
    expect(await tell(relay, signed({ Message: bounce(delivery) }))).toBe(401)
    expect(await tell(relay, subscription())).toBe(200)
    expect(asked.at(-1)).toBe(`/?Action=ConfirmSubscription&TopicArn=${topic}&Token=a-token`)
    const another = 'arn:aws:sns:eu-west-3:999999999999:another'
    expect(await tell(relay, subscription({ TopicArn: another }))).toBe(401)
    expect(await tell(relay, signed({ TopicArn: another, Message: bounce(delivery) }))).toBe(401)
    expect((await standing(delivery)).status).toBe('active')
    expect(await tell(relay, signed({ Message: bounce(delivery) }))).toBe(200)
    expect(await standing(delivery)).toEqual({
      status: 'bounced',
      heard: [{ kind: 'hard', source: 'ses', status: '5.1.1', words: '550 5.1.1 user unknown' }],
    })
  })

  test('both versions of the signature hold, and nothing else does', async () => {
    const relay = await addRelay('ses', topic)
    const [first, second] = [await sentToOne(), await sentToOne()]
    const { privateKey: stranger } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect(await tell(relay, signed({ Message: bounce(first) }, '2', stranger))).toBe(401)
    expect(await tell(relay, { ...signed({ Message: bounce(first) }), Message: bounce(second) })).toBe(401)
    expect(await tell(relay, { ...signed({ Message: bounce(first) }), Signature: 'x' })).toBe(401)
    expect(await tell(relay, 'no json')).toBe(401)
    expect([(await standing(first)).status, (await standing(second)).status]).toEqual(['active', 'active'])
    expect(await tell(relay, signed({ Message: bounce(first), Subject: 'Amazon SES Event' }, '1'))).toBe(200)
    expect(await tell(relay, signed({ Message: bounce(second, 'Transient') }))).toBe(200)
    expect([(await standing(first)).status, (await standing(second)).status]).toEqual(['bounced', 'active'])
  })

  test('nobody but Amazon is asked for a certificate or visited to confirm', async () => {
    const relay = await addRelay('ses', topic)
    const before = asked.length
    const places = [
      'http://sns.eu-west-3.amazonaws.com/a.pem',
      'https://sns.eu-west-3.amazonaws.com.example.org/a.pem',
      'https://example.org/sns.eu-west-3.amazonaws.com/a.pem',
      'https://sns.eu-west-3.amazonaws.com:8443/a.pem',
      'https://sns.eu-west-3.amazonaws.com@example.org/a.pem',
      'https://bucket.s3.amazonaws.com/a.pem',
      'https://sns.eu-west-3.amazonaws.com/a.txt',
      'file:///etc/passwd',
    ]
    for (const SigningCertURL of places) expect(await tell(relay, subscription({ SigningCertURL }))).toBe(401)
    expect(asked).toHaveLength(before)
    expect(await tell(relay, subscription({ SubscribeURL: 'https://example.org/?confirm' }))).toBe(401)
    expect(asked.slice(before).every((url) => url.endsWith('.pem'))).toBe(true)
  })

  test('where no tags are told, the Message-ID of the original names the copy', async () => {
    const relay = await addRelay('ses', topic)
    const delivery = await sentToOne()
    const value = `<${delivery.publicationId}.${delivery.subscriberId}@lowwater.test>`
    const Message = JSON.stringify({
      notificationType: 'Complaint',
      complaint: { complaintFeedbackType: 'abuse' },
      mail: { headers: [{ name: 'Message-ID', value }] },
    })
    await tell(relay, signed({ Message }))
    expect((await standing(delivery)).status).toBe('complained')
  })
})

describe('whatever the provider', () => {
  test('a relay that is none, or that tells by no webhook, is not there', async () => {
    for (const id of ['nothing', publicId(), await addRelay('smtp', 'x')]) expect(await post(id, {})).toBe(404)
  })

  test('without a secret nothing is believed', async () => {
    for (const kind of ['postmark', 'mailgun', 'resend'] as const) {
      expect(await post(await addRelay(kind, null), {}, { authorization: 'Basic Og==' })).toBe(401)
    }
  })

  test('the relay of one newsletter tells nothing about another, that of the house about all', async () => {
    const other = await addNewsletter(house.context.db, house.owner.userId, 'Other')
    const delivery = await sentToOne()
    const body = { RecordType: 'Bounce', Type: 'HardBounce', Details: '', Metadata: namesOf(delivery) }
    const headers = { authorization: `Basic ${Buffer.from('x:secret').toString('base64')}` }
    expect(await post(await addRelay('postmark', 'secret', other), body, headers)).toBe(200)
    const misnamed = { ...body, Metadata: { ...namesOf(delivery), newsletter: other } }
    expect(await post(await addRelay('postmark', 'secret', other), misnamed, headers)).toBe(200)
    expect((await standing(delivery)).status).toBe('active')
    expect(await post(await addRelay('postmark', 'secret', null), body, headers)).toBe(200)
    expect((await standing(delivery)).status).toBe('bounced')
  })

  test('more than 256 KB are not read', async () => {
    expect(await post(await addRelay('resend', 'whsec_x'), 'x'.repeat(300_000))).toBe(413)
  })
})
