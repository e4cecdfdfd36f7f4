import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OptInCodes } from '../campaigns/opt-in/address.ts'
import { alignments, maximumIndent } from '../publications/document/block-format.ts'
import {
  calloutTones,
  type DocumentNode,
  dividerKinds,
  faceKeys,
  imageWidths,
  textSizes,
} from '../publications/document/schema.ts'
import { confirmToken } from '../subscribers/confirm.ts'
import { findSubscriber } from '../subscribers/queries.ts'
import { SubscriberLinks } from '../subscribers/subscriber-links.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { addPaidSubscription } from '../testing/charge.ts'
import { connectAccount } from '../testing/stripe/history.ts'

const words = (text: string, attrs?: Record<string, unknown>): DocumentNode => ({
  type: 'text',
  text,
  ...(attrs && { marks: [{ type: 'textStyle', attrs }] }),
})
const paragraph = (attrs: Record<string, unknown>, ...content: DocumentNode[]): DocumentNode => ({
  type: 'paragraph',
  attrs,
  content,
})
const block = (type: string, attrs: Record<string, unknown>): DocumentNode => ({ type, attrs })
const steps = Array.from({ length: maximumIndent }, (_, index) => index + 1)
const cell = { type: 'tableCell', attrs: { colwidth: [120] }, content: [paragraph({}, words('16:30'))] }

/** Every block and every format that an author can use. */
const document = {
  type: 'doc',
  content: [
    ...steps.map((indent) => paragraph({ indent }, words('Indented'))),
    ...alignments.map((textAlign) => paragraph({ textAlign }, words('Aligned'))),
    ...textSizes.map((size) => paragraph({}, words('Sized', { size }))),
    ...faceKeys.map((font) => paragraph({}, words('Set', { font }))),
    paragraph({}, words('Coloured', { color: '#9a3412', backgroundColor: '#fff3bf' })),
    ...imageWidths.map((width) => block('image', { src: '/a.png', width })),
    ...dividerKinds.map((kind) => block('divider', { kind })),
    ...calloutTones.map((tone) => ({
      ...block('callout', { tone }),
      content: [paragraph({}, words('Mind the tide'))],
    })),
    block('video', { url: 'https://vimeo.com/12345678', provider: 'vimeo' }),
    paragraph({}, block('footnote', { note: [{ type: 'text', text: 'Read at the end' }] })),
    block('button', { label: 'Book', href: 'https://example.org/' }),
    { type: 'table', content: [{ type: 'tableRow', content: [cell] }] },
    { type: 'paywall' },
    paragraph({}, words('For those who pay. '.repeat(80))),
  ],
}

let server: TestApp
const pages = new Map<string, string>()

beforeAll(async () => {
  server = await startTestApp({
    env: { SUBSCRIBE_LIMIT: '1', SUBSCRIBE_PRESSURE: '0', PUBLIC_URL: 'https://tirage.test' },
  })
  const owner = await server.signUp()
  const id = await server.createNewsletter(owner, { name: 'The Harbour That Waits' })
  const path = `/api/newsletters/${id}`
  await owner.call('PATCH', path, {
    description: 'A letter for those who look at the sea.',
    senderName: 'Inès Kerbrat',
  })
  for (let count = 0; count < 31; count += 1) {
    const content = { title: `No. ${count}, ${'twice a day '.repeat(5)}`, subtitle: 'Twice a day', content: document }
    const { id: publicationId } = (await owner.call('POST', `${path}/publications`, content)).json<{ id: string }>()
    await owner.call('POST', `${path}/publications/${publicationId}/send`, { channel: 'web' })
  }
  await server.work()
  const { db } = server.context
  const [stays, left] = await Promise.all(
    ['ada@example.org', 'bea@example.org'].map(async (email) => {
      const added = await owner.call('POST', `${path}/subscribers`, { email, name: 'Reader' })
      return server.context.shownIds.read(added.json<{ id: string }>().id)
    }),
  )
  const form = (body: string) => ({ method: 'POST', payload: body, headers: formHeaders }) as const
  await server.inject({ ...form('act=leave'), url: `/unsub/${id}/${left}` })
  const published = await db
    .selectFrom('publication')
    .select(['id', 'slug'])
    .where('slug', 'is not', null)
    .executeTakeFirst()
  const links = new SubscriberLinks(server.context.config.secret, server.context.signer)
  await sql`update subscriber set status = 'active', confirmed_at = now() where newsletter_id = ${id} and id = ${stays}`.execute(
    db,
  )
  await connectAccount(server.context, id, 'rk_test_1')
  await addPaidSubscription(
    db,
    { newsletterId: id, subscriberId: stays ?? '' },
    { way: 'card', test: true, renews: true },
  )
  await db.updateTable('plan').set({ giftable: true }).where('newsletter_id', '=', id).execute()
  const yearly = db.selectFrom('price').select('id').where('newsletter_id', '=', id).where('period', '=', 'year')
  const { id: priceId } = await yearly.executeTakeFirstOrThrow()
  await owner.call('PATCH', `${path}/sponsorship/settings`, { page: 'open', weekdays: [1, 2, 3, 4, 5, 6, 7] })
  const placement = await owner.call('POST', `${path}/sponsorship/placements`, {
    ...{
      words: { en: { name: 'Top', disclosure: 'Sponsor' } },
      place: 'top',
      maxWords: 40,
      prices: { eur: 100, usd: 100 },
    },
  })
  const carries = await sponsoredAddress(owner, { path, placementId: placement.json().id })
  const book = async (days: number, acts: ('pay' | 'refund')[]) => {
    const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const booking = await owner.call('POST', `${path}/sponsorship/bookings`, {
      ...{ placementId: placement.json().id, day, sponsor: 'Halyard Books', language: 'en' },
      ...{ currency: 'eur', amount: 100 },
    })
    const booked = `${path}/sponsorship/bookings/${booking.json().id}`
    for (const act of acts) await owner.call('POST', `${booked}/money`, { act, words: 'Thank you.' })
    const address = new URL((await owner.call('POST', `${booked}/link`, {})).json().url).pathname
    return { booked, address }
  }
  const { booked, address: sponsorsPage } = await book(9, ['pay'])
  const { address: refundedPage } = await book(10, ['pay', 'refund'])
  const reader = await findSubscriber(db, id, stays ?? '')
  const fresh = reader ? links.fresh(reader, new Date()) : ''
  for (const address of [
    `/me/${links.standing({ newsletterId: id, subscriberId: stays ?? '' })}`,
    `/me/${fresh}`,
    `/me/${fresh}?ask=erase`,
    `/subscribe/${id}/me`,
    `/subscribe/${id}`,
    `/subscribe/${id}/asked`,
    `/n/${id}`,
    `/n/${id}?page=2`,
    `/n/${id}?q=nothing-like-it`,
    `/n/${id}/${published?.slug}`,
    carries,
    `/plans/${id}`,
    `/sponsor/${id}`,
    `/sponsor/${id}/asked`,
    sponsorsPage,
    refundedPage,
    `/plans/${id}/gift`,
    `/plans/${id}/gift?said=sent`,
    `/plans/${id}/give?price=${priceId}`,
    `/plans/${id}/give/done`,
    `/signin/${id}`,
    `/unsub/${id}/${stays}?said=back`,
    `/unsub/${id}/${left}`,
    '/signup',
    '/login',
    '/confirm/unknown',
    '/r/unknown',
    '/optin/unknown',
    ...(await optInAddresses(owner, { path, stays: stays ?? '' })),
  ]) {
    pages.set(address, (await server.inject(address)).body)
  }
  const tooLong = await server.inject({ ...form(`act=creative&text=${'word+'.repeat(41)}`), url: sponsorsPage })
  pages.set('POST words that are too many', tooLong.body)
  const report = await reportAddress(owner, { path, booked, publicationId: published?.id ?? '' })
  pages.set('report', (await server.inject(report)).body)
  await recommendedPages(owner, id)
  // The last is one too many for a network.
  const valid = 'email=cy%40example.org&consent=yes'
  const asked = await server.inject({ ...form('email=x'), url: `/subscribe/${id}/me` })
  pages.set('POST me', asked.body)
  for (const body of ['email=x', valid.replace('example.org', 'gmial.com'), valid, `${valid}&again`]) {
    pages.set(`POST ${body}`, (await server.inject({ ...form(body), url: `/subscribe/${id}` })).body)
  }
})

/** The address of a publication whose slot nobody booked: what the newsletter says of its own stands there. */
async function sponsoredAddress(owner: Session, { path, placementId }: { path: string; placementId: number }) {
  const says = { en: { name: 'Tide table', text: 'A year of tides.', label: 'Ask for one' } }
  const house = { name: 'Tide table', words: says, target: 'https://example.org/' }
  await owner.call('POST', `${path}/sponsorship/house-campaigns`, house)
  const slot = block('sponsorSlot', { placementId, hideFromPaid: false })
  const content = { type: 'doc', content: [paragraph({}, words('Twice a day')), slot] }
  const draft = await owner.call('POST', `${path}/publications`, {
    title: 'With a sponsor',
    subtitle: 'Twice a day',
    content,
  })
  const publication = `${path}/publications/${draft.json<{ id: string }>().id}`
  const sent = await owner.call('POST', `${publication}/send`, { channel: 'web' })
  await server.work()
  return new URL(sent.json<{ url: string }>().url).pathname
}

/** The report of a booking that ran with a link to a campaign, which a program and people on phones followed. */
async function reportAddress(
  owner: Session,
  { path, booked, publicationId }: { path: string; booked: string; publicationId: string },
) {
  const { db, config } = server.context
  const creative = { name: 'Halyard', text: 'An almanac.', label: 'Order', target: 'https://example.org/' }
  await owner.call('PUT', `${booked}/creative`, creative)
  await owner.call('POST', `${booked}/acts`, { act: 'approve' })
  await sql`update booking set day = current_date where id = ${booked.split('/').at(-1)}`.execute(db)
  await owner.call('POST', `${booked}/acts`, { act: 'run' })
  const campaign = (await owner.call('POST', `${path}/opt-in-campaigns`, { name: 'Almanac' })).json<{ id: string }>()
  const target = `${config.publicUrl}/optin/${campaign.id}`
  const link = (await owner.call('POST', `${path}/links`, { target })).json<{ id: string }>()
  await sql`insert into click (newsletter_id, short_link_id, at, excluded_by, device)
    select newsletter_id, id, now(), case when n = 1 then 'bot' end, 'phone' from short_link, generate_series(1, 9) n
    where id = ${link.id}`.execute(db)
  await sql`update booking set short_link_id = ${link.id}, publication_id = ${publicationId}
    where id = ${booked.split('/').at(-1)}`.execute(db)
  return new URL((await owner.call('POST', `${booked}/report-link`, {})).json<{ url: string }>().url).pathname
}

/** What follows a confirmation, and what follows the choice there. */
async function recommendedPages(owner: Session, id: string) {
  const { db, signer, shownIds } = server.context
  const newsletter = await server.createNewsletter(owner, { name: 'Rope & Tar' })
  const path = `/api/newsletters/${id}`
  const made = await owner.call('POST', `${path}/recommendations`, { newsletter, reasons: { en: 'Knots.' } })
  const added = await owner.call('POST', `${path}/subscribers`, { email: 'di@example.org' })
  const subscriber = await findSubscriber(db, id, shownIds.read(added.json<{ id: string }>().id))
  if (!subscriber) throw new Error('nobody was added')
  const url = `/confirm/${confirmToken(signer, subscriber)}`
  const pressed = await server.inject({ method: 'POST', url, headers: formHeaders })
  const cookieOf = (answer: typeof pressed) => String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const confirmed = await server.inject({ method: 'GET', url, headers: { cookie: cookieOf(pressed) } })
  pages.set('confirmed', confirmed.body)
  const code = /name="code" value="([^"]+)"/.exec(confirmed.body)?.[1] ?? ''
  const choose = (payload: string) =>
    server.inject({
      method: 'POST',
      url: '/recommended',
      payload,
      headers: { ...formHeaders, cookie: cookieOf(pressed) },
    })
  pages.set('chosen without a box', (await choose(`code=${code}`)).body)
  const chosen = await choose(`code=${code}&choice-${made.json<{ id: string }>().id}=yes`)
  const after = await server.inject({ method: 'GET', url: '/recommended', headers: { cookie: cookieOf(chosen) } })
  pages.set('chosen', after.body)
}

/** The page of a campaign, as somebody sees it who came by a mail, before their yes and after it, and as a stranger does. */
async function optInAddresses(owner: Session, { path, stays }: { path: string; stays: string }): Promise<string[]> {
  const { id } = (await owner.call('POST', `${path}/opt-in-campaigns`, { name: 'Winter box' })).json<{ id: string }>()
  const words = { en: { question: 'Shall we?', offer: 'A box.', yes: 'Yes', afterYes: 'Thank you.' } }
  const sponsor = { name: 'Kelp & Rye', address: 'Cork', privacy: 'https://example.org/privacy' }
  const startsAt = '2026-01-01T00:00:00Z'
  const campaign = { words, startsAt, beneficiary: { kind: 'sponsor', sponsor } }
  await owner.call('PATCH', `${path}/opt-in-campaigns/${id}`, campaign)
  const code = new OptInCodes(server.context).code(stays)
  const shared = await owner.call('POST', `${path}/opt-in-campaigns/${id}/list-links`, { days: 7 })
  const [link] = shared.json<{ listLinks: { url: string }[] }>().listLinks
  const own = `/optin/${id}?k=${code}`
  pages.set('asked by a mail', (await server.inject({ method: 'GET', url: own })).body)
  await server.inject({ method: 'POST', url: own, payload: 'act=yes&version=1&words=en', headers: formHeaders })
  return [`/optin/${id}`, own, `/optin/${id}?said=asked`, new URL(link?.url ?? '').pathname]
}

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://tirage.test' }

afterAll(() => server.stop())

const usedIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => names?.split(' ') ?? [])),
]

/** The classes that the selectors of a stylesheet name. */
const namedIn = (css: string): string[] => [
  ...new Set(
    [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)].flatMap(([, selector]) =>
      [...(selector ?? '').matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name ?? ''),
    ),
  ),
]

test('every class of a page has a rule in the stylesheet of that page', () => {
  for (const [address, html] of pages) {
    const rules = namedIn(/<style[^>]*>(.*?)<\/style>/s.exec(html)?.[1] ?? '')
    expect(
      usedIn(html).filter((name) => !rules.includes(name)),
      address,
    ).toEqual([])
  }
})

test('every class of a stylesheet is used on a page', () => {
  const used = new Set([...pages.values()].flatMap(usedIn))
  const folder = join(import.meta.dirname, '..')
  const files = globSync('**/*.css', { cwd: folder })
  expect(files).toContain(join('subscribers', 'subscribe.page.css'))
  const unused = files.flatMap((file) =>
    namedIn(readFileSync(join(folder, file), 'utf8'))
      .filter((name) => !used.has(name))
      .map((name) => `${file}: .${name}`),
  )
  expect(unused).toEqual([])
})
