import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rememberErased } from '../../subscribers/erased-addresses.ts'
import { ReceiptChainer } from '../../subscribers/receipts/chainer.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign, optInWords } from '../../testing/opt-in.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'
import { OptInCodes } from './address.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const DAY_MS = 86_400_000

let server: TestNewsletter
let relay: RecordingRelay
let codes: OptInCodes
let campaignId: string
let subscriberId: string
let email: string
let round = 0
beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestNewsletter({ SMTP_URL: relay.url, SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '100000' })
  codes = new OptInCodes(server.context)
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})
beforeEach(async () => {
  campaignId = await addOptInCampaign(server)
  email = `ada.l${++round}@example.org`
  ;[subscriberId = ''] = await server.addSubscribers([email])
})

const get = (url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'GET', url, headers: { ...BROWSER, ...headers } })
const post = (url: string, fields: Record<string, string>) =>
  server.app.inject({ method: 'POST', url, headers: form, payload: new URLSearchParams(fields).toString() })
const campaigns = () => `${server.path}/opt-in-campaigns`
const seen = async (id = campaignId) => (await server.owner.call('GET', `${campaigns()}/${id}`)).json()
const change = (body: Record<string, unknown>) => server.owner.call('PATCH', `${campaigns()}/${campaignId}`, body)
const yes = { act: 'yes', version: '1', words: 'en' }
const signed = (id = subscriberId) => `/optin/${campaignId}?k=${codes.code(id)}`
const receiptsOf = (id = subscriberId) =>
  server.context.db
    .selectFrom('consent')
    .selectAll()
    .where('subscriber_id', '=', id)
    .where('purpose', '=', `campaign ${campaignId}`)
    .orderBy('at')
    .orderBy('id')
    .execute()
const found = (address: string, newsletterId = server.newsletterId) =>
  server.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('email_normalised', '=', address)
    .executeTakeFirst()

/** The link in the newest mail to an address that leads to a campaign. */
async function mailed(address: string): Promise<string | null> {
  await server.work()
  const mails = relay.received.filter(({ to }) => to.includes(address))
  const newest = mails.at(-1)
  const { html = '' } = newest ? await PostalMime.parse(newest.raw) : {}
  return /href="[^"]*?(\/(?:optin|r)\/[^"]+)"/.exec(html ?? '')?.[1]?.replaceAll('&amp;', '&') ?? null
}

describe('a link of our own mail', () => {
  test('opens a page that changes nothing, says for whom it is, and says yes with one press', async () => {
    const page = await get(signed())
    expect(page.statusCode).toBe(200)
    for (const text of ['Shall we introduce you', 'A bakery in Cork', 'Yes, pass on my address', 'Not you?', 'Cork'])
      expect(page.body).toContain(text)
    expect(page.body).not.toContain(email)
    expect(page.body).toContain(`a…\u2060${round}@example.org`)
    expect(page.body).toContain('noindex')
    expect(page.body).not.toMatch(/<script|checked/)
    // Only to whom has one.
    expect(page.body).toContain('Your subscription to')
    expect((await get(`/optin/${campaignId}`)).body).not.toContain('Your subscription to')
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(await seen()).toMatchObject({ taken: 0, counts: { yes: 0 } })

    const said = await post(signed(), yes)
    expect([said.statusCode, said.headers.location]).toEqual([303, signed()])
    expect((await get(signed())).body).toContain('Kelp &amp; Rye will write within a week.')
    expect(await seen()).toMatchObject({ taken: 1, counts: { yes: 1, confirmed: 1, passed: 1 } })
  })

  test('is taken back with the question that was read, whatever the campaign asks since', async () => {
    await post(signed(), yes)
    await change({ words: { en: { ...optInWords, question: 'Another question?' } } })
    await post(signed(), { act: 'undo' })
    const [given, undone] = await receiptsOf()
    expect(undone).toMatchObject({ act: 'withdrawn', wording_version: given?.wording_version })
    expect(undone?.wording).toContain(optInWords.question)
    expect(undone?.wording).not.toContain('Another question?')
  })

  test('says by the button what becomes of subscriptions, in both languages', async () => {
    const by = async (url: string) =>
      /<p id="what-follows">([^<]*)<.*aria-describedby="what-follows"/s.exec((await get(url)).body)?.[1]
    const name = 'Low Water'
    const kinds = [await by(`/optin/${campaignId}`), await by(`/optin/${campaignId}?lang=fr`), await by(signed())]
    expect(kinds).toEqual([
      `Your yes does not subscribe you to ${name}.`,
      `Votre oui ne vous abonne pas à ${name}.`,
      `Your subscription to ${name} stays the same, whatever you answer.`,
    ])
    await change({ beneficiary: { kind: 'newsletter', tagId: null } })
    expect(await by(`/optin/${campaignId}`)).toBe(
      `Your yes also subscribes you to ${name}, unless you are subscribed already.`,
    )
    expect(await by(`/optin/${campaignId}?lang=fr`)).toMatch(
      /^Votre oui vous abonne aussi à .*, si ce n’est pas déjà fait\.$/,
    )
    // What its reader says stands in quotation marks between the sentences to them.
    expect((await get(`/optin/${campaignId}?lang=fr`)).body).toMatch(
      /<p>Par votre oui, vous dites : « Oui, je veux recevoir [^<]* »<\/p>/,
    )
    const other = await addNewsletter(server.context.db, server.owner.userId, 'Slack Water')
    await change({ beneficiary: { kind: 'other_newsletter', newsletter: other } })
    expect(await by(`/optin/${campaignId}`)).toBe(`Your yes subscribes you to Slack Water, and not to ${name}.`)
    expect(await by(signed())).toMatch(
      /^Your yes subscribes you to Slack Water\. Your subscription to .* stays the same/,
    )
  })

  test('has a receipt with the exact words for each yes and each undo, in the chain; again changes nothing', async () => {
    for (let again = 0; again < 3; again += 1) await post(signed(), yes)
    expect(await receiptsOf()).toHaveLength(1)
    for (let again = 0; again < 3; again += 1) await post(signed(), { act: 'undo' })
    expect((await get(`${signed()}&said=undone`)).body).toContain('Taken back')
    const receipts = await receiptsOf()
    expect(receipts).toMatchObject([
      {
        ...{ act: 'given', wording_version: '1', language: 'en', means: 'campaign', beneficiary_name: 'Kelp & Rye' },
        wording: expect.stringContaining(optInWords.offer),
      },
      { act: 'withdrawn', wording: expect.stringContaining(optInWords.question) },
    ])
    for (const part of [optInWords.question, optInWords.yes, 'Your address goes to Kelp & Rye, Cork'])
      expect(receipts[0]?.wording).toContain(part)
    await new ReceiptChainer(server.context).drain()
    const unchained = await server.context.db.selectFrom('unchained_receipt').selectAll().execute()
    expect(unchained).toEqual([])
    expect(await seen()).toMatchObject({ taken: 0, counts: { confirmed: 0, undone: 1 } })
    await post(signed(), yes)
    expect(await seen()).toMatchObject({ taken: 1, counts: { yes: 1, confirmed: 1, undone: 0 } })
    expect(await receiptsOf()).toHaveLength(3)
    const timeline = `${server.path}/subscribers/${server.context.shownIds.show(subscriberId)}/timeline`
    const { rows } = (await server.owner.call('GET', timeline)).json()
    const kinds = rows.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['campaign_yes', 'campaign_no', 'campaign_yes'])
  })

  test('mails the receipt word for word, with the link that takes it back', async () => {
    await post(signed(), yes)
    const link = await mailed(email)
    expect(link).toBe(`${signed()}&said=receipt`)
    const { text = '' } = await PostalMime.parse(relay.received.findLast(({ to }) => to.includes(email))?.raw ?? '')
    const folded = (words: string) => words.replaceAll(/\s+/g, ' ')
    const [receipt] = await receiptsOf()
    for (const part of receipt?.wording.split('\n\n') ?? ['no receipt']) expect(folded(text)).toContain(folded(part))
    for (const part of [optInWords.question, optInWords.yes, 'Your subscription to Low Water stays the same'])
      expect(receipt?.wording).toContain(part)
    expect(text).not.toContain(optInWords.afterYes)
  })

  test('whoever left the newsletter types their address, for a mail may have been passed on', async () => {
    await server.context.db
      .updateTable('subscriber')
      .set({ status: 'unsubscribed', left_at: new Date() })
      .where('id', '=', subscriberId)
      .execute()
    expect((await get(signed())).body).toContain('type="email"')
    await post(signed(), yes)
    expect(await seen()).toMatchObject({ taken: 0 })
  })

  test('is no key to another newsletter, and nobody makes one', async () => {
    const other = await startOther()
    const foreign = codes.code(other.subscriberId)
    expect((await get(`/optin/${campaignId}?k=${foreign}`)).body).toContain('type="email"')
    for (const code of [subscriberId, 'x', '', `${subscriberId}.1.2`])
      expect((await get(`/optin/${campaignId}?k=${encodeURIComponent(code)}`)).body).toContain('type="email"')
  })
})

describe('a mail of a publication', () => {
  const link = (href: string) => ({
    type: 'paragraph',
    content: [{ type: 'text', text: 'Kelp & Rye', marks: [{ type: 'link', attrs: { href } }] }],
  })

  async function sendWith(href: string): Promise<{ path: string; publicationId: string }> {
    const { id } = await server.draft({ content: { type: 'doc', content: [link(href)] } })
    await server.send(id)
    return { path: (await mailed(email)) ?? '', publicationId: id }
  }

  test('leads whoever got it to the page by one tap; clicks and yeses count for that publication', async () => {
    const { path, publicationId } = await sendWith((await seen()).url)
    const redirect = await get(path)
    expect(redirect.statusCode).toBe(302)
    const page = new URL(redirect.headers.location ?? '')
    expect(page.pathname).toBe(`/optin/${campaignId}`)
    expect((await get(page.pathname + page.search)).body).toContain('Not you?')
    await post(page.pathname + page.search, yes)
    const { places } = await seen()
    expect(places).toMatchObject([
      { kind: 'page', counts: { views: { raw: 0 }, yes: 0 } },
      { kind: 'publication', counts: { views: { raw: 1, human: 1 }, yes: 1, confirmed: 1 } },
    ])
    expect(places[1]).toMatchObject({ name: 'Low tide', number: expect.any(Number) })
    expect(publicationId).toBeTruthy()
  })

  test('a short link of a place leads there too, and counts for the place', async () => {
    const made = await server.owner.call('POST', `${campaigns()}/${campaignId}/places`, { name: 'Printed card' })
    const place = made.json().places.find(({ kind }: { kind: string }) => kind === 'link')
    const { path } = await sendWith(place.url)
    const first = new URL((await get(path)).headers.location ?? '')
    const second = new URL((await get(first.pathname + first.search)).headers.location ?? '')
    await post(second.pathname + second.search, yes)
    const { places } = await seen()
    const counted = places.find(({ shortLinkId }: { shortLinkId: string }) => shortLinkId === place.shortLinkId)
    expect(counted).toMatchObject({ name: 'Printed card', counts: { views: { raw: 1 }, yes: 1, confirmed: 1 } })
  })

  test('places are known also after the server got another address', async () => {
    const made = await server.owner.call('POST', `${campaigns()}/${campaignId}/places`, { name: 'Printed card' })
    const place = made.json().places.find(({ kind }: { kind: string }) => kind === 'link')
    await server.context.db
      .updateTable('short_link')
      .set({ target: `https://before.example/optin/${campaignId}` })
      .where('newsletter_id', '=', server.newsletterId)
      .where('target', 'like', `%/optin/${campaignId}`)
      .execute()
    await post(`${signed()}&via=${place.shortLinkId}`, yes)
    const { places } = await seen()
    expect(places).toMatchObject([
      { kind: 'page', counts: { yes: 0 } },
      { name: 'Printed card', counts: { yes: 1 } },
    ])
    const { publicUrl } = server.context.config
    expect((await get(`/r/${place.shortLinkId}`)).headers.location).toMatch(`${publicUrl}/optin/${campaignId}?`)
    const link = await server.owner.call('GET', `${server.path}/links/${place.shortLinkId}`)
    expect(link.json().link.target).toBe(`${publicUrl}/optin/${campaignId}`)
    // A link that leads elsewhere is no place, whatever it says in its address.
    const { id: elsewhere } = (
      await server.owner.call('POST', `${server.path}/links`, { target: 'https://example.org/' })
    ).json()
    const [other = ''] = await server.addSubscribers([`via${round}@example.org`])
    await post(`${signed(other)}&via=${elsewhere}`, yes)
    const about = `https://example.org/?about=https://before.example/optin/${campaignId}`
    const { id: aside } = (await server.owner.call('POST', `${server.path}/links`, { target: about })).json()
    expect((await get(`/r/${aside}`)).headers.location).toBe(about)
    expect((await seen()).places).toMatchObject([{ counts: { yes: 1 } }, { counts: { yes: 1 } }])
  })

  test('links to no campaign say nothing of whose mail it was', async () => {
    const { path } = await sendWith('https://example.org/')
    expect(path).not.toContain('k=')
    expect((await get(`${path}&k=${codes.code(subscriberId)}`)).headers.location).toBe('https://example.org/')
  })

  test('that counts no clicks still needs one tap', async () => {
    const { db } = server.context
    const set = (click_privacy: 'off' | 'person') =>
      db.updateTable('newsletter').set({ click_privacy }).where('id', '=', server.newsletterId).execute()
    await set('off')
    const { path } = await sendWith((await seen()).url)
    await set('person')
    expect(path).toBe(signed())
  })

  test('a test mail changes and counts nothing', async () => {
    const { id } = await server.draft({ content: { type: 'doc', content: [link((await seen()).url)] } })
    await server.owner.call('POST', `${server.path}/publications/${id}/test`, {})
    const path = (await mailed('ines@example.org')) ?? ''
    const page = new URL((await get(path)).headers.location ?? '')
    const shown = await get(page.pathname + page.search)
    expect(shown.body).toContain('From a test mail')
    expect((await post(page.pathname + page.search, yes)).statusCode).toBe(303)
    expect(await seen()).toMatchObject({ taken: 0, counts: { views: { human: 0 }, yes: 0 } })
  })
})

describe('a cold visit', () => {
  test('is counted, and said to be one of its page', async () => {
    await get(`/optin/${campaignId}`)
    await server.work()
    expect((await seen()).counts.views).toEqual({ raw: 1, human: 1 })
    const { activity } = (await server.owner.call('GET', `${server.path}/dashboard`)).json()
    expect(activity[0]).toMatchObject({ kind: 'visited', email: null })
  })

  test('is not known to a newsletter that counts no clicks, or did not at some time', async () => {
    const choose = (clickPrivacy: string) => server.owner.call('PATCH', server.path, { clickPrivacy })
    const { id: draft } = (await server.owner.call('POST', campaigns(), { name: 'Not yet' })).json()
    await choose('off')
    await get(`/optin/${campaignId}`)
    expect(await seen()).toMatchObject({ counts: { views: null }, places: [{ counts: { views: null } }] })
    await choose('person')
    expect((await seen()).counts.views).toBeNull()
    expect((await seen(await addOptInCampaign(server))).counts.views).toEqual({ raw: 0, human: 0 })
    expect((await seen(draft)).counts.views).toEqual({ raw: 0, human: 0 })
  })

  const ask = (address: string, more = {}) => post(`/optin/${campaignId}`, { ...yes, email: address, ...more })

  test('asks for an address, mails a link, and counts once it is confirmed', async () => {
    const stranger = `stranger${round}@example.org`
    const asked = await ask(stranger)
    expect([asked.statusCode, asked.headers.location]).toEqual([303, `/optin/${campaignId}?said=asked`])
    const path = (await mailed(stranger)) ?? ''
    expect(path).toMatch(/^\/optin\/\w+\/confirm\//)
    expect([await found(stranger), (await seen()).counts]).toMatchObject([undefined, { yes: 1, confirmed: 0 }])
    expect((await get(path)).body).toContain('Shall we introduce you')
    expect(await seen()).toMatchObject({ taken: 0 })
    for (let again = 0; again < 2; again += 1) expect((await post(path, yes)).statusCode).toBe(303)
    const said = (await get(path)).body
    for (const words of ['You said yes', 'What you said yes to', 'Shall we introduce you'])
      expect(said).toContain(words)
    // They said yes to the sponsor, and not to the newsletter.
    const person = await found(stranger)
    expect(person).toMatchObject({ status: 'campaign_only', source: 'campaign' })
    expect(await receiptsOf(person?.id)).toMatchObject([{ act: 'given', means: 'confirmation' }])
    expect((await seen()).counts).toMatchObject({ yes: 1, confirmed: 1, passed: 1 })
    await post(path, { act: 'undo' })
    expect((await seen()).counts).toMatchObject({ yes: 1, confirmed: 0, undone: 1 })
  })

  test('a yes to a sponsor makes nobody a subscriber, until they ask to be one', async () => {
    const stranger = `noticed${round}@example.org`
    const read = async (rest: string) => (await server.owner.call('GET', `${server.path}${rest}`)).json()
    const { id: publicationId } = await server.draft()
    const segmentOf = async (filter: object) =>
      (await server.owner.call('POST', `${server.path}/segments/count`, { filter })).json()
    const counts = async () => ({
      dashboard: (await read('/dashboard')).subscribers,
      checklist: (await read('/dashboard/checklist')).checklist,
      preFlight: (await read(`/publications/${publicationId}/check`)).audience,
      list: (await read('/subscribers')).total,
      pending: (await read('/subscribers?status=pending')).total,
      counted: (await read('/subscribers/count')).total,
      sources: (await read('/subscribers/sources')).sources,
      segment: await segmentOf({ all: [{ on: 'email', op: 'contains', value: '@' }] }),
      saidYes: await segmentOf({ all: [{ on: 'campaign', op: 'did', campaign: campaignId }] }),
      csv: (await server.owner.call('GET', `${server.path}/subscribers.csv`)).body,
    })
    const before = await counts()
    await ask(stranger)
    const path = (await mailed(stranger)) ?? ''
    await post(path, yes)
    expect(await counts()).toEqual(before)
    const person = await found(stranger)
    expect(await receiptsOf(person?.id)).toMatchObject([{ act: 'given' }])
    const listed = { total: 1, rows: [{ email: stranger, status: 'campaign_only', confirmedAt: null }] }
    expect(await read(`/subscribers?search=${stranger}`)).toMatchObject(listed)
    expect(await read(`/subscribers?search=${stranger}&status=campaign_only`)).toMatchObject(listed)
    expect(await read(`/subscribers?search=${stranger}&status=pending`)).toMatchObject({ total: 0 })
    const notActive = { name: 'Not active', filter: { all: [{ on: 'status', op: 'is_not', value: 'active' }] } }
    const segment = (await server.owner.call('POST', `${server.path}/segments`, notActive)).json()
    expect(await read(`/subscribers?search=${stranger}&segmentId=${segment.id}`)).toMatchObject({ total: 0, rows: [] })
    const file = await server.owner.call('GET', `${campaigns()}/${campaignId}/opt-ins.csv`)
    expect(file.body).toContain(`${stranger},confirmed`)
    // Nobody was asked to confirm, so leaving changes nothing.
    await post(`/unsub/${server.newsletterId}/${person?.id}`, { act: 'leave' })
    expect(await found(stranger)).toMatchObject({ status: 'campaign_only', left_at: null })

    await post(path, { act: 'undo' })
    expect((await receiptsOf(person?.id)).map(({ act }) => act)).toEqual(['given', 'withdrawn'])
    expect(await counts()).toEqual(before)

    const added = await server.owner.call('POST', `${server.path}/subscribers`, { email: stranger, name: 'Noor' })
    expect(added.json()).toMatchObject({ status: 'pending', source: 'by-hand', name: 'Noor' })
    expect(await counts()).toMatchObject({ list: before.list + 1, pending: before.pending + 1 })
    await server.work()
    const { html = '' } = await PostalMime.parse(relay.received.findLast(({ to }) => to.includes(stranger))?.raw ?? '')
    const confirmation = /href="[^"]*?(\/confirm\/[^"]+)"/.exec(html ?? '')?.[1] ?? ''
    await post(confirmation, {})
    expect(await found(stranger)).toMatchObject({ status: 'active', id: person?.id })
  })

  test('whoever only said yes to a campaign is exported and erased as anybody else', async () => {
    const stranger = `erased${round}@example.org`
    await ask(stranger)
    await post((await mailed(stranger)) ?? '', yes)
    const [{ id }] = (await server.owner.call('GET', `${server.path}/subscribers?search=${stranger}`)).json().rows
    const receipts = await server.owner.call('GET', `${server.path}/subscribers/${id}/receipts`)
    expect(receipts.body).toContain('A bakery in Cork')
    expect((await server.owner.call('DELETE', `${server.path}/subscribers/${id}`)).statusCode).toBe(200)
    expect(await found(stranger)).toBeUndefined()
  })

  test('has one answer for every address, and mails none that is stopped or said yes', async () => {
    const { db } = server.context
    const stopped = `stopped${round}@example.org`
    const suppression = { newsletter_id: server.newsletterId, email_normalised: stopped, reason: 'complained' } as const
    await db.insertInto('suppression').values(suppression).execute()
    await post(signed(), yes)
    await server.work()
    const before = relay.received.length
    const answers = await Promise.all([ask(stopped), ask(email), ask(`new${round}@example.org`)])
    const shapes = answers.map(({ statusCode, headers, body }) => [statusCode, headers.location, body])
    expect(new Set(shapes.map((one) => JSON.stringify(one))).size).toBe(1)
    await server.work()
    expect(relay.received.slice(before).flatMap(({ to }) => to)).toEqual([`new${round}@example.org`])
  })

  test('keeps robots, no addresses and other links out', async () => {
    expect((await ask('not an address')).statusCode).toBe(422)
    expect((await ask(`bot${round}@example.org`, { website: 'x' })).statusCode).toBe(303)
    await server.work()
    expect((await seen()).counts).toMatchObject({ yes: 0 })
    expect((await get(`/optin/${campaignId}/confirm/none`)).statusCode).toBe(410)
    expect((await post(`/optin/${campaignId}/confirm/none`, yes)).statusCode).toBe(410)
    const stranger = `elsewhere${round}@example.org`
    await ask(stranger)
    const path = (await mailed(stranger)) ?? ''
    const other = await addOptInCampaign(server)
    expect((await post(path.replace(campaignId, other), yes)).statusCode).toBe(410)
  })

  test('joins the newsletter when the campaign is for it, and gets the tag', async () => {
    const { id: tagId } = (await server.owner.call('POST', `${server.path}/tags`, { name: `Box ${round}` })).json()
    await change({ beneficiary: { kind: 'newsletter', tagId } })
    const stranger = `joins${round}@example.org`
    await ask(stranger)
    const path = (await mailed(stranger)) ?? ''
    expect((await post(path, { ...yes, version: '2' })).statusCode).toBe(303)
    const person = await found(stranger)
    expect(person).toMatchObject({ status: 'active', source: 'campaign' })
    const tags = () =>
      server.context.db
        .selectFrom('subscriber_tag')
        .selectAll()
        .where('subscriber_id', '=', person?.id ?? '')
        .execute()
    expect(await tags()).toMatchObject([{ tag_id: tagId }])
    await post(path, { act: 'undo' })
    expect([await found(stranger), await tags()]).toMatchObject([{ status: 'unsubscribed' }, []])
  })
})

describe('the page says kindly why nobody is asked', () => {
  const future = new Date(Date.now() + DAY_MS).toISOString()
  const past = new Date(Date.now() - 1000).toISOString()
  test.each([
    { why: 'begins later', values: { startsAt: future }, status: 403, title: 'This begins on' },
    { why: 'over', values: { endsAt: past }, status: 410, title: 'This is over' },
  ])('$why', async ({ values, status, title }) => {
    expect((await change(values)).statusCode).toBe(200)
    for (const url of [`/optin/${campaignId}`, signed()]) {
      const { statusCode, body } = await get(url)
      expect([statusCode, body]).toEqual([status, expect.stringContaining(title)])
      const other = /href="([^"]*)" lang="fr"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
      expect(new URLSearchParams(other).get('k')).toBe(new URL(url, 'http://any').searchParams.get('k'))
      expect((await get(new URL(other, `http://any${url}`).href.slice('http://any'.length))).body).toContain(
        'lang="fr"',
      )
    }
    const { statusCode, body } = await post(signed(), yes)
    expect([statusCode, body]).toEqual([status, expect.stringContaining(title)])
    expect(await seen()).toMatchObject({ taken: 0 })
  })

  test('withdrawn: nobody says yes any more, and whoever did can take it back', async () => {
    await post(signed(), yes)
    await server.owner.call('POST', `${campaigns()}/${campaignId}/withdrawal`)
    const page = await get(`/optin/${campaignId}`)
    expect([page.statusCode, page.body]).toEqual([410, expect.stringContaining('This was withdrawn')])
    expect(page.body).toContain('Whoever said yes can take it back by the link in their receipt')
    expect((await get(`/optin/${campaignId}?lang=fr`)).body).toContain('Cette proposition est retirée')
    expect((await get(signed())).body).toContain('You said yes')
    await post(signed(), { act: 'undo' })
    expect(await seen()).toMatchObject({ state: 'withdrawn', taken: 0 })
    expect((await change({ name: 'Again' })).statusCode).toBe(409)
  })

  test('unknown: a draft, which may be anybody’s, answers as an address that no campaign ever had', async () => {
    await change({ startsAt: null })
    const answerOf = ({ statusCode, headers, body }: Awaited<ReturnType<typeof get>>) =>
      createHash('sha256')
        .update(JSON.stringify({ statusCode, body, ...headers, date: null }))
        .digest('hex')
    const never = await get('/optin/abcdefghij')
    expect([never.statusCode, never.body.includes('There is nothing here')]).toEqual([404, true])
    const unknown = answerOf(never)
    for (const id of ['none', 'x'.repeat(30), '..%2f', "'", campaignId])
      for (const rest of ['', '?said=asked', '?preview=x.y', `?k=${subscriberId}`, '/confirm/none'])
        expect(answerOf(await get(`/optin/${id}${rest}`))).toBe(unknown)
    for (const id of ['abcdefghij', campaignId])
      expect(answerOf(await post(`/optin/${id}`, { ...yes, email }))).toBe(unknown)
    // Whoever has a mail of the newsletter knows of it: the page was linked too early.
    const early = await get(signed())
    expect([early.statusCode, early.body]).toEqual([403, expect.stringContaining('Not yet')])
  })

  test('an end that is over is refused at its field before a beginning, and closes what runs', async () => {
    const past = new Date(Date.now() - 60_000).toISOString()
    await change({ startsAt: null })
    const refused = await change({ endsAt: past })
    expect([refused.statusCode, refused.json().error.fields]).toEqual([422, { endsAt: expect.any(String) }])
    await change({ startsAt: new Date(Date.now() - 120_000).toISOString() })
    expect((await change({ endsAt: past })).statusCode).toBe(200)
    expect((await change({ name: 'Mended', endsAt: past })).statusCode).toBe(200)
  })

  test('of a deleted newsletter: as if it had never been', async () => {
    const other = await startOther()
    const path = `/api/newsletters/${other.newsletterId}`
    const theirs = await addOptInCampaign({ ...server, path })
    expect((await get(`/optin/${theirs}`)).statusCode).toBe(200)
    await server.owner.call('DELETE', path, { name: 'Le Quart d’heure' })
    await expect.poll(async () => (await get(`/optin/${theirs}`)).statusCode).toBe(404)
    const isSame = (await get(`/optin/${theirs}`)).body === (await get('/optin/abcdefghij')).body
    expect(isSame).toBe(true)
  })

  test('full, until somebody takes theirs back', async () => {
    const [other = ''] = await server.addSubscribers([`other${round}@example.org`])
    await change({ cap: 1 })
    await post(signed(), yes)
    expect((await get(signed(other))).statusCode).toBe(409)
    expect((await post(signed(other), yes)).body).toContain('All places are taken')
    expect((await seen()).state).toBe('full')
    await post(signed(), { act: 'undo' })
    expect((await post(signed(other), yes)).statusCode).toBe(303)
  })
})

test('the cap holds under two hundred yeses at once, and the same person takes one place', async () => {
  await change({ cap: 50 })
  const people = await server.addSubscribers(Array.from({ length: 200 }, (_, n) => `many${round}.${n}@example.org`))
  const answers = await Promise.all(people.map((id) => post(signed(id), yes)))
  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(50)
  expect(await seen()).toMatchObject({ taken: 50, state: 'full', counts: { confirmed: 50 } })
  const [first = ''] = people
  await change({ cap: null })
  await Promise.all(Array.from({ length: 20 }, () => post(signed(first), yes)))
  await Promise.all(Array.from({ length: 20 }, () => post(signed(first), { act: 'undo' })))
  const rows = await receiptsOf(first)
  expect(rows.filter(({ act }) => act === 'given').length - rows.filter(({ act }) => act === 'withdrawn').length).toBe(
    0,
  )
  const { taken } = await seen()
  const standing = await server.context.db
    .selectFrom('opt_in')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('undone_at', 'is', null)
    .execute()
  expect(taken).toBe(standing.length)
})

test('words that changed meanwhile are asked anew, and each version keeps its words', async () => {
  await change({ words: { en: { ...optInWords, offer: 'Two bakeries.' } } })
  const stale = await post(signed(), yes)
  expect([stale.statusCode, stale.body.includes('The words have changed')]).toEqual([409, true])
  expect(await seen()).toMatchObject({ version: 2, taken: 0 })
  expect((await post(signed(), { ...yes, version: '2' })).statusCode).toBe(303)
  const kept = await server.context.db
    .selectFrom('campaign_words')
    .select(['version', 'offer'])
    .where('campaign_id', '=', campaignId)
    .orderBy('version')
    .execute()
  expect(kept).toEqual([
    { version: 1, offer: optInWords.offer },
    { version: 2, offer: 'Two bakeries.' },
  ])
  // What nobody sees makes no version.
  await change({ name: 'Another name', cap: 7 })
  expect((await seen()).version).toBe(2)
})

test('words that are taken away ask nobody any more, and a yes to them is for nobody else', async () => {
  const other = {
    kind: 'sponsor',
    sponsor: { name: 'Kelp & Rye', address: '2 quai Jean', privacy: 'https://k.example/' },
  }
  expect((await change({ words: {}, beneficiary: other })).statusCode).toBe(200)
  expect(await seen()).toMatchObject({ words: {}, version: 2, state: 'waiting' })
  expect((await post(signed(), yes)).statusCode).not.toBe(303)
  expect(await seen()).toMatchObject({ taken: 0 })
})

test('whom a yes is for is fixed with the first yes', async () => {
  await post(signed(), yes)
  const other = { kind: 'sponsor', sponsor: { name: 'Somebody else', address: '', privacy: '' } }
  const refused = await change({ beneficiary: other })
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'beneficiary_fixed'])
})

async function startOther() {
  const id = await addNewsletter(server.context.db, server.owner.userId, 'Le Quart d’heure')
  const other = { newsletter_id: id, language: 'en', confirmed_at: new Date(), email: `o${round}@example.org` } as const
  const subscriber = { ...other, id: crypto.randomUUID(), email_normalised: other.email, status: 'active' } as const
  await server.context.db.insertInto('subscriber').values(subscriber).execute()
  return { newsletterId: id, subscriberId: subscriber.id }
}

describe('another newsletter of this server', () => {
  test('gets whoever says yes, once, with a receipt of its own; taking it back ends that subscription', async () => {
    const other = await startOther()
    await change({ beneficiary: { kind: 'other_newsletter', newsletter: other.newsletterId } })
    expect(await seen()).toMatchObject({ state: 'running', beneficiary: { newsletter: { accepted: true } } })
    await Promise.all(Array.from({ length: 5 }, () => post(signed(), { ...yes, version: '2' })))
    const joined = await found(email, other.newsletterId)
    expect(joined).toMatchObject({ status: 'active', source: 'campaign' })
    const receipts = await server.context.db
      .selectFrom('consent')
      .selectAll()
      .where('newsletter_id', '=', other.newsletterId)
      .where('subscriber_id', '=', joined?.id ?? '')
      .execute()
    expect(receipts).toMatchObject([{ act: 'given', purpose: 'newsletter', means: 'campaign' }])
    await post(signed(), { act: 'undo' })
    expect(await found(email, other.newsletterId)).toMatchObject({ status: 'unsubscribed' })
    expect((await get(`${signed()}&said=undone`)).body).toContain(
      'A subscription to Le Quart d’heure that began with it has ended; one from before goes on.',
    )
    // A no there stays a no, also when they say yes here again.
    await post(signed(), { ...yes, version: '2' })
    expect(await found(email, other.newsletterId)).toMatchObject({ status: 'unsubscribed' })
    expect((await seen()).counts).toMatchObject({ confirmed: 1, passed: 0 })
  })

  test.each(['unsubscribed', 'complained', 'erased', 'refused'] as const)(
    'gets nobody who was %s there',
    async (was) => {
      const { db, signer } = server.context
      const other = await startOther()
      await change({ beneficiary: { kind: 'other_newsletter', newsletter: other.newsletterId } })
      const there = { newsletter_id: other.newsletterId, email_normalised: email }
      if (was === 'erased') await rememberErased(db, signer, { newsletterId: other.newsletterId, normalised: [email] })
      else if (was === 'refused') {
        email = `info+${round}@example.org`
        ;[subscriberId = ''] = await server.addSubscribers([email])
        const refusing = db.updateTable('newsletter').set({ role_addresses: 'refuse' })
        await refusing.where('id', '=', other.newsletterId).execute()
      } else
        await db
          .insertInto('subscriber')
          .values({ ...there, id: crypto.randomUUID(), email, language: 'en', status: was, left_at: new Date() })
          .execute()
      expect((await post(signed(), { ...yes, version: '2' })).statusCode).toBe(303)
      expect((await seen()).counts).toMatchObject({ confirmed: 1, passed: 0 })
      const kept = was === 'erased' || was === 'refused' ? undefined : was
      expect((await found(email, other.newsletterId))?.status).toBe(kept)
    },
  )

  test('nobody asks until its owner agrees, and a stopped address stays stopped there', async () => {
    const { db } = server.context
    const other = await startOther()
    const suppression = { newsletter_id: other.newsletterId, email_normalised: email, reason: 'by_hand' } as const
    await db.insertInto('suppression').values(suppression).execute()
    const boss = await server.signUp({ name: 'Yann', email: `yann${round}@example.org` })
    await db
      .updateTable('member')
      .set({ user_id: boss.userId })
      .where('newsletter_id', '=', other.newsletterId)
      .execute()
    const asked = await change({ beneficiary: { kind: 'other_newsletter', newsletter: other.newsletterId } })
    expect(asked.statusCode, asked.body).toBe(200)
    expect(await seen()).toMatchObject({ state: 'waiting', beneficiary: { newsletter: { accepted: false } } })
    expect((await post(signed(), { ...yes, version: '2' })).statusCode).toBe(403)
    const offers = `/api/newsletters/${other.newsletterId}/campaign-offers`
    expect((await boss.call('GET', offers)).json().offers).toMatchObject([
      { campaignId, from: 'Low Water', acceptedAt: null, waits: true },
    ])
    expect((await server.owner.call('PUT', `${offers}/${campaignId}`)).statusCode).toBe(404)
    expect((await boss.call('PUT', `${offers}/${campaignId}`)).statusCode).toBe(200)
    expect((await post(signed(), { ...yes, version: '2' })).statusCode).toBe(303)
    expect(await found(email, other.newsletterId)).toBeUndefined()
    expect((await boss.call('DELETE', `${offers}/${campaignId}`)).statusCode).toBe(200)
    expect((await seen()).state).toBe('waiting')
    // Whoever said no is not asked again, until they agree after all.
    expect((await boss.call('GET', offers)).json().offers).toMatchObject([{ acceptedAt: null, waits: false }])
    expect((await boss.call('DELETE', `${offers}/abcdefghij`)).statusCode).toBe(404)
  })
})

describe('the list of a sponsor', () => {
  const share = async (days = 7) => {
    const made = await server.owner.call('POST', `${campaigns()}/${campaignId}/list-links`, { days })
    const [{ id, url }] = made.json().listLinks
    return { id: id as number, path: new URL(url).pathname }
  }

  test('has those who confirmed, each once, and names who took it back by a hash alone', async () => {
    const formula = `=cmd${round}@example.org`
    const [dangerous = '', other = ''] = await server.addSubscribers([formula, `undo${round}@example.org`])
    for (const id of [subscriberId, dangerous, other]) await post(signed(id), yes)
    await post(signed(other), { act: 'undo' })
    await post(`/optin/${campaignId}`, { ...yes, email: `unconfirmed${round}@example.org` })
    await server.work()
    const { path } = await share()
    expect((await get(path)).body).toContain('Confirmed addresses')
    const { body, headers } = await get(`${path}/confirmed.csv`)
    expect(headers['content-type']).toContain('text/csv')
    expect(body.trim().split('\n')).toEqual(['email', email, `'${formula}`])
    const hash = createHash('sha256').update(`undo${round}@example.org`).digest('hex')
    const undone = (await get(`${path}/withdrawn.csv`)).body
    expect(undone).toContain(hash)
    expect(undone).not.toContain('@')
  })

  test('is what whoever takes a yes back is told of: never shared, shared, and closed again', async () => {
    const told = async () => (await get(`${signed()}&said=undone`)).body
    await post(signed(), yes)
    await post(signed(), { act: 'undo' })
    expect(await told()).toContain('Your address is no longer in the list for Kelp &amp; Rye.')
    const { id } = await share()
    expect(await told()).toContain('who also finds there that you took it back')
    await server.owner.call('DELETE', `${campaigns()}/${campaignId}/list-links/${id}`)
    expect(await told()).toContain('who may have fetched it before')
    expect((await get(`/optin/${campaignId}?said=undone&lang=fr`)).body).toContain(
      'Votre adresse n’est plus dans la liste destinée à Kelp &amp; Rye, qui l’a peut-être téléchargée avant.',
    )
  })

  test('is closed when it is revoked or over, and opens nothing else', async () => {
    const { id, path } = await share()
    for (const wrong of [`${path}x`, `/optin/${campaignId}/list/none`, path.replace(campaignId, 'abcdefghij')])
      for (const url of [wrong, `${wrong}/confirmed.csv`]) expect((await get(url)).statusCode).toBe(404)
    expect((await server.owner.call('DELETE', `${campaigns()}/${campaignId}/list-links/${id}`)).statusCode).toBe(200)
    for (const url of [path, `${path}/confirmed.csv`, `${path}/withdrawn.csv`]) {
      const closed = await get(url)
      expect([closed.statusCode, closed.body]).toEqual([410, expect.stringContaining('This address is closed')])
    }
    const second = await share()
    await server.context.db
      .updateTable('opt_in_list_link')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', second.id)
      .execute()
    expect((await get(`${second.path}/confirmed.csv`)).statusCode).toBe(410)
    await change({ beneficiary: { kind: 'newsletter', tagId: null } })
    const refused = await server.owner.call('POST', `${campaigns()}/${campaignId}/list-links`, { days: 1 })
    expect(refused.json().error.code).toBe('no_sponsor')
  })

  test('of the owner has every yes with its place, and its download is in the audit', async () => {
    await post(signed(), yes)
    const csv = await server.owner.call('GET', `${campaigns()}/${campaignId}/opt-ins.csv`)
    expect(csv.body).toContain(`${email},confirmed,`)
    const audit = (await server.owner.call('GET', `${server.path}/audit`)).json()
    expect(audit.rows.map(({ act }: { act: string }) => act)).toContain('opt_ins_exported')
  })
})

test('a preview shows the page before it begins, and neither counts nor changes anything', async () => {
  await change({ startsAt: null })
  const { previewUrl } = await seen()
  const { pathname, search } = new URL(previewUrl)
  const page = await get(pathname + search)
  expect([page.statusCode, page.body.includes('A preview')]).toEqual([200, true])
  expect((await post(pathname + search, yes)).statusCode).toBe(303)
  expect(await seen()).toMatchObject({ taken: 0, counts: { views: { raw: 0 }, yes: 0 } })
  expect((await get(`/optin/${campaignId}?preview=${campaignId}.x`)).statusCode).toBe(404)
})

test('visits are counted by the rules for clicks, and those of programs apart', async () => {
  await get(`/optin/${campaignId}`)
  await get(`/optin/${campaignId}`, { 'user-agent': 'curl/8' })
  expect((await seen()).counts.views).toEqual({ raw: 2, human: 1 })
})

test('who said yes and comes back to it is no further visit, until they take it back', async () => {
  const { human } = (await seen()).counts.views
  await get(signed())
  await post(signed(), yes)
  for (let times = 0; times < 3; times++) await get(signed())
  expect((await seen()).counts.views.human).toBe(human + 1)
  await post(signed(), { act: 'undo' })
  await get(signed())
  expect((await seen()).counts.views.human).toBe(human + 2)
})

test('who is there after fourteen days, and who is not', async () => {
  const ids = await server.addSubscribers(['stays', 'undoes', 'recent'].map((name) => `${name}${round}@example.org`))
  const [stays = '', undoes = '', recent = ''] = ids
  for (const id of [stays, undoes, recent]) await post(signed(id), yes)
  await post(signed(undoes), { act: 'undo' })
  const { db } = server.context
  await db
    .updateTable('opt_in')
    .set({ confirmed_at: new Date(Date.now() - 20 * DAY_MS) })
    .where('subscriber_id', 'in', [stays, undoes])
    .execute()
  await db
    .updateTable('opt_in')
    .set({ undone_at: new Date(Date.now() - 10 * DAY_MS) })
    .where('subscriber_id', '=', undoes)
    .execute()
  expect((await seen()).counts.stayed).toEqual({ still: 1, of: 2 })
})

test('whoever is erased still counts, and is in no list', async () => {
  await post(signed(), yes)
  await server.owner.call('DELETE', server.subscriberPath(subscriberId))
  expect(await seen()).toMatchObject({ taken: 1, counts: { confirmed: 1 } })
  const csv = await server.owner.call('GET', `${campaigns()}/${campaignId}/opt-ins.csv`)
  expect(csv.body).not.toContain(email)
})

test('an analyst reads, an editor writes, and only an owner downloads', async () => {
  const analyst = await server.asMember(server.newsletterId, 'analyst')
  const editor = await server.asMember(server.newsletterId, 'editor')
  const path = `${campaigns()}/${campaignId}`
  expect((await analyst.call('GET', path)).statusCode).toBe(200)
  expect((await analyst.call('PATCH', path, { name: 'No' })).statusCode).toBe(403)
  expect((await editor.call('PATCH', path, { name: 'Yes' })).statusCode).toBe(200)
  for (const session of [analyst, editor]) {
    expect((await session.call('GET', `${path}/opt-ins.csv`)).statusCode).toBe(403)
    expect((await session.call('POST', `${path}/list-links`, { days: 1 })).statusCode).toBe(403)
  }
})
