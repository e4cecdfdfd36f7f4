import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseSubscriber } from '../personal-data/erase.ts'
import { claimConfirmations } from '../subscribers/confirmation-queue.ts'
import { type PublicSite, startPublicSite } from '../testing/public-site.ts'
import type { Script } from '../testing/recording-relay.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { ConfirmationSender } from './confirmation-sender.ts'
import { sendSystemMail } from './system-mail.ts'

let relay: RecordingRelay
let server: PublicSite
let newsletter: string
let script: Script

beforeAll(async () => {
  relay = await startRecordingRelay((to, attempt) => script(to, attempt))
  server = await startPublicSite({ SMTP_URL: relay.url, SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '100000' })
})
afterAll(async () => {
  await server.stop()
  await relay.stop()
})
beforeEach(async () => {
  script = () => null
  newsletter = await newsletterThatMails(server)
})
afterEach(async () => {
  relay.received.length = 0
  await sql`delete from confirmation_mail`.execute(server.context.db)
})

/** A newsletter may mail through a relay when an owner's address is confirmed. */
async function newsletterThatMails({ context: { db }, addNewsletter }: PublicSite, values = {}): Promise<string> {
  const id = await addNewsletter(values)
  const owner = { id: `owner of ${id}`, name: 'Ines', email: `${id}@example.org`, email_verified: true }
  await db.insertInto('user').values(owner).execute()
  await db.insertInto('member').values({ newsletter_id: id, user_id: owner.id, role: 'owner' }).execute()
  return id
}

const ask = (email: string, more: Record<string, string> = {}) =>
  server.submit(`/subscribe/${newsletter}`, { email, language: 'en', consent: 'yes', ...more })
const askAll = (emails: string[]) => Promise.all(emails.map((email) => ask(email)))
const addresses = (count: number, domain = 'example.com') =>
  Array.from({ length: count }, (_, n) => `reader${n}@${domain}`)
const waiting = () => server.context.db.selectFrom('confirmation_mail').selectAll().execute()
/** The time of the next attempt has come, or that of a claim has ended. */
const later = () =>
  sql`update confirmation_mail set due_at = now(), claimed_until = now() - interval '1 second'`.execute(
    server.context.db,
  )
const recipients = () => relay.received.map(({ to }) => to).sort()
const header = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replaceAll('\r\n', '') ?? ''

test('a burst of requests gives each person one mail with their own link, and leaves nothing in the queue', async () => {
  const everybody = addresses(400)
  await askAll(everybody)
  await Promise.all([new ConfirmationSender(server.context).drain(), new ConfirmationSender(server.context).drain()])
  expect(recipients()).toEqual(everybody.toSorted())
  expect(await waiting()).toEqual([])
  const links = relay.received.map(({ raw }) => /\/confirm\/([\w.-]+)/.exec(raw.replaceAll('=\r\n', ''))?.[1])
  expect(new Set(links).size).toBe(400)
  const ids = relay.received.map(({ raw }) => header(raw, 'Message-ID'))
  expect(new Set(ids).size).toBe(400)
  const [{ to = '', raw = '' } = {}] = relay.received
  expect(header(raw, 'To')).toBe(to)
  expect(new Date(header(raw, 'Date')).getTime()).toBeGreaterThan(Date.now() - 60_000)
})

test('a newsletter that changes its name says it in the next mail', async () => {
  const sender = new ConfirmationSender(server.context)
  await ask('before@example.com')
  await sender.drain()
  await sql`update newsletter set name = 'High Water', version = version + 1 where id = ${newsletter}`.execute(
    server.context.db,
  )
  await ask('after@example.com')
  await sender.drain()
  const subjects = relay.received.map(({ raw }) => header(raw, 'Subject'))
  expect(subjects.map((subject) => /Low Water|High Water/.exec(subject)?.[0])).toEqual(['Low Water', 'High Water'])
})

test('mails that a killed process had claimed are sent by another once its claim has ended, and not before', async () => {
  await askAll(addresses(20))
  const claimed = await claimConfirmations(server.context.db, newsletter, { limit: 15, leaseSeconds: 60 })
  expect(claimed).toHaveLength(15)
  await server.work()
  expect(relay.received).toHaveLength(5)
  await later()
  await server.work()
  expect(recipients()).toEqual(addresses(20).toSorted())
})

test('a sign-in link passes a flood of confirmations', async () => {
  const link = { to: 'ines@example.org', subject: 'Sign in', html: '', text: 'https://…', newsletterId: null }
  await askAll(addresses(300, 'flood.example'))
  script = (to) => (to === link.to ? null : 'wait')
  const flood = new ConfirmationSender(server.context).drain()
  let isSent = false
  const sent = sendSystemMail(server.context, link).finally(() => {
    isSent = true
  })
  while (!isSent) {
    // The link has time for its own queries, however busy the machine is, while one mail of each connection goes on.
    for (let turn = 0; turn < 20; turn++) await waiting()
    relay.release()
  }
  await sent
  const place = relay.received.findIndex(({ to }) => to === link.to)
  script = () => null
  relay.release()
  await flood
  expect(relay.received).toHaveLength(301)
  // Those that were on a connection, and the next one of each.
  expect(place).toBeLessThan(60)
})

describe('a relay', () => {
  test('that defers is asked again, three seconds and later more, and each mail arrives once', async () => {
    script = (_to, attempt) => (attempt < 3 ? { code: 451, text: '4.7.1 greylisted' } : null)
    await askAll(addresses(30, 'grey.example'))
    await server.work()
    expect(relay.received).toEqual([])
    const secondsFrom = async (at: number) => (await waiting()).map(({ due_at }) => (due_at.getTime() - at) / 1_000)
    for (const wait of await secondsFrom(Date.now())) expect(wait).toBeLessThan(Math.E)
    await later()
    const began = Date.now()
    await server.work()
    for (const wait of await secondsFrom(began)) expect(wait).toBeGreaterThan(Math.E)
    expect((await waiting()).map(({ attempts }) => attempts)).toEqual(Array.from({ length: 30 }, () => 2))
    await later()
    await server.work()
    expect(recipients()).toEqual(addresses(30, 'grey.example').toSorted())
    expect(await waiting()).toEqual([])
  })

  test('that refuses an address for good ends that mail alone', async () => {
    script = (to) => (to.startsWith('reader1@') ? { code: 550, text: '5.1.1 no such user' } : null)
    await askAll(addresses(5))
    await server.work()
    expect(recipients()).toEqual(addresses(5).filter((to) => !to.startsWith('reader1@')))
    expect(await waiting()).toEqual([])
  })

  test('that takes no mail from us loses nobody: relaying denied, a quota in words', async () => {
    script = (to) => ({
      code: 550,
      text: to.startsWith('reader1@')
        ? 'relay not permitted'
        : 'Domain x has exceeded the max emails per hour; discarded',
    })
    // Three in a row would make the relay rest.
    await askAll(addresses(2))
    await server.work()
    expect(relay.received).toEqual([])
    expect(await waiting()).toHaveLength(2)
    script = () => null
    await later()
    await server.work()
    expect(recipients()).toEqual(addresses(2))
  })

  test('that hangs up before the text has cost no attempt', async () => {
    const away = await startPublicSite({
      SMTP_URL: 'smtp://127.0.0.1:9',
      SUBSCRIBE_LIMIT: '100',
      SUBSCRIBE_PRESSURE: '100000',
    })
    const id = await newsletterThatMails(away)
    await away.submit(`/subscribe/${id}`, { email: 'a@example.com', language: 'en', consent: 'yes' })
    await away.work()
    const rows = await away.context.db.selectFrom('confirmation_mail').selectAll().execute()
    expect(rows).toMatchObject([{ attempts: 0, claimed_until: null }])
    await away.stop()
  })

  test('that answers nothing more after twelve attempts is not asked again', async () => {
    script = () => ({ code: 451, text: '4.3.0 later' })
    await ask('never@example.com')
    await sql`update confirmation_mail set attempts = 11`.execute(server.context.db)
    await server.work()
    expect(await waiting()).toEqual([])
  })
})

test('asking again while a mail waits for its next attempt makes it due, and gives one mail', async () => {
  script = (_to, attempt) => (attempt === 1 ? { code: 451, text: '4.7.1 greylisted' } : null)
  await ask('again@example.com')
  await server.work()
  await sql`update confirmation_mail set due_at = now() + interval '6 hours'`.execute(server.context.db)
  server.clock.pass(6 * 60_000)
  await ask('again@example.com')
  await server.work()
  expect(recipients()).toEqual(['again@example.com'])
  expect(await waiting()).toEqual([])
})

test('who was erased, or left, while their mail waited gets none', async () => {
  await askAll(['erased@example.com', 'left@example.com', 'stays@example.com'])
  const { db } = server.context
  const { id } = await db
    .selectFrom('subscriber')
    .select('id')
    .where('newsletter_id', '=', newsletter)
    .where('email', '=', 'erased@example.com')
    .executeTakeFirstOrThrow()
  await eraseSubscriber(server.context, { newsletterId: newsletter, subscriberId: id })
  await sql`update subscriber set status = 'unsubscribed', left_at = now() + interval '1 hour'
    where newsletter_id = ${newsletter} and email = 'left@example.com'`.execute(db)
  await server.work()
  expect(recipients()).toEqual(['stays@example.com'])
  expect(await waiting()).toEqual([])
})

test('the mails of two newsletters are each in their own name, and a link opens only its own', async () => {
  const other = await newsletterThatMails(server, { name: 'Le Quart d’heure', language: 'fr' })
  await Promise.all([
    ask('both@example.com'),
    server.submit(`/subscribe/${other}`, { email: 'both@example.com', language: 'fr', consent: 'yes' }),
  ])
  await server.work()
  const named = relay.received.map(({ raw }) => header(raw, 'X-Tirage-Newsletter')).sort()
  expect(named).toEqual([newsletter, other].sort())
  for (const { raw } of relay.received) {
    const token = /\/confirm\/([\w.-]+)/.exec(raw.replaceAll('=\r\n', ''))?.[1] ?? ''
    expect(token.startsWith(`${header(raw, 'X-Tirage-Newsletter')}.`)).toBe(true)
  }
})

test('hostile names and addresses change no header', async () => {
  await sql`update newsletter set name = ${'Low\r\nBcc: all@example.org\r\n\r\n=?utf-8?Q?x?= <b@c.d>'}
    where id = ${newsletter}`.execute(server.context.db)
  for (const email of ['"a\\"b"@example.com', "o'hara+x=y@example.com", 'zoé@example.com', 'a@b.c\r\nBcc: d@e.f'])
    await ask(email, { name: 'Mary\r\nBcc: x@y.z' })
  await server.work()
  expect(relay.received.length).toBeGreaterThan(0)
  for (const { raw } of relay.received) {
    const [head = ''] = raw.split('\r\n\r\n')
    expect(head).not.toMatch(/^(Bcc|Cc):/im)
    expect(head.match(/^(To|Subject|From|Date|Message-ID):/gim)).toHaveLength(5)
  }
  expect(await waiting()).toEqual([])
})
