import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../root.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const TARGET = 'https://example.org/tides?from=letter'

let room: TestNewsletter
let relay: RecordingRelay
let subscribers: string[]

beforeAll(async () => {
  relay = await startRecordingRelay()
  room = await startTestNewsletter({ SMTP_URL: relay.url })
  subscribers = await room.addSubscribers(['ada@example.com', 'bea@example.com'])
})
afterAll(async () => {
  await room.stop()
  await relay.stop()
})

type Mode = 'off' | 'counted' | 'person'
const choose = (clickPrivacy: Mode, openPrivacy: Mode) =>
  room.owner.call('PATCH', room.path, { clickPrivacy, openPrivacy })

/** Sends a publication to both subscribers, and answers its id and the mails. */
async function send(): Promise<{ id: string; mails: Email[] }> {
  const text = { type: 'text', text: 'Tides', marks: [{ type: 'link', attrs: { href: TARGET } }] }
  const { id } = await room.draft({ content: { type: 'doc', content: [{ type: 'paragraph', content: [text] }] } })
  relay.received.length = 0
  await room.send(id)
  await room.work()
  expect(relay.received).toHaveLength(2)
  return { id, mails: await Promise.all(relay.received.map(({ raw }) => PostalMime.parse(raw))) }
}

/** Where links and pictures lead, without those by which each reader leaves and sees what is kept of them. */
const targets = ({ html = '', text = '' }: Email): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g), ...text.matchAll(/(https?:[^\s<>]+)/g)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .filter((address) => !/\/unsub\/|\/me\//.test(address))
const linkIn = (mail: Email) => targets(mail).find((address) => /\/r\/|example\.org/.test(address)) ?? ''
const pixelIn = (mail: Email) => targets(mail).find((address) => address.includes('/o/')) ?? null

async function follow(address: string): Promise<string | undefined> {
  const { pathname, search } = new URL(address)
  const answer = await room.inject({ url: pathname + search, headers: { 'user-agent': BROWSER } })
  await room.work()
  return answer.headers.location?.toString()
}

async function result(id: string) {
  const { opens, clicks } = (await room.owner.call('GET', `${room.path}/publications/${id}/result`)).json()
  return { opens, ...clicks }
}

const figures = async () => (await room.owner.call('GET', `${room.path}/dashboard`)).json().figures

/** Everything that links a person with an open or a click. */
async function persons(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from click where subscriber_id is not null)
      + (select count(*) from click_waiting where subscriber_id is not null)
      + (select count(*) from delivery where opened_at is not null or answer in ('proved_by_open', 'proved_by_click'))
      + (select count(*) from event where kind = 'opened' and subscriber_id is not null) as n`.execute(room.context.db)
  return Number(rows[0]?.n)
}

test('who opens and clicks is kept until the owner chooses otherwise, and then it is erased and the totals stay', async () => {
  const { id, mails } = await send()
  expect(new Set(mails.map(linkIn)).size).toBe(2)
  for (const mail of mails) {
    expect(await follow(linkIn(mail))).toBe(TARGET)
    await follow(pixelIn(mail) ?? '')
  }
  // An opening is stored after its picture was sent.
  await expect.poll(() => result(id)).toEqual({ opens: 2, raw: 2, human: 2, people: 2 })
  expect(await persons()).toBe(6)

  expect((await choose('counted', 'counted')).json()).toMatchObject({ clickPrivacy: 'counted', openPrivacy: 'counted' })
  await room.work()
  expect(await persons()).toBe(0)
  expect(await result(id)).toEqual({ opens: 2, raw: 2, human: 2, people: null })

  // The mails that have left still name their reader.
  for (const mail of mails) {
    expect(await follow(linkIn(mail))).toBe(TARGET)
    await follow(pixelIn(mail) ?? '')
  }
  await expect.poll(() => result(id)).toEqual({ opens: 4, raw: 4, human: 4, people: null })
  expect(await persons()).toBe(0)
  const { rows } = (await room.owner.call('GET', `${room.path}/audit?kind=newsletter`)).json()
  expect(rows[0]).toMatchObject({
    act: 'settings_changed',
    detail: { clickPrivacy: 'counted', openPrivacy: 'counted' },
  })
})

test('counted: all readers get the same addresses, byte for byte, and nothing says who they are', async () => {
  await choose('counted', 'counted')
  const { id, mails } = await send()
  const [first = [], second] = mails.map(targets)
  expect(first).toEqual(second)
  expect(first.some((address) => subscribers.some((subscriber) => address.includes(subscriber)))).toBe(false)
  for (const mail of mails) {
    expect(await follow(linkIn(mail))).toBe(TARGET)
    await follow(pixelIn(mail) ?? '')
  }
  await expect.poll(() => result(id)).toEqual({ opens: 2, raw: 2, human: 2, people: null })
  expect(await persons()).toBe(0)
  for (const subscriber of subscribers) {
    const { deliveries } = (await room.owner.call('GET', room.subscriberPath(subscriber))).json()
    expect(deliveries.map((row: { openedAt: unknown; clicks: number }) => [row.openedAt, row.clicks])).toEqual(
      deliveries.map(() => [null, 0]),
    )
  }
})

test('off: mails have no pixel and lead straight to their targets, and older mails count nothing', async () => {
  await choose('counted', 'counted')
  const older = await send()
  await choose('off', 'off')
  const { id, mails } = await send()
  for (const mail of mails) expect([linkIn(mail), pixelIn(mail)]).toEqual([TARGET, null])
  const [mail] = older.mails
  expect(mail && (await follow(linkIn(mail)))).toBe(TARGET)
  if (mail) await follow(pixelIn(mail) ?? '')
  const pixel = await room.inject({ url: `/o/${room.newsletterId}/${id}/${subscribers[0]}.gif` })
  expect(pixel.headers['content-type']).toBe('image/gif')
  await room.work()
  const nothing = { opens: null, raw: 0, human: 0, people: null }
  for (const each of [id, older.id]) expect(await result(each)).toEqual(nothing)
  expect(await figures()).toMatchObject({ opens: null, clicks: { people: null } })
  const { rows } = (await room.owner.call('GET', `${room.path}/links?publicationId=${older.id}&limit=10`)).json()
  expect(rows).toMatchObject([{ clicks: { human: 0, people: null } }])

  // What is kept from now on says nothing about what was sent before, and a range with both is not known either.
  await choose('person', 'person')
  const newer = await send()
  expect(await result(newer.id)).toEqual({ opens: 0, raw: 0, human: 0, people: 0 })
  expect(await follow(linkIn(newer.mails[0] as Email))).toBe(TARGET)
  expect(await result(newer.id)).toMatchObject({ human: 1, people: 1 })
  expect(await result(id)).toEqual(nothing)
  expect(await figures()).toMatchObject({ opens: null, clicks: { people: null } })
  const { clickersSince, openersSince } = (await room.owner.call('GET', room.path)).json()
  expect([clickersSince, openersSince]).toEqual([expect.any(String), expect.any(String)])
  // The same choice again changes nothing.
  await choose('person', 'person')
  expect((await room.owner.call('GET', room.path)).json()).toMatchObject({ clickersSince, openersSince })
})

test('segments: what is not kept cannot be asked about, and older segments that ask have nobody in them', async () => {
  await choose('person', 'person')
  const filters = {
    opened: { not: [{ on: 'opened', op: 'did', days: 30 }] },
    clicked: {
      any: [
        { on: 'status', op: 'is', value: 'active' },
        { on: 'clicked', op: 'did_not', days: 30 },
      ],
    },
  }
  const ids: Record<string, number> = {}
  for (const [name, filter] of Object.entries(filters))
    ids[name] = (await room.owner.call('POST', `${room.path}/segments`, { name, filter })).json().id
  const total = async (name: string) =>
    (await room.owner.call('GET', `${room.path}/subscribers?segmentId=${ids[name]}`)).json().total
  expect([await total('opened'), await total('clicked')]).toEqual([2, 2])

  await choose('counted', 'person')
  expect([await total('opened'), await total('clicked')]).toEqual([2, 0])
  const refused = await room.owner.call('POST', `${room.path}/segments`, { name: 'again', filter: filters.clicked })
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'behaviour_not_kept'])
  await choose('person', 'off')
  expect([await total('opened'), await total('clicked')]).toEqual([0, 2])
  const counted = await room.owner.call('POST', `${room.path}/segments/count`, { filter: filters.opened })
  expect(counted.json().subscribers).toBe(0)
})

test('only owners choose, and only what there is', async () => {
  const editor = await room.asMember(room.newsletterId, 'editor')
  expect((await editor.call('PATCH', room.path, { clickPrivacy: 'off' })).statusCode).toBe(403)
  expect((await choose('off', 'sometimes' as Mode)).statusCode).toBe(422)
})

test('a newsletter of an older version learns from its audit since when each is kept', async () => {
  const other = await startTestNewsletter()
  try {
    const { db } = other.context
    const migration = readFileSync(join(projectRoot, 'migrations/0410_kept_since.sql'), 'utf8')
    const learn = sql.raw(migration.slice(migration.indexOf('with privacy')))
    const known = () =>
      db
        .selectFrom('newsletter')
        .select(['clickers_since', 'clicks_since', 'openers_since', 'opens_since'])
        .where('id', '=', other.newsletterId)
        .executeTakeFirstOrThrow()
    const kept = async (changes: Partial<Record<'clickPrivacy' | 'openPrivacy', Mode>>[]) => {
      for (const change of changes) expect((await other.owner.call('PATCH', other.path, change)).statusCode).toBe(200)
      const set = await known()
      await learn.execute(db)
      return { set, learned: Object.entries(await known()).flatMap(([column, at]) => (at ? [column] : [])) }
    }
    expect((await kept([])).learned).toEqual([])
    // Counted all along, and known by name again.
    expect((await kept([{ clickPrivacy: 'counted' }, { clickPrivacy: 'person' }])).learned).toEqual(['clickers_since'])
    const { set, learned } = await kept([
      { clickPrivacy: 'off' },
      { openPrivacy: 'off' },
      { openPrivacy: 'counted' },
      { clickPrivacy: 'person' },
    ])
    expect(learned).toEqual(['clickers_since', 'clicks_since', 'opens_since'])
    // The line of an act is written when it begins.
    for (const [column, at] of Object.entries(await known()))
      expect([column, at && at <= (set[column as keyof typeof set] ?? 0)]).toEqual([
        column,
        learned.includes(column) ? true : null,
      ])
  } finally {
    await other.stop()
  }
})
