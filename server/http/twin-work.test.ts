import { sql } from 'kysely'
import nodemailer from 'nodemailer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Inbound, startInbound } from '../feedback/inbound.ts'
import { forgetNewslettersJob } from '../newsletters/forget-newsletters.job.ts'
import { exportSubscriber } from '../personal-data/export.ts'
import { ConfirmationSender } from '../sending/confirmation-sender.ts'
import { Dispatcher } from '../sending/dispatcher.ts'
import { ReceiptChainer } from '../subscribers/receipts/chainer.ts'
import { verifyChain } from '../subscribers/receipts/verify.ts'
import { type BesideTwin, besideTwin } from '../testing/beside-twin.ts'
import { feedbackSample } from '../testing/feedback-samples.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { bounced, doc, link, sent } from '../testing/newsletter-history.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { MARK, TWIN } from '../testing/twin.ts'

// What happens in a newsletter without a member's call: sending, feedback, what readers do, and jobs. Beside it is the newsletter of
// somebody else whose objects have the same ids.

let server: TestNewsletter
let relay: RecordingRelay
let inbound: Inbound
let beside: BesideTwin

beforeAll(async () => {
  relay = await startRecordingRelay((to) => {
    if (to.startsWith('gone')) return { code: 550, text: '5.1.1 no such user' }
    return to.startsWith('busy') ? { code: 452, text: '4.2.2 mailbox full' } : null
  })
  server = await startTestNewsletter({ SMTP_URL: relay.url, BOUNCE_DOMAIN: 'bounces.example.org' })
  inbound = await startInbound(server.context, { host: '127.0.0.1', port: 0 })
  beside = await besideTwin(server)
}, 120_000)
afterAll(async () => {
  await inbound?.stop()
  await server?.stop()
  await relay?.stop()
})
beforeEach(async () => {
  relay.received.length = 0
  await run(sql`delete from graphile_worker._private_jobs`)
  await run(sql`update subscriber set status = 'unsubscribed' where newsletter_id = ${own()}`)
})

const run = <T>(statement: ReturnType<typeof sql<T>>) => statement.execute(server.context.db)
const act: BesideTwin['act'] = (what, how) => beside.act(what, how)
const helpers = null as never
const mailed = () => relay.received.map(({ to }) => to).sort()
const own = () => server.newsletterId

test('a sending goes to the end, to the newsletter’s own subscribers', async () => {
  await server.addSubscribers([
    'a@work.example',
    'b@work.example',
    'gone@work.example',
    'busy@work.example',
    'no@work.example',
  ])
  await run(
    sql`insert into suppression (newsletter_id, email_normalised, reason) values (${own()}, 'no@work.example', 'by_hand')`,
  )
  const { id } = await server.draft({ content: doc(link('https://example.org/tide')) })
  await server.send(id)
  await act('the first half', () => server.work())
  expect(mailed()).toEqual(['a@work.example', 'b@work.example'])
  expect(await server.counts(id)).toEqual({ intended: 5, accepted: 2, failed: 1, deferred: 1, suppressed: 1 })
  await run(sql`update delivery set due_at = now() where newsletter_id = ${own()} and state = 'deferred'`)
  await act('another attempt', () => server.work())
  await server.owner.call('POST', `${server.path}/publications/${id}/pause`)
  await server.owner.call('POST', `${server.path}/publications/${id}/deliveries/again`, { state: 'failed' })
  await server.owner.call('POST', `${server.path}/publications/${id}/resume`)
  await act('the rest', () => server.work())
  expect(mailed()).toEqual(['a@work.example', 'b@work.example'])
  expect(relay.received.filter(({ raw }) => raw.includes(MARK))).toEqual([])
})

test('a scheduled publication and one to a segment begin for their own newsletter', async () => {
  await server.addSubscribers(['c@work.example', 'd@work.example'])
  const filter = { on: 'email', op: 'begins', value: 'c@' }
  const segment = await server.owner.call('POST', `${server.path}/segments`, { name: 'Only c', filter })
  const { id } = await server.draft()
  const audience = { kind: 'segment', segmentId: segment.json().id }
  const at = new Date(Date.now() + 3_600_000).toISOString()
  expect((await server.send(id, { at, audience })).statusCode).toBe(200)
  await run(sql`update graphile_worker._private_jobs set run_at = now()`)
  await act('its time has come', () => server.work())
  await server.send(id, { audience })
  await act('it is sent', () => server.work())
  expect(mailed()).toEqual(['c@work.example'])
})

test('who confirms or joins a segment is welcomed by their own newsletter', async () => {
  const call = (method: 'POST' | 'PUT', rest: string, body: unknown) =>
    server.owner.call(method, server.path + rest, body)
  const filter = { on: 'email', op: 'begins', value: 'segment@' }
  const segment = (await call('POST', '/segments', { name: 'To welcome', filter })).json()
  const [{ id }, other] = [await server.draft(), await server.draft()]
  for (const chosen of [
    { segmentId: null, publicationId: id },
    { segmentId: segment.id, publicationId: other.id },
  ])
    expect((await call('PUT', '/welcomes', chosen)).statusCode).toBe(200)
  const [first] = await server.addSubscribers(['first@welcome.example', 'segment@welcome.example'])
  await run(sql`insert into newcomer (newsletter_id, subscriber_id) values (${own()}, ${first}::uuid)`)
  await run(sql`update welcome set look_at = now() where look_at is not null`)
  await act('newcomers are welcomed', () => server.work())
  expect(mailed()).toEqual(['first@welcome.example', 'segment@welcome.example'])
  await server.owner.call('DELETE', `${server.path}/segments/${segment.id}?evenIfUsed=true`)
  await act('the welcome that is over ends', () => server.work())
})

test('a claim that ended without an answer leaves its own deliveries uncertain', async () => {
  const [subscriberId] = await server.addSubscribers(['claimed@work.example'])
  const { id } = await server.draft()
  await server.send(id)
  await server.work()
  await run(sql`update delivery set state = 'queued' where newsletter_id = ${own()} and publication_id = ${id}`)
  await run(sql`insert into delivery_claim (newsletter_id, publication_id, sending_id, worker, subscriber_ids, lease_ends_at)
    select newsletter_id, publication_id, id, 'gone', array[${subscriberId}::uuid], now() - interval '5 minutes' from sending
    where newsletter_id = ${own()} and publication_id = ${id}`)
  await act('nobody answers', async () => {
    const dispatcher = new Dispatcher(server.context)
    await dispatcher.start()
    await dispatcher.stop()
  })
  expect(await server.counts(id)).toMatchObject({ uncertain: 1 })
})

test('bounces, complaints and requests to leave that come by mail', async () => {
  const { id } = await sent(server, 'feedback.example', ['hard', 'soft', 'cross', 'bored'])
  const copyTo = (reader: string) => relay.received.find(({ to }) => to === `${reader}@feedback.example`)
  const bring = (to: string, raw: Buffer, from = '') =>
    nodemailer
      .createTransport({ host: '127.0.0.1', port: inbound.port, ignoreTLS: true })
      .sendMail({ envelope: { from, to }, raw })
  const about = (file: string, reader: string) =>
    feedbackSample(file, { returnPath: copyTo(reader)?.from ?? '', messageId: 'unknown@example.org' })
  const wayOut = /<mailto:([^>?]+)>/.exec(copyTo('bored')?.raw.replaceAll(/\r\n /g, ' ') ?? '')?.[1] ?? ''
  await run(sql`update newsletter set soft_bounce_limit = 1 where id = ${own()}`)
  await act('a hard bounce', () => bring(copyTo('hard')?.from ?? '', about('postfix-unknown-user', 'hard')))
  await act('a soft bounce', () => bring(copyTo('soft')?.from ?? '', about('postfix-mailbox-full', 'soft')))
  await act('a complaint', () => bring('fbl@bounces.example.org', about('yahoo-complaint', 'cross')))
  await act('a request to leave', () =>
    bring(wayOut, Buffer.from('Subject: unsubscribe\r\n\r\n'), 'bored@feedback.example'),
  )
  await beside.read(`/publications/${id}/feedback`)
  await beside.read(`/publications/${id}/deliveries?state=returned`)
  await beside.read(`/publications/${id}/result`)
  await beside.read('/dashboard')
})

test('so many bounces that they are not believed', async () => {
  const names = Array.from({ length: 16 }, (_, n) => `reader${n}`)
  await sent(server, 'abnormal.example', names)
  for (const { from, to } of [...relay.received]) {
    const raw = feedbackSample('postfix-unknown-user', { returnPath: from, messageId: 'unknown@example.org' })
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port: inbound.port, ignoreTLS: true })
    await act(`a bounce of ${to}`, () => transport.sendMail({ envelope: { from: '', to: from }, raw }))
  }
  const { rows } = await run<{ status: string }>(sql`select distinct status from subscriber
    where newsletter_id = ${own()} and email like '%@abnormal.example'`)
  expect(rows).toEqual([{ status: 'active' }])
})

test('what a reader does on the page that they leave by', async () => {
  const { id, subscriberIds } = await sent(server, 'pages.example', ['leaving'])
  const url = `/unsub/${own()}/${subscriberIds[0]}?p=${id}`
  const submit = (form: Record<string, string>) =>
    server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
  const forms: Record<string, string>[] = [
    { act: 'language', language: 'fr' },
    { act: 'pause', months: '1' },
    { act: 'resume' },
    { 'List-Unsubscribe': 'One-Click' },
    { act: 'reason', reason: 'tooMany' },
    { act: 'return' },
  ]
  for (const form of forms) {
    const answer = await act(JSON.stringify(form), () => submit(form))
    expect([form, answer.statusCode < 400]).toEqual([form, true])
    await beside.twin.renew()
    const page = await server.inject({ url })
    await beside.twin.remove()
    expect(page.body).not.toContain(MARK)
    expect(page.body).toBe((await server.inject({ url })).body)
  }
})

test('each newsletter asks its own people to confirm, and a confirmation counts in one', async () => {
  await server.owner.call('POST', `${server.path}/subscribers`, { email: 'new@confirm.example' })
  await server.owner.call('POST', `${server.path}/subscribers`, { email: 'busy@confirm.example' })
  await act('one is asked, and one cannot be reached', () => server.work())
  const letter = relay.received.find(({ to }) => to === 'new@confirm.example')?.raw.replaceAll('=\r\n', '') ?? ''
  const url = /\/confirm\/[\w.-]+/.exec(letter)?.[0] ?? ''
  const confirmed = await act('a confirmation', () => server.inject({ method: 'POST', url }))
  expect(confirmed.statusCode).toBe(303)
  relay.received.length = 0
  await run(sql`update confirmation_mail set due_at = now(), claimed_until = null`)
  await server.owner.call('POST', `${server.path}/subscribers`, { email: 'next@confirm.example' })
  await beside.twin.renew()
  await new ConfirmationSender(server.context).drain()
  await beside.twin.remove()
  const isTwins = (text: string) => text.replaceAll(/=\r\n|\r\n(?= )/g, '').includes(`${MARK} Low Water`)
  const marks = relay.received.map(({ to, raw }) => `${to.includes(MARK)} ${isTwins(raw)}`)
  expect(marks.sort()).toEqual(expect.arrayContaining(['false false', 'true true']))
  expect(new Set(marks).size).toBe(2)
})

test('each newsletter has a chain of its own receipts', async () => {
  await server.addSubscribers(['chained@receipts.example'])
  await server.work()
  await server.owner.call('POST', `${server.path}/subscribers`, { email: 'waiting@receipts.example' })
  await beside.twin.renew()
  const { rows: before } = await run<{ n: number }>(
    sql`select count(*)::integer as n from receipt_chain where newsletter_id = ${TWIN}`,
  )
  await new ReceiptChainer(server.context).drain()
  const { rows: after } = await run<{ n: number }>(
    sql`select count(*)::integer as n from receipt_chain where newsletter_id = ${TWIN}`,
  )
  expect((after[0]?.n ?? 0) - (before[0]?.n ?? 0)).toBe(1)
  const verified = await verifyChain(server.context.db, server.context.signer, own())
  await beside.twin.remove()
  expect(verified).toMatchObject({ faults: 0, named: [], waiting: 0 })
  expect(await verifyChain(server.context.db, server.context.signer, own())).toEqual(verified)
})

test('what is exported of a person is what this newsletter holds', async () => {
  const { id, subscriberIds } = await sent(server, 'export.example', ['person'])
  await bounced(server, ['lost@export.example'], id)
  for (const subscriberId of subscriberIds) {
    await beside.twin.renew()
    const data = await exportSubscriber(server.context.db, { newsletterId: own(), subscriberId })
    await beside.twin.remove()
    expect(JSON.stringify(data)).not.toContain(MARK)
    expect(await exportSubscriber(server.context.db, { newsletterId: own(), subscriberId })).toEqual(data)
  }
})

let version = 1_000

test('public pages show their own newsletter', async () => {
  const { id } = await sent(server, 'pages.example', ['public'])
  const { rows } = await run<{ slug: string }>(
    sql`select slug from publication where newsletter_id = ${own()} and id = ${id}`,
  )
  const urls = [
    `/n/${own()}`,
    `/n/${own()}?q=tide`,
    `/n/${own()}/feed.xml`,
    `/n/${own()}/${rows[0]?.slug}`,
    `/subscribe/${own()}`,
  ]
  for (const url of urls) {
    const shown = async () => {
      // Pages are kept in memory by this number.
      await run(sql`update newsletter set version = ${++version} where id = ${own()}`)
      const answer = await server.inject({ url })
      expect([url, answer.statusCode]).toEqual([url, 200])
      return answer.body
    }
    await beside.twin.renew()
    const page = await shown()
    await beside.twin.remove()
    expect([url, page]).toEqual([url, expect.not.stringContaining(MARK)])
  }
})

test('a newsletter that is erased takes nothing of another one with it', async () => {
  await sent(server, 'last.example', ['erased'])
  await act('it is erased', async () => {
    await run(sql`update newsletter set deleted_at = now() - interval '31 days' where id = ${own()}`)
    await forgetNewslettersJob(server.context, async () => {})({}, helpers)
  })
  expect((await run(sql`select from newsletter where id = ${own()}`)).rows).toEqual([])
})
