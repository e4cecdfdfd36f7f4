import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import nodemailer from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicId, uuidv7 } from '../database/ids.ts'
import { messageIdMac } from '../mail/message-id.ts'
import { type DeliveryKey, returnPath, unsubscribeMailbox } from '../mail/return-path.ts'
import { whileAway } from '../testing/database.ts'
import { addAcceptedDeliveries } from '../testing/deliveries.ts'
import { feedbackSample } from '../testing/feedback-samples.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { usualVisitLimits } from './visits.ts'

const DOMAIN = 'bounces.example.org'
let server: TestNewsletter
let inbound: Inbound

beforeAll(async () => {
  server = await startTestNewsletter({ BOUNCE_DOMAIN: DOMAIN, INBOUND_PORT: '0', INBOUND_HOST: '127.0.0.1' })
  inbound = await startInbound(server.context, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await inbound?.stop()
  await server?.stop()
})

let people = 0
const addReaders = (count = 1) =>
  server.addSubscribers(Array.from({ length: count }, () => `reader${++people}@example.com`))

/** A new publication to a new reader, which the relay accepted. */
async function sentToOne(): Promise<DeliveryKey> {
  const [delivery] = await addAcceptedDeliveries(server, await addReaders())
  return delivery as DeliveryKey
}

const verp = (delivery: DeliveryKey) => returnPath(server.context.config, server.context.signer, delivery) ?? ''
const wayOut = (delivery: DeliveryKey) =>
  unsubscribeMailbox(server.context.config, server.context.signer, delivery) ?? ''
const messageIdOf = (delivery: DeliveryKey) =>
  `${delivery.publicationId}.${delivery.subscriberId}.${messageIdMac(server.context.signer, delivery)}@lowwater.test`
const about = (file: string, delivery: DeliveryKey) =>
  feedbackSample(file, { returnPath: verp(delivery), messageId: messageIdOf(delivery) })

/** What the listener answers to one mail. */
async function mail(to: string | string[], raw: Buffer, from = ''): Promise<string> {
  const client = nodemailer.createTransport({ host: '127.0.0.1', port: inbound.port, ignoreTLS: true })
  try {
    return (await client.sendMail({ envelope: { from, to }, raw })).response
  } catch (error) {
    return (error as { response?: string }).response ?? String(error)
  } finally {
    client.close()
  }
}

const bounce = (file: string, delivery: DeliveryKey) => mail(verp(delivery), about(file, delivery))

/** What is known of a reader afterwards. */
async function standing({ newsletterId, subscriberId }: DeliveryKey) {
  const { db } = server.context
  const subscriber = await db
    .selectFrom('subscriber as s')
    .leftJoin('suppression as x', (join) =>
      join.onRef('x.newsletter_id', '=', 's.newsletter_id').onRef('x.email_normalised', '=', 's.email_normalised'),
    )
    .select(['s.status', 's.left_reason', 'x.reason', 'x.detail'])
    .where('s.newsletter_id', '=', newsletterId)
    .where('s.id', '=', subscriberId)
    .executeTakeFirstOrThrow()
  const events = await db
    .selectFrom('event')
    .select(['kind', 'publication_id'])
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .execute()
  return { ...subscriber, events: events.map(({ kind }) => kind) }
}

const feedbackOf = ({ newsletterId, subscriberId }: DeliveryKey) =>
  server.context.db
    .selectFrom('feedback')
    .select(['kind', 'source', 'status', 'words', 'suppressed'])
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .orderBy('id')
    .execute()

describe('bounces', () => {
  test('a hard bounce ends the subscription at once, with the server’s own words', async () => {
    const delivery = await sentToOne()
    expect(await bounce('postfix-unknown-user', delivery)).toMatch(/^250 2\.0\.0/)
    const words = '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table'
    expect(await standing(delivery)).toEqual({
      status: 'bounced',
      left_reason: 'bounced',
      reason: 'bounced',
      detail: words,
      events: ['bounced'],
    })
    expect(await feedbackOf(delivery)).toEqual([
      { kind: 'hard', source: 'dsn', status: '5.1.1', words, suppressed: true },
    ])
    expect(await server.counts(delivery.publicationId)).toEqual({ intended: 1, accepted: 1 })
  })

  test('a repeated report counts once', async () => {
    const delivery = await sentToOne()
    await bounce('gmail', delivery)
    expect(await bounce('gmail', delivery)).toMatch(/^250/)
    expect(await feedbackOf(delivery)).toHaveLength(1)
    expect((await standing(delivery)).events).toEqual(['bounced'])
  })

  test('delays and automatic replies change nothing', async () => {
    const delivery = await sentToOne()
    expect(await bounce('postfix-delayed', delivery)).toMatch(/^250/)
    expect(await bounce('vacation', delivery)).toMatch(/^250/)
    expect(await feedbackOf(delivery)).toEqual([])
    expect((await standing(delivery)).status).toBe('active')
  })

  test('a bounce in words alone is accepted, because its address names the delivery', async () => {
    const delivery = await sentToOne()
    await bounce('qmail', delivery)
    expect((await standing(delivery)).status).toBe('bounced')
  })

  test('a return path whose case was changed on the way is still recognised', async () => {
    const delivery = await sentToOne()
    expect(await mail(verp(delivery).toUpperCase(), about('exim', delivery))).toMatch(/^250/)
    expect((await standing(delivery)).status).toBe('bounced')
  })

  test('soft bounces of five publications end a subscription, those of four or of one do not', async () => {
    const [reader = ''] = await addReaders()
    const deliveries: DeliveryKey[] = []
    for (let n = 0; n < 5; n++) deliveries.push(...(await addAcceptedDeliveries(server, [reader])))
    const [first, ...others] = deliveries as [DeliveryKey, ...DeliveryKey[]]
    for (let n = 0; n < 5; n++) await bounce('postfix-mailbox-full', first)
    for (const delivery of others.slice(0, 3)) await bounce('postfix-mailbox-full', delivery)
    expect(await standing(first)).toMatchObject({ status: 'active', reason: null })
    await bounce('postfix-mailbox-full', others[3] as DeliveryKey)
    expect(await standing(first)).toMatchObject({ status: 'bounced', reason: 'bounced' })
    expect((await feedbackOf(first)).map(({ suppressed }) => suppressed)).toEqual([false, false, false, false, true])
  })

  test('what the relay was refused for marks no reader, whatever the status says and however often it comes', async () => {
    const [reader = ''] = await addReaders()
    const deliveries: DeliveryKey[] = []
    for (let n = 0; n < 6; n++) deliveries.push(...(await addAcceptedDeliveries(server, [reader])))
    const refusals = [
      '550 5.1.1 relay not permitted',
      '550 Domain lowwater.test has exceeded the max emails per hour (9/8 (112%)) allowed. Message discarded.',
      '550-Verification failed for <news@lowwater.test> 550-No such user 550 Sender verify failed',
      '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
      '550 spam detected',
      '554 5.7.1 <ada@example.com>: Relay access denied',
    ]
    for (const [n, delivery] of deliveries.entries()) {
      const dsn = about('postfix-unknown-user', delivery).toString()
      const refused = dsn.replace(/Diagnostic-Code:.*\r\n(?:[ \t].*\r\n)*/, `Diagnostic-Code: smtp; ${refusals[n]}\r\n`)
      expect(refused).toMatch(/^Status: 5\.1\.1/m)
      expect(await mail(verp(delivery), Buffer.from(refused))).toMatch(/^250/)
    }
    const [first] = deliveries as [DeliveryKey]
    expect((await feedbackOf(first)).map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => 'soft'))
    expect(await standing(first)).toMatchObject({ status: 'active', reason: null })
  })

  test('soft bounces do not count after 90 days, or after the address was confirmed again', async () => {
    const { db } = server.context
    const [reader = ''] = await addReaders()
    await db.updateTable('newsletter').set({ soft_bounce_limit: 2 }).where('id', '=', server.newsletterId).execute()
    const next = async () => (await addAcceptedDeliveries(server, [reader]))[0] as DeliveryKey
    const first = await next()
    await bounce('postfix-mailbox-full', first)
    const longAgo = new Date(Date.now() - 91 * 24 * 3600 * 1000)
    await db.updateTable('subscriber').set({ confirmed_at: longAgo }).where('id', '=', reader).execute()
    await db.updateTable('feedback').set({ at: longAgo }).where('subscriber_id', '=', reader).execute()
    await bounce('postfix-mailbox-full', await next())
    expect((await standing(first)).status).toBe('active')
    await db.updateTable('subscriber').set({ confirmed_at: new Date() }).where('id', '=', reader).execute()
    await bounce('postfix-mailbox-full', await next())
    expect((await standing(first)).status).toBe('active')
    await bounce('postfix-mailbox-full', await next())
    expect((await standing(first)).status).toBe('bounced')
    await db.updateTable('newsletter').set({ soft_bounce_limit: 5 }).where('id', '=', server.newsletterId).execute()
  })
})

describe('complaints', () => {
  test.each([
    ['yahoo-complaint', 'complaints'],
    ['aol-complaint', 'fbl'],
    ['outlook-complaint', 'COMPLAINTS'],
  ])('%s names the copy by what was left readable, and ends the subscription', async (file, box) => {
    const delivery = await sentToOne()
    expect(await mail(`${box}@${DOMAIN}`, about(file, delivery), 'feedback@mailbox.example')).toMatch(/^250/)
    expect(await standing(delivery)).toMatchObject({
      status: 'complained',
      reason: 'complained',
      events: ['complained'],
    })
    expect(await feedbackOf(delivery)).toMatchObject([{ kind: 'complaint', source: 'arf', suppressed: true }])
  })

  test('reports of no spam, without a delivery, and about mail that was never sent change nothing', async () => {
    const delivery = await sentToOne()
    expect(await mail(`complaints@${DOMAIN}`, about('not-spam', delivery))).toMatch(/^250/)
    const stranger = { ...delivery, subscriberId: uuidv7() }
    expect(await mail(`complaints@${DOMAIN}`, about('yahoo-complaint', stranger))).toMatch(/^250/)
    expect(await mail(`complaints@${DOMAIN}`, about('postfix-unknown-user', delivery))).toMatch(/^250/)
    expect(await mail(`complaints@${DOMAIN}`, Buffer.from('Subject: hello\r\n\r\nhello'))).toMatch(/^250/)
    expect((await standing(delivery)).status).toBe('active')
  })

  test('a complaint that knows only the ids, which are in every link, is ignored', async () => {
    const [delivery] = (await addAcceptedDeliveries(server, await addReaders(), 'sending')) as [DeliveryKey]
    const own = messageIdOf(delivery)
    const bare = own.replace(/\.[0-9a-f]{12}@/, '@')
    const forged = own.replace(
      /\.[0-9a-f]{12}@/,
      `.${messageIdMac(server.context.signer, { ...delivery, subscriberId: uuidv7() })}@`,
    )
    for (const messageId of [bare, forged]) {
      for (const file of ['yahoo-complaint', 'aol-complaint', 'outlook-complaint']) {
        const raw = feedbackSample(file, { returnPath: 'b-guess@bounces.example.org', messageId })
        expect(await mail(`complaints@${DOMAIN}`, raw, 'ada@example.com')).toMatch(/^250/)
      }
    }
    expect((await standing(delivery)).status).toBe('active')
    expect((await server.state(delivery.publicationId)).status).toBe('sending')
    const raw = feedbackSample('yahoo-complaint', { returnPath: 'ada@example.com', messageId: own })
    await mail(`complaints@${DOMAIN}`, raw)
    expect((await standing(delivery)).status).toBe('complained')
  })

  test('complaints of 0.3 % of the accepted deliveries pause the publication, with the figures', async () => {
    const readers = await addReaders(3)
    const others = Array.from({ length: 997 }, () => uuidv7())
    await server.context.db
      .updateTable('sending')
      .set({ started_at: new Date(0) })
      .execute()
    const deliveries = await addAcceptedDeliveries(server, [...readers, ...others], 'sending')
    const [first, second, third] = deliveries as [DeliveryKey, DeliveryKey, DeliveryKey]
    const complain = (delivery: DeliveryKey) => mail(`fbl@${DOMAIN}`, about('yahoo-complaint', delivery))
    await complain(first)
    expect((await server.state(first.publicationId)).status).toBe('sending')
    await complain(second)
    expect((await server.state(first.publicationId)).status).toBe('sending')
    await complain(third)
    expect(await server.state(first.publicationId)).toEqual({ status: 'paused', stopped_by: 'too_many_complaints' })
    const read = await server.owner.call('GET', `${server.path}/publications/${first.publicationId}`)
    expect(read.json()).toMatchObject({ stoppedBy: 'too_many_complaints', stoppedAnswer: '3/1000' })
  })

  test('a message that somebody forwards to its return path is no complaint', async () => {
    const delivery = await sentToOne()
    expect(await mail(verp(delivery), about('outlook-complaint', delivery), 'ada@example.com')).toMatch(/^250/)
    expect((await standing(delivery)).status).toBe('active')
  })

  test('a sending that is finished stays finished', async () => {
    const delivery = await sentToOne()
    await mail(`fbl@${DOMAIN}`, about('yahoo-complaint', delivery))
    expect((await server.state(delivery.publicationId)).status).toBe('sent')
  })
})

describe('leaving by mail', () => {
  test('one mail ends the subscription, with a receipt', async () => {
    const delivery = await sentToOne()
    expect(await mail(wayOut(delivery), Buffer.from('Subject: whatever\r\n\r\n'), 'ada@example.com')).toMatch(/^250/)
    expect(await standing(delivery)).toMatchObject({ status: 'unsubscribed', reason: null, events: ['unsubscribed'] })
    const receipt = await server.context.db
      .selectFrom('consent')
      .select(['act', 'means', 'network'])
      .where('subscriber_id', '=', delivery.subscriberId)
      .execute()
    expect(receipt).toEqual([{ act: 'withdrawn', means: 'mail', network: '127.0.0.0/24' }])
  })

  test('a bounce is not a request to leave', async () => {
    const delivery = await sentToOne()
    expect(await mail(wayOut(delivery), about('exim', delivery))).toMatch(/^550 5\.7\.1/)
    expect((await standing(delivery)).status).toBe('active')
  })
})

describe('whom the listener refuses', () => {
  test('addresses that we gave to nobody', async () => {
    const delivery = await sentToOne()
    const raw = about('postfix-unknown-user', delivery)
    const own = verp(delivery)
    const forged = own.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@'))
    for (const to of [
      forged,
      own.replace(DOMAIN, 'elsewhere.example'),
      own.replace(/^b-/, 'u-'),
      'ada@example.com',
      `ines@${DOMAIN}`,
      'complaints@example.com',
    ])
      expect([to, await mail(to, raw)]).toEqual([to, expect.stringMatching(/^550 5\.1\.1/)])
    expect((await standing(delivery)).status).toBe('active')
  })

  test('a signed address of something that does not exist changes nothing, in any newsletter', async () => {
    const delivery = await sentToOne()
    const other = await addNewsletter(server.context.db, server.owner.userId, 'Other')
    expect(await bounce('exim', { ...delivery, newsletterId: other })).toMatch(/^250/)
    expect(await bounce('exim', { ...delivery, publicationId: publicId() })).toMatch(/^250/)
    expect((await standing(delivery)).status).toBe('active')
  })

  test('more than a megabyte', async () => {
    const delivery = await sentToOne()
    const huge = Buffer.concat([about('exim', delivery), Buffer.from(randomBytes(600 * 1024).toString('hex'))])
    expect(await mail(verp(delivery), huge)).toMatch(/^552/)
    expect(await feedbackOf(delivery)).toEqual([])
  })

  test('a mail is accepted only after its report is committed', async () => {
    const delivery = await sentToOne()
    await whileAway(server.context.config.databaseUrl ?? '', async () => {
      expect(await bounce('exim', delivery)).toMatch(/^451 4\.3\.0/)
    })
    expect(await bounce('exim', delivery)).toMatch(/^250/)
    expect((await standing(delivery)).status).toBe('bounced')
  })

  const crowd = (count: number) => Array.from({ length: count }, () => connect(inbound.port, '127.0.0.1'))

  test('clients that hang up early, and too many connections of one network, harm nobody else', async () => {
    await Promise.all(crowd(10).map(async (socket) => (await once(socket, 'connect')) && socket.destroy()))
    const many = crowd(70)
    const said = await Promise.all(many.map(async (socket) => String((await once(socket, 'data'))[0])))
    expect(said.filter((line) => line.startsWith('220'))).toHaveLength(10)
    expect(said.filter((line) => line.startsWith('421'))).toHaveLength(60)
    for (const socket of many) socket.destroy()
    const delivery = await sentToOne()
    await expect.poll(() => bounce('exim', delivery)).toMatch(/^250/)
  })

  test('a client that guesses addresses is refused for a while', async () => {
    const delivery = await sentToOne()
    const guesses = Array.from({ length: 31 }, (_, n) => `b-${n}@${DOMAIN}`)
    await mail(guesses, about('exim', delivery))
    expect(await mail(`b-guess@${DOMAIN}`, about('exim', delivery))).toMatch(/^450 4\.7\.1/)
    expect(await bounce('exim', delivery)).toMatch(/^250/)
  })
})

describe('how senders use their connection', () => {
  /** Says all of a dialogue at once, ends its side, and resolves to everything that was answered. */
  async function halfClosed(to: string, raw: Buffer, last: string): Promise<string> {
    const socket = connect({ port: inbound.port, host: '127.0.0.1', allowHalfOpen: true })
    let heard = ''
    socket.on('data', (piece) => (heard += piece))
    await once(socket, 'data')
    const ended = once(socket, 'close')
    socket.write(`EHLO exim.test\r\nMAIL FROM:<>\r\nRCPT TO:<${to}>\r\nDATA\r\n`)
    await expect.poll(() => heard).toContain('354')
    socket.end(Buffer.concat([raw, Buffer.from(`\r\n.\r\n${last}`)]))
    await once(socket, 'end')
    socket.destroy()
    await ended
    return heard
  }

  test.each(['QUIT\r\n', ''])('one that ends its side after the last dot (then %j) gets its 250', async (last) => {
    const delivery = await sentToOne()
    const heard = await halfClosed(verp(delivery), about('exim', delivery), last)
    expect(heard).toMatch(/^250 2\.0\.0 Noted\r$/m)
    expect((await standing(delivery)).status).toBe('bounced')
  })

  const linux = process.platform === 'linux'

  test.skipIf(!linux)('slow senders from five networks cannot hold the listener', async () => {
    const networks = [1, 2, 3, 4, 5].map((n) => `127.0.1.${n}`)
    const slow = networks.flatMap((localAddress) =>
      Array.from({ length: 10 }, () => connect({ port: inbound.port, host: '127.0.0.1', localAddress })),
    )
    const said = await Promise.all(slow.map(async (socket) => String((await once(socket, 'data'))[0])))
    expect(said.filter((line) => line.startsWith('220'))).toHaveLength(50)
    const delivery = await sentToOne()
    expect(await bounce('exim', delivery)).toMatch(/^250/)
    for (const socket of slow) socket.destroy()
  })

  test('one that sends slower than the least rate is closed with 421', async () => {
    const limits = { ...usualVisitLimits, graceMs: 300, bytesPerSecond: 1_000, checkMs: 20 }
    const other = await startInbound(server.context, { host: '127.0.0.1', port: 0 }, limits)
    const socket = connect(other.port, '127.0.0.1')
    let heard = ''
    socket.on('data', (piece) => (heard += piece))
    await once(socket, 'data')
    const dribble = setInterval(() => socket.write('N'), 20)
    await once(socket, 'close')
    clearInterval(dribble)
    expect(heard).toMatch(/^421 4\.4\.2 Too slow\r$/m)
    await other.stop()
  })
})
