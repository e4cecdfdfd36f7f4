import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { uncounted } from './uncounted.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PUBLIC_URL = 'http://127.0.0.1:8975'
const TARGET = 'https://example.org/tides?from=letter'
/** Where who clicked is not kept, it is not known that nobody did. */
const nobody = { person: { human: 0, people: 0 }, counted: { human: 0, people: null } }

let room: TestNewsletter
beforeAll(async () => {
  // An instance that only this machine can open: there the links of a caught mail are those of its recipient.
  room = await startTestNewsletter({ PUBLIC_URL })
  await room.addSubscribers(['ada@example.com'])
})
afterAll(() => room.stop())

interface Shown {
  html: string
  text: string
  source: string
}

/** The newest caught mail to this address, as the outbox shows it to the owner. */
async function readInOutbox(to: string): Promise<Shown> {
  const { rows } = (await room.owner.call('GET', `${room.path}/outbox?search=${to}`)).json()
  return (await room.owner.call('GET', `${room.path}/outbox/${rows[0].id}`)).json()
}

const addressesIn = ({ html, text }: Pick<Shown, 'html' | 'text'>): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g), ...text.matchAll(/(https?:[^\s<>]+)/g)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .filter((address) => address.startsWith(PUBLIC_URL))

async function open(address: string) {
  const { pathname, search } = new URL(address)
  return room.inject({ url: pathname + search, headers: { 'user-agent': BROWSER } })
}

async function publish(): Promise<string> {
  const own = (await room.owner.call('POST', `${room.path}/links`, { target: TARGET })).json()
  const linked = [TARGET, `${PUBLIC_URL}/r/${own.id}`].map((href) => ({
    type: 'paragraph',
    content: [{ type: 'text', text: 'Tides', marks: [{ type: 'link', attrs: { href } }] }],
  }))
  return (await room.draft({ content: { type: 'doc', content: linked } })).id
}

const resultOf = async (id: string) => (await room.owner.call('GET', `${room.path}/publications/${id}/result`)).json()

/** Everything that is counted for links of the newsletter and is a person’s. */
async function humanClicks(): Promise<number> {
  const { rows } = (await room.owner.call('GET', `${room.path}/links?limit=50`)).json()
  return rows.reduce((sum: number, { clicks }: { clicks: { human: number } }) => sum + clicks.human, 0)
}

test.each(['person', 'counted'] as const)(
  'who reads a caught mail and follows all of it is no reader’s open or click, where privacy is “%s”',
  async (mode) => {
    await room.owner.call('PATCH', room.path, { clickPrivacy: mode, openPrivacy: mode })
    const id = await publish()
    await room.send(id)
    await room.work()
    const shown = await readInOutbox('ada@example.com')
    const addresses = addressesIn(shown)
    expect(addresses.filter((address) => address.includes('/o/'))).toEqual([])
    const links = addresses.filter((address) => address.includes('/r/'))
    expect(links.length).toBeGreaterThanOrEqual(4)
    for (const address of addresses) {
      const { location } = (await open(address)).headers
      // A short link that leads to another one of ours is followed to its end.
      if (location?.toString().startsWith(PUBLIC_URL)) await open(location.toString())
    }
    expect((await open(links[0] ?? '')).headers.location).toBe(TARGET)
    await room.work()

    expect(await resultOf(id)).toMatchObject({ opens: 0, clicks: nobody[mode] })
    expect(await humanClicks()).toBe(0)
    const { db } = room.context
    const clicks = await db.selectFrom('click').select(['excluded_by', 'subscriber_id']).execute()
    expect(new Set(clicks.map(({ excluded_by, subscriber_id }) => `${excluded_by} ${subscriber_id}`))).toEqual(
      new Set(['test null']),
    )
    const reader = await db.selectFrom('subscriber').select('status').executeTakeFirstOrThrow()
    expect(reader.status).toBe('active')
  },
)

test('what was caught is kept as it was: its reader’s own addresses count', async () => {
  await room.owner.call('PATCH', room.path, { clickPrivacy: 'person', openPrivacy: 'person' })
  const id = await publish()
  await room.send(id)
  await room.work()
  const { html = '', text = '' } = await PostalMime.parse((await readInOutbox('ada@example.com')).source)
  const addresses = addressesIn({ html, text })
  await open(addresses.find((address) => address.includes('/o/')) ?? '')
  await open(addresses.find((address) => address.includes('/r/')) ?? '')
  await room.work()
  await expect.poll(() => resultOf(id)).toMatchObject({ opens: 1, clicks: { human: 1, people: 1 } })
})

test.each(['person', 'counted'] as const)(
  'a test mail counts for nothing in whatever program it is read, where privacy is “%s”',
  async (mode) => {
    await room.owner.call('PATCH', room.path, { clickPrivacy: mode, openPrivacy: mode })
    const id = await publish()
    expect((await room.owner.call('POST', `${room.path}/publications/${id}/test`, {})).statusCode).toBe(200)
    const before = await humanClicks()
    // As in the member’s own mail program: nothing of it was rewritten.
    const { html = '', text = '' } = await PostalMime.parse((await readInOutbox('ines@example.org')).source)
    const addresses = addressesIn({ html, text })
    expect(addresses.some((address) => address.includes('/o/'))).toBe(true)
    for (const address of addresses) await open(address)
    await room.work()
    expect(await resultOf(id)).toMatchObject({ opens: 0, clicks: { ...nobody[mode], raw: expect.any(Number) } })
    expect(await humanClicks()).toBe(before)
    const counted = await room.context.db
      .selectFrom('open_count')
      .select('opened')
      .where('publication_id', '=', id)
      .execute()
    expect(counted).toEqual([])
  },
)

test('an address with more in it keeps that, and other addresses stay as they are', () => {
  const of = (part: string) => uncounted(part, { publicUrl: PUBLIC_URL }).replaceAll(/7e570000[\w-]+/g, 'TEST')
  expect(of(`${PUBLIC_URL}/r/ab12?k=code`)).toBe(`${PUBLIC_URL}/r/ab12?s=TEST&k=code`)
  expect(of(`${PUBLIC_URL}/redirect/ab12?s=0190-1&amp;k=code`)).toBe(`${PUBLIC_URL}/redirect/ab12?s=TEST&amp;k=code`)
  for (const other of [`${PUBLIC_URL}/unsub/n/s?p=1`, 'https://example.org/r/ab12', `${PUBLIC_URL}/n/low-water`])
    expect(of(other)).toBe(other)
})
