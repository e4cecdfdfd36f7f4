import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { judgeClickPatternsJob } from './patterns.job.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const EMAILS = ['ada@example.com', 'bea@example.com', 'cleo@example.com']

let room: TestNewsletter
let relay: RecordingRelay
let ahead = 0
beforeAll(async () => {
  relay = await startRecordingRelay()
  room = await startTestNewsletter({ SMTP_URL: relay.url })
  await room.addSubscribers(EMAILS)
  const real = room.context.now
  room.context.now = () => new Date(real().getTime() + ahead)
})
afterAll(async () => {
  await room?.stop()
  await relay?.stop()
})

interface Sent {
  id: string
  /** By reader: the links of their copy in its order, and the one that is shown to nobody. */
  copies: { links: string[]; canary: string }[]
}

async function send(count: number): Promise<Sent> {
  const linked = (n: number) => ({
    type: 'text',
    text: `Tide ${n}`,
    marks: [{ type: 'link', attrs: { href: `https://example.org/tide/${n}` } }],
  })
  const paragraphs = Array.from({ length: count }, (_, n) => ({ type: 'paragraph', content: [linked(n)] }))
  const { id } = await room.draft({ content: { type: 'doc', content: paragraphs } })
  relay.received.length = 0
  await room.send(id)
  await room.work()
  const mails = await Promise.all(relay.received.map(({ raw }) => PostalMime.parse(raw)))
  const inOrder = mails.toSorted((a, b) => ((a.to?.[0]?.address ?? '') < (b.to?.[0]?.address ?? '') ? -1 : 1))
  const copies = inOrder.map(({ html = '' }) => {
    const tags = [...html.matchAll(/<a [^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes('/r/'))
    const address = (tag: string) => /href="([^"]+)"/.exec(tag)?.[1] ?? ''
    const hidden = tags.filter((tag) => tag.includes('display:none'))
    return { links: tags.filter((tag) => !hidden.includes(tag)).map(address), canary: hidden.map(address).join() }
  })
  return { id, copies }
}

async function follow(address: string, seconds = 0): Promise<void> {
  ahead += seconds * 1000
  const { pathname, search } = new URL(address)
  await room.inject({ url: pathname + search, headers: { 'user-agent': BROWSER } })
}

const judge = async () => {
  await judgeClickPatternsJob(room.context)({}, {} as never)
  await judgeClickPatternsJob(room.context)({}, {} as never)
}

async function clicksOf({ id }: Sent) {
  const { clicks } = (await room.owner.call('GET', `${room.path}/publications/${id}/result`)).json()
  return clicks
}

test('a copy whose hidden address is followed has no clicks of a person around that moment; other copies and other times have', async () => {
  const sent = await send(2)
  const [ada, bea] = sent.copies
  expect(ada?.links).toHaveLength(2)
  await follow(ada?.links[0] ?? '')
  await follow(ada?.canary ?? '', 2)
  // Its own request is known at once.
  expect(await clicksOf(sent)).toEqual({ raw: 2, human: 1, people: 1 })
  await follow(ada?.links[1] ?? '', 2)
  await follow(bea?.links[0] ?? '', 2)
  await judge()
  await follow(ada?.links[1] ?? '', 3_000)
  await judge()
  expect(await clicksOf(sent)).toEqual({ raw: 5, human: 2, people: 2 })
  const { rows } = await sql<{ excluded_by: string | null }>`select excluded_by from click order by id`.execute(
    room.context.db,
  )
  expect(rows.map(({ excluded_by }) => excluded_by)).toEqual(['canary', 'canary', 'canary', null, null])
})

test('every link of a mail within seconds of its acceptance is a burst; some of them, or slowly, or later, are a person', async () => {
  ahead = 0
  const sent = await send(3)
  const [ada, bea, cleo] = sent.copies
  for (const link of ada?.links ?? []) await follow(link, 1)
  for (const link of bea?.links.slice(0, 2) ?? []) await follow(link, 1)
  for (const link of cleo?.links ?? []) await follow(link, 6)
  await judge()
  expect(await clicksOf(sent)).toEqual({ raw: 8, human: 5, people: 2 })
  ahead = 0
  const late = await send(3)
  ahead = 120_000
  for (const link of late.copies[0]?.links ?? []) await follow(link, 1)
  await judge()
  expect(await clicksOf(late)).toEqual({ raw: 3, human: 3, people: 1 })
})

test('a mail with two links has no burst: a person may follow both at once', async () => {
  ahead = 0
  const sent = await send(2)
  for (const link of sent.copies[0]?.links ?? []) await follow(link, 1)
  await judge()
  expect(await clicksOf(sent)).toEqual({ raw: 2, human: 2, people: 1 })
})

test('older clicks are judged by the rules of today, which says what changed, and once', async () => {
  const { db } = room.context
  const sent = await send(1)
  const link = sent.copies[0]?.links[0] ?? ''
  for (const agent of [BROWSER, 'curl/8.9.1', 'Googlebot/2.1'])
    await room.inject({ url: new URL(link).pathname + new URL(link).search, headers: { 'user-agent': agent } })
  const before = await clicksOf(sent)
  // As an older version judged them: one rule did not exist, and one excluded what is no longer excluded.
  await sql`update click set excluded_by = null, rules = 1 where excluded_by = 'bot'`.execute(db)
  await sql`update click set excluded_by = 'scanner', rules = 1 where id = (select min(id) from click where publication_id = ${sent.id})`.execute(
    db,
  )
  const unknown = { newsletter_id: room.newsletterId, short_link_id: 'old', at: new Date(0), device: 'phone' }
  await db
    .insertInto('click')
    .values({ ...unknown, excluded_by: 'scanner' })
    .execute()
  const path = `${room.path}/click-rules`
  const begun = await room.owner.call('POST', `${path}/replay`)
  expect((await room.owner.call('POST', `${path}/replay`)).json().id).toBe(begun.json().id)
  await room.work()
  const { replays, version, rules } = (await room.owner.call('GET', path)).json()
  expect([version, rules]).toEqual([2, expect.arrayContaining(['bot', 'canary', 'burst'])])
  expect(replays).toHaveLength(1)
  expect(replays[0]).toMatchObject({ version: 2, endedAt: expect.any(String), unknown: 1 })
  expect(replays[0].changes).toEqual(
    expect.arrayContaining([
      { from: null, to: 'bot', clicks: 2 },
      { from: 'scanner', to: null, clicks: 1 },
    ]),
  )
  expect(await clicksOf(sent)).toEqual(before)
  await room.owner.call('POST', `${path}/replay`)
  await room.work()
  expect((await room.owner.call('GET', path)).json().replays[0].changes).toEqual([])
})
