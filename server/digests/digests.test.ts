import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Pace } from '../subscribers/contract.ts'
import { isPace } from '../subscribers/pace.ts'
import { choosePace, pauseSubscriber } from '../subscribers/preferences.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { composeDigestsJob } from './compose-digests.job.ts'

let relay: RecordingRelay
let server: TestNewsletter
/** The time by which digests go: a Tuesday far ahead, to which what the database dates is moved. */
let now: Date

beforeAll(async () => {
  relay = await startRecordingRelay()
})
afterAll(() => relay.stop())
beforeEach(async () => {
  server = await startTestNewsletter({ SMTP_URL: relay.url })
  relay.received.length = 0
  now = new Date('2100-01-05T12:00:00Z')
  return () => server.stop()
})

const call = (method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  server.owner.call(method, server.path + path, body)

/** A subscriber; their address says what they chose, such as weekly.ada@example.org. */
async function add(...emails: string[]): Promise<void> {
  for (const [at, id] of (await server.addSubscribers(emails)).entries()) {
    const pace = emails[at]?.split('.')[0]
    if (isPace(pace)) await sql`update subscriber set pace = ${pace} where id = ${id}`.execute(server.context.db)
  }
}

const find = (email: string) =>
  server.context.db.selectFrom('subscriber').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

const choose = async (email: string, pace: Pace) => {
  const { id } = await find(email)
  await choosePace(server.context.db, { newsletterId: server.newsletterId, subscriberId: id }, pace)
}

/** Writes a publication and sends it to all, or to whom `body` says. */
async function publish(title: string, body: Record<string, unknown> = {}): Promise<string> {
  const { id } = await server.draft({ title, subtitle: `About ${title}` })
  const sent = await server.send(id, body)
  expect([sent.statusCode, sent.body]).toEqual([200, expect.any(String)])
  await server.work()
  return id
}

async function compose(): Promise<void> {
  const { db } = server.context
  const long = new Date('2099-01-01')
  await sql`update digest_item set at = ${now} where at < ${long}`.execute(db)
  await sql`update subscriber set pace_at = ${now} where pace_at < ${long}`.execute(db)
  await composeDigestsJob({ ...server.context, now: () => now })({}, {} as never)
  await server.work()
}

async function passes(days: number): Promise<void> {
  await compose()
  now = new Date(now.getTime() + days * 24 * 3600 * 1000)
  await compose()
}

const weekPasses = () => passes(7)

const textOf = (raw: string) => raw.replaceAll(/=\r?\n/g, '')
const titles = ['Ebb', 'Flow', 'Surge', 'Calm']

/** Each mail since the last call: to whom, with which subject, and the publications that a digest lists. */
function arrived(): string[] {
  const mails = relay.received.splice(0).filter(({ raw }) => raw.includes('Precedence: bulk'))
  return mails
    .map(({ to, raw }) => {
      const subject = /^Subject: (.*)\r$/m.exec(raw)?.[1] ?? ''
      const listed = titles.filter((title) => textOf(raw).includes(`About ${title}`))
      return `${to} ${titles.includes(subject) ? subject : `digest of ${listed.join(', ') || 'nothing'}`}`
    })
    .sort()
}

test('who chose a digest gets no publication by itself, and one mail with all of them when its moment has come', async () => {
  await add('every.ada@example.org', 'weekly.bea@example.org', 'monthly.cleo@example.org')
  await publish('Ebb')
  await publish('Flow')
  expect(arrived()).toEqual(['every.ada@example.org Ebb', 'every.ada@example.org Flow'])
  await compose()
  expect(arrived()).toEqual([])
  await weekPasses()
  expect(arrived()).toEqual(['weekly.bea@example.org digest of Ebb, Flow'])
  await publish('Surge')
  expect(arrived()).toEqual(['every.ada@example.org Surge'])
  await weekPasses()
  expect(arrived()).toEqual(['weekly.bea@example.org digest of Surge'])
  await weekPasses()
  expect(arrived()).toEqual([])
  // To the first of February.
  await passes(6)
  expect(arrived()).toEqual(['monthly.cleo@example.org digest of Ebb, Flow, Surge'])
})

test('what was taken off the web is in no digest, and in the next one once it is back', async () => {
  await add('weekly.bea@example.org')
  const ebb = await publish('Ebb')
  await publish('Flow')
  await call('POST', `/publications/${ebb}/take-off-web`, {})
  await weekPasses()
  expect(arrived()).toEqual(['weekly.bea@example.org digest of Flow'])
  await weekPasses()
  expect(arrived()).toEqual([])
  await call('POST', `/publications/${ebb}/put-back-on-web`, {})
  await weekPasses()
  expect(arrived()).toEqual(['weekly.bea@example.org digest of Ebb'])
})

test('a digest has what every mail has, is in its reader’s language, and links to the pages on the web', async () => {
  await add('weekly.bea@example.org', 'weekly.luc@example.org')
  await sql`update subscriber set language = 'fr' where email like '%luc%'`.execute(server.context.db)
  const { id } = await server.draft({ title: 'Ebb', content: { type: 'doc', content: [paragraph('Twice a day.')] } })
  await server.send(id)
  await server.work()
  await weekPasses()
  const mailTo = (name: string) => relay.received.find(({ to }) => to.includes(name))?.raw ?? ''
  const [bea, luc] = [mailTo('bea'), textOf(mailTo('luc'))]
  for (const field of [
    /^List-Unsubscribe: <http/m,
    /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m,
    /^List-Id: /m,
  ])
    expect(bea).toMatch(field)
  expect(bea).toMatch(/^Subject: Your week with Low Water\r$/m)
  expect(bea).toContain('Twice a day.')
  expect(bea).toContain('4 quai de la Cri')
  expect(luc).toContain('Votre semaine avec Low Water')
  const links = server.context.db.selectFrom('short_link').select('target').where('canary', '=', false)
  const targets = await links.orderBy('target').execute()
  expect(targets.map(({ target }) => target.replace(/^.*\/n\//, ''))).toEqual(
    ['en', 'fr'].map((language) => `${server.newsletterId}/ebb?lang=${language}`),
  )
})

test('a digest names each publication once, and all of them in the line that an inbox shows beside its subject', async () => {
  await add('weekly.bea@example.org')
  await publish('Ebb')
  await publish('Flow')
  await weekPasses()
  const { text = '', html = '' } = await PostalMime.parse(relay.received.at(-1)?.raw ?? '')
  expect(text.split('\n').filter((line) => /^Ebb|^Flow/.test(line))).toEqual(['Ebb [1]', 'Flow [2]'])
  expect(html.split('Ebb · Flow')).toHaveLength(2)
})

test('how a publication begins is told without its notes, and without what is only in the email or for who pays', async () => {
  await add('weekly.bea@example.org')
  const note = { type: 'footnote', attrs: { note: [{ type: 'text', text: 'zqnote' }] } }
  const only = (place: string) => ({ type: 'onlyFor', attrs: { for: place }, content: [paragraph(`zq${place}`)] })
  const first = { type: 'paragraph', content: [{ type: 'text', text: 'Twice a day.' }, note] }
  const content = { type: 'doc', content: [only('email'), only('paid'), first, paragraph('Mostly.')] }
  await server.send((await server.draft({ title: 'Ebb', content })).id)
  await server.work()
  await weekPasses()
  const { text = '' } = await PostalMime.parse(relay.received.at(-1)?.raw ?? '')
  expect(text).toContain('Twice a day. Mostly.\n')
  expect(text).not.toContain('zq')
})

test('a digest is no page on the web, is listed with its figures and deliveries, and cannot be sent to others', async () => {
  await add('weekly.bea@example.org')
  await publish('Ebb')
  await weekPasses()
  const { rows } = (await call('GET', '/publications')).json()
  const digest = rows.find((row: { digest: string | null }) => row.digest === 'weekly')
  expect(digest).toMatchObject({
    title: 'Your week with Low Water',
    status: 'sent',
    audience: { kind: 'digest', pace: 'weekly' },
    url: null,
    number: null,
  })
  const { publications } = (await call('GET', '/dashboard')).json()
  expect(publications.find(({ id }: { id: string }) => id === digest.id)).toMatchObject({ digest: 'weekly' })
  const deliveries = (await call('GET', `/publications/${digest.id}/deliveries`)).json()
  expect(deliveries.rows).toMatchObject([{ email: 'weekly.bea@example.org', state: 'accepted' }])
  for (const body of [{}, { channel: 'web' }, { at: '2027-03-01T08:00:00Z' }])
    expect((await server.send(digest.id, body)).json().error.code).toBe('wrong_status')
  const archive = await server.inject({ url: `/n/${server.newsletterId}` })
  expect(archive.body).toContain('Ebb')
  expect(archive.body).not.toContain('Your week')
})

describe('a change of preference', () => {
  test('from weekly to every publication: what waits comes in a last digest, and nothing twice', async () => {
    await add('weekly.bea@example.org')
    const ebb = await publish('Ebb')
    await choose('weekly.bea@example.org', 'every')
    await publish('Flow')
    expect(arrived()).toEqual(['weekly.bea@example.org Flow'])
    await weekPasses()
    expect(arrived()).toEqual(['weekly.bea@example.org digest of Ebb'])
    // As another sending of the same publication would.
    await sql`insert into sending (newsletter_id, id, publication_id, audience, state)
      values (${server.newsletterId}, 'again', ${ebb}, '{"kind": "everyone"}', 'sending')`.execute(server.context.db)
    await server.work()
    await weekPasses()
    expect(arrived()).toEqual([])
  })

  test('from every publication to weekly: what came already is not in the digest', async () => {
    await add('every.ada@example.org', 'weekly.bea@example.org')
    await publish('Ebb')
    await choose('every.ada@example.org', 'weekly')
    await publish('Flow')
    expect(arrived()).toEqual(['every.ada@example.org Ebb'])
    await weekPasses()
    expect(arrived()).toEqual(['every.ada@example.org digest of Flow', 'weekly.bea@example.org digest of Ebb, Flow'])
  })

  test('from monthly to weekly: all that waits comes with the next moment, and not at once', async () => {
    await add('monthly.cleo@example.org')
    await publish('Ebb')
    await weekPasses()
    await publish('Flow')
    await choose('monthly.cleo@example.org', 'weekly')
    await compose()
    expect(arrived()).toEqual([])
    await weekPasses()
    expect(arrived()).toEqual(['monthly.cleo@example.org digest of Ebb, Flow'])
  })

  test('from monthly to weekly when a digest is late: it is for those who had chosen it by its moment', async () => {
    await add('monthly.cleo@example.org', 'weekly.bea@example.org')
    await publish('Ebb')
    await compose()
    // The Monday of the digest has gone by, and nothing made it.
    now = new Date(now.getTime() + 7 * 24 * 3600 * 1000)
    await choose('monthly.cleo@example.org', 'weekly')
    await compose()
    expect(arrived()).toEqual(['weekly.bea@example.org digest of Ebb'])
    await weekPasses()
    expect(arrived()).toEqual(['monthly.cleo@example.org digest of Ebb'])
  })

  test('while their mail is under way, whoever chose a digest still gets what was planned', async () => {
    await add('every.ada@example.org')
    const { id } = await server.draft({ title: 'Ebb' })
    await server.send(id)
    await choose('every.ada@example.org', 'weekly')
    await server.work()
    await weekPasses()
    expect(arrived()).toHaveLength(1)
  })
})

test('who has left, paused or is suppressed gets no digest, and who comes back gets what had waited', async () => {
  await add('weekly.gone@example.org', 'weekly.paused@example.org', 'weekly.stopped@example.org')
  await publish('Ebb')
  const { db } = server.context
  await sql`insert into suppression (newsletter_id, email_normalised, reason)
    values (${server.newsletterId}, 'weekly.stopped@example.org', 'by_hand')`.execute(db)
  await sql`update subscriber set status = 'unsubscribed', left_at = now() where email like '%gone%'`.execute(db)
  await sql`update subscriber set paused_until = now() + interval '1 hour' where email like '%paused%'`.execute(db)
  await weekPasses()
  expect(arrived()).toEqual([])
  const [digest] = (await call('GET', '/publications')).json().rows
  expect((await call('GET', `/publications/${digest.id}/deliveries`)).json().rows).toMatchObject([
    { email: 'weekly.stopped@example.org', state: 'suppressed', answer: 'by_hand' },
  ])
  await sql`update subscriber set status = 'active', left_at = null, paused_until = null`.execute(db)
  await sql`delete from suppression`.execute(db)
  await weekPasses()
  expect(arrived()).toEqual(['weekly.gone@example.org digest of Ebb', 'weekly.paused@example.org digest of Ebb'])
})

test('only those whom a publication was for have it in their digest; one that is paused waits, one that is cancelled is in none', async () => {
  await add('weekly.bea@example.org', 'weekly.luc@example.org')
  const filter = { on: 'email', op: 'contains', value: 'luc' }
  const segment = (await call('POST', '/segments', { name: 'Luc', filter })).json()
  await publish('Ebb', { audience: { kind: 'segment', segmentId: segment.id } })
  const flow = await publish('Flow')
  const surge = await publish('Surge')
  const { db } = server.context
  await sql`update sending set state = 'paused' where publication_id in (${flow}, ${surge})`.execute(db)
  await publish('Calm')
  await weekPasses()
  expect(arrived()).toEqual(['weekly.bea@example.org digest of Calm', 'weekly.luc@example.org digest of Ebb, Calm'])
  expect((await call('POST', `/publications/${flow}/cancel`)).statusCode).toBe(200)
  expect((await call('POST', `/publications/${surge}/resume`)).statusCode).toBe(200)
  await weekPasses()
  expect(arrived()).toEqual(['weekly.bea@example.org digest of Surge', 'weekly.luc@example.org digest of Surge'])
})

test('what somebody chose is in what happened last on the dashboard', async () => {
  await add('every.ada@example.org')
  for (const pace of ['weekly', 'monthly', 'every'] as const) await choose('every.ada@example.org', pace)
  const dashboard = await call('GET', '/dashboard')
  expect(dashboard.statusCode).toBe(200)
  const kinds = dashboard.json().activity.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['chose_weekly', 'chose_monthly', 'chose_every']))
})

test('a pause and its end are in what happened to somebody, whatever ends it', async () => {
  const email = 'pausing.ada@example.org'
  const [subscriberId = ''] = await server.addSubscribers([email])
  const key = { newsletterId: server.newsletterId, subscriberId }
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  const pause = (until: Date | null) => pauseSubscriber(server.context.db, key, until)
  const happened = async () => {
    const { rows } = (
      await call('GET', `${server.subscriberPath(subscriberId).replace(server.path, '')}/timeline`)
    ).json()
    return rows.map(({ kind }: { kind: string }) => kind).reverse()
  }
  const before = await happened()
  await pause(null)
  // Pressed several times at once, it is one pause.
  await Promise.all([30, 31, 32].map((days) => pause(later(days))))
  await pause(null)
  await pause(null)
  await pause(later(90))
  // It is what they have already, so that it only ends the pause.
  await choose(email, 'every')
  await pause(later(30))
  await choose(email, 'weekly')
  await sql`update subscriber set paused_until = now() - interval '1 day' where id = ${subscriberId}`.execute(
    server.context.db,
  )
  await pause(null)
  const kinds = ['paused', 'resumed', 'paused', 'resumed', 'paused', 'chose_weekly']
  expect(await happened()).toEqual([...before, ...kinds])
  expect((await find(email)).paused_until).toBeNull()
})

test('an owner sees when and to how many, and when they stop digests everybody gets every publication and what waits', async () => {
  await add('weekly.bea@example.org', 'weekly.luc@example.org', 'monthly.cleo@example.org')
  const segment = { name: 'With a c', filter: { on: 'email', op: 'contains', value: 'c' } }
  const { id: segmentId } = (await call('POST', '/segments', segment)).json()
  await publish('Ebb', { audience: { kind: 'segment', segmentId } })
  expect((await call('GET', '/digests')).json().digests).toEqual([
    { pace: 'weekly', at: expect.stringMatching(/T0[67]:00:00/), subscribers: 2, away: 0, waiting: 1 },
    { pace: 'monthly', at: expect.stringMatching(/-01T0[67]:00:00/), subscribers: 1, away: 0, waiting: 1 },
  ])
  // A pause that is over by then keeps nobody away.
  const key = { newsletterId: server.newsletterId, subscriberId: (await find('weekly.luc@example.org')).id }
  const weekly = async () => (await call('GET', '/digests')).json().digests[0]
  await pauseSubscriber(server.context.db, key, new Date(Date.now() + 60 * 86_400_000))
  expect(await weekly()).toMatchObject({ subscribers: 2, away: 1, waiting: 0 })
  await pauseSubscriber(server.context.db, key, new Date(Date.now() + 60_000))
  expect(await weekly()).toMatchObject({ away: 0, waiting: 1 })
  await pauseSubscriber(server.context.db, key, null)
  const { id } = await server.draft({ title: 'Flow' })
  expect((await call('GET', `/publications/${id}/check`)).json()).toMatchObject({
    audience: { receive: 0, onDigest: 3 },
    problems: expect.not.arrayContaining([expect.objectContaining({ code: 'no_subscribers' })]),
  })
  expect((await call('PATCH', '', { digests: false })).statusCode).toBe(200)
  await publish('Surge')
  const all = ['monthly.cleo', 'weekly.bea', 'weekly.luc']
  expect(arrived()).toEqual(all.map((name) => `${name}@example.org Surge`))
  await weekPasses()
  expect(arrived()).toEqual(['monthly.cleo@example.org digest of Ebb', 'weekly.luc@example.org digest of Ebb'])
})

test('a digest stops like any sending when the newsletter may not send, and goes on when its owner has seen to it', async () => {
  await add('weekly.bea@example.org')
  await publish('Ebb')
  const { db } = server.context
  await sql`update newsletter set postal_address = ''`.execute(db)
  await weekPasses()
  const [digest] = (await call('GET', '/publications')).json().rows
  expect(digest).toMatchObject({ status: 'paused', stoppedBy: 'no_postal_address' })
  await call('PATCH', '', { postalAddress: '4 quai de la Criée' })
  expect((await call('POST', `/publications/${digest.id}/resume`)).statusCode).toBe(200)
  await server.work()
  expect(arrived()).toEqual(['weekly.bea@example.org digest of Ebb'])
})

test('however many processes make the digests of a moment, there is one of each', async () => {
  await add(...Array.from({ length: 30 }, (_, n) => `weekly.reader${n}@example.org`))
  await publish('Ebb')
  await compose()
  now = new Date(now.getTime() + 7 * 24 * 3600 * 1000)
  const make = composeDigestsJob({ ...server.context, now: () => now })
  await Promise.all(Array.from({ length: 6 }, () => make({}, {} as never)))
  await server.work()
  expect(arrived()).toEqual(Array.from({ length: 30 }, (_, n) => `weekly.reader${n}@example.org digest of Ebb`).sort())
  const { digests } = await server.context.db
    .selectFrom('publication')
    .select((e) => e.fn.count<number>('digest').as('digests'))
    .executeTakeFirstOrThrow()
  expect(Number(digests)).toBe(1)
})
