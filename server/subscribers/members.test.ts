import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publicId } from '../database/ids.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { addPublication } from '../testing/publication.ts'
import { suppress } from './change.ts'

let server: TestApp
let owner: Session
let newsletter: string
let path: string

beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp()
})
afterAll(() => server.stop())
beforeEach(async () => {
  newsletter = await addNewsletter(owner)
  path = `/api/newsletters/${newsletter}/subscribers`
})

interface Shown {
  id: string
  email: string
  status: string
}

const add = async (email: string, more: object = {}) =>
  (await owner.call('POST', path, { email, ...more })).json<Shown>()

async function addNewsletter({ userId }: Session): Promise<string> {
  const id = publicId(10)
  const settings = {
    name: 'Low Water',
    sender_name: 'Low Water',
    language: 'en',
    timezone: 'Europe/Paris',
    currency: 'eur',
  } as const
  await server.context.db
    .insertInto('newsletter')
    .values({ id, ...settings })
    .execute()
  await server.context.db.insertInto('member').values({ newsletter_id: id, user_id: userId, role: 'owner' }).execute()
  return id
}

/** The id of the database. */
const stored = (shown: string) => server.context.shownIds.read(shown)

const activate = (id: string) =>
  server.context.db
    .updateTable('subscriber')
    .set({ status: 'active', confirmed_at: new Date() })
    .where('newsletter_id', '=', newsletter)
    .where('id', '=', stored(id))
    .execute()

describe('members', () => {
  test('ask whom they add to confirm, also where the page asks nobody, and are refused what the page refuses', async () => {
    const settings = { optIn: 'single', roleAddresses: 'refuse', disposableAddresses: 'refuse' }
    const changed = await owner.call('PATCH', `/api/newsletters/${newsletter}`, settings)
    expect(changed.json()).toMatchObject(settings)
    expect(await add('ada@example.com')).toMatchObject({ status: 'pending' })
    const fields = []
    for (const email of ['info@example.com', 'ada@mailinator.com']) {
      const refused = await owner.call('POST', path, { email })
      fields.push([refused.statusCode, refused.json().error.fields])
    }
    expect(fields).toEqual([
      [422, { email: 'This newsletter takes no addresses that several people read.' }],
      [422, { email: 'This newsletter takes no throwaway addresses.' }],
    ])
    expect((await owner.call('PATCH', `/api/newsletters/${newsletter}`, { optIn: 'triple' })).statusCode).toBe(422)
  })

  test('ask an address to subscribe, and only its owner confirms', async () => {
    const ada = await add('Ada@Bücher.example', { name: 'Ada' })
    expect(ada).toMatchObject({ email: 'Ada@Bücher.example', name: 'Ada', status: 'pending', source: 'by-hand' })
    await activate(ada.id)
    const again = await owner.call('POST', path, { email: 'ada@bücher.example' })
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ error: { code: 'already_subscribed' } })
  })

  test('who enters an address by hand is named in its mail and on its page, until its owner asks too', async () => {
    const mailTo = async (address: string) => {
      await server.work()
      const mails = (await server.context.relays.outbox.list()) ?? []
      const [newest] = mails.filter(({ to }) => to.includes(address))
      const read = await server.context.relays.outbox.read(newest?.id ?? '')
      return (read?.source.toString() ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll(/\s+/g, ' ')
    }
    await add('nora@example.com')
    const board = (await owner.call('GET', `/api/newsletters/${newsletter}/dashboard`)).json()
    expect(board.activity).toMatchObject([{ kind: 'added', email: 'nora@example.com' }])
    const mail = await mailTo('nora@example.com')
    expect(mail).toContain('Low Water added your address')
    expect(mail).not.toContain('Somebody gave this address')
    const page = new URL(/https?:\/\/[^\s"<]*\/confirm\/[\w.-]+/.exec(mail)?.[0] ?? 'http://none/').pathname
    const said = 'Whoever runs Low Water added this address.'
    expect((await server.app.inject(page)).body).toContain(said)

    const aMinuteAgo = sql`now() - interval '1 minute'`
    await sql`update consent set at = ${aMinuteAgo} where newsletter_id = ${newsletter}`.execute(server.context.db)
    await sql`update subscriber set asked_at = now() - interval '1 hour' where newsletter_id = ${newsletter}`.execute(
      server.context.db,
    )
    await server.app.inject({
      method: 'POST',
      url: `/subscribe/${newsletter}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email: 'nora@example.com', language: 'en', consent: 'yes' }).toString(),
    })
    expect(await mailTo('nora@example.com')).toContain('Somebody gave this address')
    expect((await server.app.inject(page)).body).not.toContain(said)
  })

  test('cannot revive a suppressed address', async () => {
    await server.context.db
      .insertInto('suppression')
      .values({ newsletter_id: newsletter, email_normalised: 'stopped@example.com', reason: 'bounced' })
      .execute()
    const refused = await owner.call('POST', path, { email: 'Stopped@example.com' })
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({ error: { fields: { email: expect.stringContaining('stopped') } } })
  })

  test('ask an address that bounced once a day, and never one that complained', async () => {
    const { db } = server.context
    const lost = async (email: string, reason: 'bounced' | 'complained') => {
      const { id } = await add(email)
      await activate(id)
      const publicationId = await addPublication(db, { newsletterId: newsletter, state: 'sent' })
      await suppress(db, reason, [{ newsletterId: newsletter, subscriberId: stored(id), publicationId, words: '550' }])
      await db.deleteFrom('confirmation_mail').execute()
      return (after: string) =>
        sql`update subscriber set asked_at = now() - ${after}::interval,
        left_at = now() - ${after}::interval where id = ${stored(id)}`.execute(db)
    }
    const mails = async () => (await db.selectFrom('confirmation_mail').selectAll().execute()).length
    const bounced = await lost('bounced@example.com', 'bounced')
    const soon = await owner.call('POST', path, { email: 'bounced@example.com' })
    expect(soon.statusCode).toBe(429)
    await bounced('25 hours')
    expect(await add('bounced@example.com')).toMatchObject({ status: 'bounced' })
    expect((await owner.call('POST', path, { email: 'bounced@example.com' })).statusCode).toBe(429)
    expect(await mails()).toBe(1)

    const complained = await lost('complained@example.com', 'complained')
    await complained('400 days')
    const refused = await owner.call('POST', path, { email: 'complained@example.com' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'subscriber_complained'])
    expect(await mails()).toBe(0)
  })

  test('learn what is wrong with their request', async () => {
    for (const body of [{}, { email: 'ada@' }, { email: 3 }, { email: 'a@example.com', language: 'de' }, [], 'x']) {
      expect((await owner.call('POST', path, body)).statusCode).toBeGreaterThanOrEqual(400)
      expect((await owner.call('POST', path, body)).statusCode).toBeLessThan(500)
    }
    expect((await add('a@example.com', { name: 'a\u0000b' })).status).toBe('pending')
  })

  test('page through subscribers, newest first, by status and by search', async () => {
    const added = []
    for (let i = 0; i < 5; i++) added.push(await add(`reader${i}@example.com`))
    await activate(added[0]?.id ?? '')
    const seen: string[] = []
    let cursor = ''
    do {
      const answer = await owner.call('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`)
      const { rows, next, total } = answer.json<{ rows: Shown[]; next: string | null; total: number }>()
      expect(total).toBe(5)
      seen.push(...rows.map(({ email }) => email))
      cursor = next ?? ''
    } while (cursor)
    expect(seen).toEqual([4, 3, 2, 1, 0].map((i) => `reader${i}@example.com`))
    expect((await owner.call('GET', `${path}?status=active`)).json()).toMatchObject({ total: 1 })
    expect((await owner.call('GET', `${path}?search=READER3`)).json()).toMatchObject({ total: 1 })
    expect((await owner.call('GET', `${path}?search=%25_%00`)).json()).toMatchObject({ total: 0 })
    expect((await owner.call('GET', `${path}?cursor=x`)).statusCode).toBe(422)
  })

  test('see one subscriber with receipts, and unsubscribe somebody who asked by other means', async () => {
    const { id } = await add('ada@example.com')
    const gone = await owner.call('POST', `${path}/${id}/unsubscribe`)
    expect(gone.json()).toMatchObject({ status: 'unsubscribed' })
    const { receipts, deliveries } = (await owner.call('GET', `${path}/${id}`)).json()
    expect(receipts.map(({ act, means }: { act: string; means: string }) => `${act} ${means}`)).toEqual([
      'withdrawn by-hand',
      'asked by-hand',
    ])
    expect(deliveries).toEqual([])
  })

  test('erase a subscriber, and nothing names them afterwards', async () => {
    const { id } = await add('ada@example.com')
    const subscriberId = stored(id)
    const { db } = server.context
    const publication = await addPublication(db, { newsletterId: newsletter, id: `${newsletter}p` })
    await db
      .insertInto('delivery')
      .values({
        newsletter_id: newsletter,
        publication_id: publication,
        sending_id: publication,
        subscriber_id: subscriberId,
        email: 'ada@example.com',
      })
      .execute()
    const link = { newsletter_id: newsletter, id: `${newsletter}l`, target: 'https://example.org/' }
    await db.insertInto('short_link').values(link).execute()
    const click = {
      newsletter_id: newsletter,
      short_link_id: link.id,
      device: 'desktop',
      subscriber_id: subscriberId,
      at: new Date(),
    }
    await db.insertInto('click').values(click).execute()
    expect((await owner.call('DELETE', `${path}/${id}`)).statusCode).toBe(200)
    const clicks = await db
      .selectFrom('click')
      .select('subscriber_id')
      .where('newsletter_id', '=', newsletter)
      .execute()
    expect(clicks).toEqual([{ subscriber_id: null }])
    expect((await owner.call('DELETE', `${path}/${id}`)).statusCode).toBe(404)
    expect((await owner.call('GET', `${path}/${id}`)).statusCode).toBe(404)
    const [delivery] = await db.selectFrom('delivery').selectAll().where('newsletter_id', '=', newsletter).execute()
    expect(delivery).toMatchObject({ email: '', state: 'suppressed' })
    const events = await db.selectFrom('event').selectAll().where('newsletter_id', '=', newsletter).execute()
    expect(events.map((event) => event.subscriber_id)).toEqual([null])
    expect(await db.selectFrom('consent').selectAll().where('newsletter_id', '=', newsletter).execute()).toEqual([])
  })

  test('of another newsletter reach no subscriber', async () => {
    const { id } = await add('ada@example.com')
    const stranger = await server.signUp()
    const theirs = await addNewsletter(stranger)
    for (const [method, below] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/unsubscribe'],
    ] as const) {
      expect((await stranger.call(method, `/api/newsletters/${theirs}/subscribers/${id}${below}`)).statusCode).toBe(404)
      expect((await stranger.call(method, `${path}/${id}${below}`)).statusCode).toBe(404)
    }
    expect((await owner.call('GET', `${path}/${id}`)).json()).toMatchObject({ status: 'pending' })
  })
})

test('a member who confirms a subscription of their own finds the way back; nobody else sees that there is one', async () => {
  const neighbour = await server.signUp()
  await server.inject({
    ...{ method: 'POST', url: `/subscribe/${newsletter}` },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ email: 'myself@example.com', language: 'en', consent: 'yes' }).toString(),
  })
  await server.work()
  const mails = (await server.context.relays.outbox.list()) ?? []
  const mail = await server.context.relays.outbox.read(
    mails.find(({ to }) => to.includes('myself@example.com'))?.id ?? '',
  )
  const source = (mail?.source.toString() ?? '').replaceAll('=\r\n', '')
  const url = new URL(/https?:\/\/[^\s"<]*\/confirm\/[\w.-]+/.exec(source)?.[0] ?? 'http://none/').pathname
  expect((await server.inject({ method: 'POST', url })).statusCode).toBe(303)
  const thanks = async (cookie: string) => (await server.inject({ url, headers: { cookie } })).body
  const [own, other, stranger] = [await thanks(owner.cookie), await thanks(neighbour.cookie), await thanks('')]
  expect(own).toContain('<a href="/dashboard">Back to the dashboard</a>')
  expect(other).toContain('You are subscribed')
  expect(other).toBe(stranger)
  expect(other).not.toContain('/dashboard')
})
