import { createSign, generateKeyPairSync, type KeyLike } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryKey } from '../mail/return-path.ts'
import { certificate, key as privateKey } from '../testing/certificate.ts'
import { namesOf, startWebhookNewsletter, type WebhookNewsletter } from '../testing/webhook-newsletter.ts'

let server: WebhookNewsletter
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
  server = await startWebhookNewsletter({ PROVIDER_GATEWAY: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await server?.stop()
  amazon?.close()
})

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
const tell = (relay: string, message: unknown) =>
  server.post(relay, message, { 'content-type': 'text/plain; charset=UTF-8' })

test('its topic is confirmed automatically and remembered; another topic is refused', async () => {
  const relay = await server.addRelay('ses', null)
  const delivery = await server.addDelivery()
  expect(await tell(relay, signed({ Message: bounce(delivery) }))).toBe(401)
  expect(await tell(relay, subscription())).toBe(200)
  expect(asked.at(-1)).toBe(`/?Action=ConfirmSubscription&TopicArn=${topic}&Token=a-token`)
  const another = 'arn:aws:sns:eu-west-3:999999999999:another'
  expect(await tell(relay, subscription({ TopicArn: another }))).toBe(401)
  expect(await tell(relay, signed({ TopicArn: another, Message: bounce(delivery) }))).toBe(401)
  expect((await server.outcomeOf(delivery)).status).toBe('active')
  expect(await tell(relay, signed({ Message: bounce(delivery) }))).toBe(200)
  expect(await server.outcomeOf(delivery)).toEqual({
    status: 'bounced',
    feedback: [{ kind: 'hard', source: 'ses', status: '5.1.1', words: '550 5.1.1 user unknown' }],
  })
})

test('both versions of the signature are accepted, and nothing else', async () => {
  const relay = await server.addRelay('ses', topic)
  const [first, second] = [await server.addDelivery(), await server.addDelivery()]
  const { privateKey: stranger } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(await tell(relay, signed({ Message: bounce(first) }, '2', stranger))).toBe(401)
  expect(await tell(relay, { ...signed({ Message: bounce(first) }), Message: bounce(second) })).toBe(401)
  expect(await tell(relay, { ...signed({ Message: bounce(first) }), Signature: 'x' })).toBe(401)
  expect(await tell(relay, 'no json')).toBe(401)
  expect([(await server.outcomeOf(first)).status, (await server.outcomeOf(second)).status]).toEqual([
    'active',
    'active',
  ])
  expect(await tell(relay, signed({ Message: bounce(first), Subject: 'Amazon SES Event' }, '1'))).toBe(200)
  expect(await tell(relay, signed({ Message: bounce(second, 'Transient') }))).toBe(200)
  expect([(await server.outcomeOf(first)).status, (await server.outcomeOf(second)).status]).toEqual([
    'bounced',
    'active',
  ])
})

test('nobody but Amazon is asked for a certificate or visited to confirm', async () => {
  const relay = await server.addRelay('ses', topic)
  const before = asked.length
  const places = [
    'http://sns.eu-west-3.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.eu-west-3.amazonaws.com.example.org/SimpleNotificationService-1.pem',
    'https://example.org/sns.eu-west-3.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.eu-west-3.amazonaws.com:8443/SimpleNotificationService-1.pem',
    'https://sns.eu-west-3.amazonaws.com@example.org/SimpleNotificationService-1.pem',
    'https://bucket.s3.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.eu-west-3.amazonaws.com/a.txt',
    'https://sns.eu-west-3.amazonaws.com/a.pem',
    'https://sns.eu-west-3.amazonaws.com/SimpleNotificationService-1.pem?Action=ListTopics',
    'https://sns.eu-west-3.amazonaws.com/a/SimpleNotificationService-1.pem',
    'https://user:word@sns.eu-west-3.amazonaws.com/SimpleNotificationService-1.pem',
    'file:///etc/passwd',
  ]
  for (const SigningCertURL of places) expect(await tell(relay, subscription({ SigningCertURL }))).toBe(401)
  expect(asked).toHaveLength(before)
  expect(await tell(relay, subscription({ SubscribeURL: 'https://example.org/?confirm' }))).toBe(401)
  expect(asked.slice(before).every((url) => url.endsWith('.pem'))).toBe(true)
})

test('without tags, the Message-ID of the original names the delivery', async () => {
  const relay = await server.addRelay('ses', topic)
  const delivery = await server.addDelivery()
  const value = `<${delivery.publicationId}.${delivery.subscriberId}@lowwater.test>`
  const Message = JSON.stringify({
    notificationType: 'Complaint',
    complaint: { complaintFeedbackType: 'abuse' },
    mail: { headers: [{ name: 'Message-ID', value }] },
  })
  await tell(relay, signed({ Message }))
  expect((await server.outcomeOf(delivery)).status).toBe('complained')
})
