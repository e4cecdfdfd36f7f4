import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exclusionRules } from '../../links/human.ts'
import { countryDatabase } from '../../testing/country-database.ts'
import { addNewsletter, paragraph, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign } from '../../testing/opt-in.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'
import type { Report } from './contract.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let server: TestNewsletter
let relay: RecordingRelay
let now = new Date('2026-11-14T06:12:00Z')
let placementId: number
beforeAll(async () => {
  relay = await startRecordingRelay()
  const countries = join(mkdtempSync(join(tmpdir(), 'tirage-countries-')), 'countries.mmdb')
  writeFileSync(countries, countryDatabase([192, 0, 2], { country: { iso_code: 'FR' } }))
  const env = { SMTP_URL: relay.url, SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '100000' }
  server = await startTestNewsletter({ ...env, COUNTRY_DATABASE: countries, TRUST_PROXY: 'true' }, () => now)
  const words = {
    en: { name: 'Middle', disclosure: 'A word from our sponsor' },
    fr: { name: 'Milieu', disclosure: 'Un mot de notre annonceur' },
  }
  placementId = (await call('POST', '/placements', { words, place: 'middle', maxWords: 20 })).id
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

const call = async (method: 'GET' | 'POST' | 'PUT', rest: string, body?: unknown) =>
  (await server.owner.call(method, `${server.path}/sponsorship${rest}`, body)).json()
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
let bookings = 0

interface Made {
  id: string
  email: string
  link: string
  publicationId: string
  /** The path of the report. */
  path: string
}

interface Wanted {
  sponsor?: string
  language?: 'en' | 'fr'
  target?: string
  title?: string
  /** It is noted by hand: no publication and no link are known. */
  byHand?: boolean
}

/** A booking that runs now, whatever its day, in a publication that two readers get, with a link of its own. */
async function ran(wanted: Wanted = {}): Promise<Made> {
  const { sponsor = 'Atelier Morvan', language = 'en', target = 'https://m.example/', title = 'Low tide' } = wanted
  const email = `sponsor${++bookings}@example.org`
  const day = new Date(now.getTime() + (1_000 + bookings) * DAY_MS).toISOString().slice(0, 10)
  await call('PUT', '/days', { day, kind: 'added' })
  const agreed = { placementId, day, sponsor, email, language, currency: 'eur', amount: 41_000 }
  const { id } = await call('POST', '/bookings', agreed)
  await call('POST', `/bookings/${id}/money`, { act: 'pay' })
  const creative = { name: sponsor, text: 'Mends nets.', label: 'See how', target: 'https://m.example/' }
  await call('PUT', `/bookings/${id}/creative`, creative)
  await call('POST', `/bookings/${id}/acts`, { act: 'approve' })
  // Its own day, over already: what is to come cannot have run.
  await server.context.db
    .updateTable('booking')
    .set({ day: sql<Date>`${day}::date - 3000` })
    .where('id', '=', id)
    .execute()
  await call('POST', `/bookings/${id}/acts`, { act: 'run' })
  const link = wanted.byHand ? null : await linkTo(target)
  const publicationId = wanted.byHand ? null : await published(title)
  await server.context.db
    .updateTable('booking')
    .set({ publication_id: publicationId, short_link_id: link, ran_at: now })
    .where('id', '=', id)
    .execute()
  const { url } = await call('POST', `/bookings/${id}/report-link`, {})
  return { id, email, link: link ?? '', publicationId: publicationId ?? '', path: new URL(url).pathname }
}

const linkTo = async (target: string): Promise<string> =>
  (await server.owner.call('POST', `${server.path}/links`, { target })).json().id

async function published(title: string): Promise<string> {
  await server.addSubscribers([`ada${bookings}@example.org`, `bea${bookings}@example.org`])
  const { id } = await server.draft({ title })
  await server.send(id)
  await server.work()
  return id
}

const follow = (link: string, agent = BROWSER, address = '198.51.100.1') =>
  server.inject({ method: 'GET', url: `/r/${link}`, headers: { 'user-agent': agent, 'x-forwarded-for': address } })
const read = async (id: string): Promise<Report> => (await call('GET', `/bookings/${id}/report`)).report
const page = async (path: string, language = 'en') => (await server.inject(`${path}?lang=${language}`)).body
const csvOf = async (path: string) => (await server.inject(`${path}/report.csv`)).body
/** Lets the job come by. */
async function runJob() {
  await sql`select graphile_worker.add_job('report_bookings')`.execute(server.context.db)
  await server.work()
}
/** What a sponsor was mailed with the address of a report. */
async function reportsTo(email: string): Promise<Email[]> {
  const mails = await Promise.all(
    relay.received.filter(({ to }) => to.includes(email)).map(({ raw }) => PostalMime.parse(raw)),
  )
  return mails.filter(({ text }) => text?.includes('/report/'))
}

test('a report shows the image that ran, with its words for those who do not see it', async () => {
  const { id, path } = await ran()
  expect(await page(path)).not.toContain('/media/')
  const image = { mediaId: 'nets1', alt: 'Nets, hung up to dry' }
  await sql`update booking set creative = creative || ${JSON.stringify({ image })}::jsonb where id = ${id}`.execute(
    server.context.db,
  )
  expect(await page(path)).toContain('<img src="/media/nets1?w=600" alt="Nets, hung up to dry"/>')
})

test('a report has copies, clicks by hour, and why others do not count, and its sums are those of its parts', async () => {
  const { id, link, path } = await ran()
  await follow(link)
  await follow(link, 'curl/8.9.1')
  later(26 * HOUR_MS)
  await follow(link)
  const report = await read(id)
  expect(report).toMatchObject({
    publication: { title: 'Low tide' },
    copies: { intended: 2 * bookings, accepted: 2 * bookings },
    clicks: { raw: 3, human: 2, excluded: [{ rule: 'bot', clicks: 1 }], devices: [], countries: [] },
    yes: null,
    takenAt: null,
  })
  expect(report.clicks?.hours).toEqual([
    { hour: 0, raw: 2, human: 1 },
    { hour: 26, raw: 1, human: 1 },
  ])
  const body = await page(path)
  for (const text of [
    'Report for Atelier Morvan',
    'Middle',
    '“Low tide”',
    'Live until',
    'Robot',
    'A word from our sponsor',
    // The bar of the first day is two clicks high, and the scale of the hours says how many its height is.
    'Above each bar: people / raw',
    '>/ 2</tspan>',
    '2 clicks in an hour',
    'Accepted: the mail relay took the copy.',
  ])
    expect(body).toContain(text)
  expect(body).toMatch(/<meta name="robots" content="noindex/)
  expect(body).not.toContain('<script')
  const csv = await csvOf(path)
  const value = (name: string) => Number(csv.match(new RegExp(`^${name},(\\d+)$`, 'm'))?.[1])
  expect([value('clicks,,raw'), value('clicks,,human'), value('rule,bot,excluded')]).toEqual([3, 2, 1])
  const sumOf = (part: string, measure: string) =>
    [...csv.matchAll(new RegExp(`^${part},[^,]+,${measure},(\\d+)$`, 'gm'))].reduce((sum, [, n]) => sum + Number(n), 0)
  for (const part of ['day', 'hour']) expect([sumOf(part, 'raw'), sumOf(part, 'human')]).toEqual([3, 2])
  // What is still to come is no zero: two of the seven days have begun.
  expect(csv.match(/^day,/gm)).toHaveLength(2 * 2)
  expect(body.match(/<td>–<\/td>/g)).toHaveLength(5 * 2)
  expect(body.match(/<b>–<\/b>/g)).toHaveLength(5)
})

test('seven days count from the hour in which it ran, and not a click more', async () => {
  const { id, link, path } = await ran()
  const begun = now
  await follow(link)
  now = new Date(begun.getTime() + 7 * DAY_MS - 1)
  await runJob()
  expect(await read(id)).toMatchObject({ takenAt: null, clicks: { raw: 1 } })
  expect((await call('GET', `/bookings/${id}`)).state).toBe('ran')
  await follow(link)
  now = new Date(begun.getTime() + 7 * DAY_MS)
  const closing = await page(path)
  expect(closing).toContain('Ended on Sunday 22\u00a0November 2026 at 09:12')
  expect(closing).not.toContain('Live until')
  await runJob()
  expect(await read(id)).toMatchObject({ takenAt: now.toISOString(), clicks: { raw: 1 } })
  expect((await call('GET', `/bookings/${id}`)).state).toBe('reported')
  expect(await page(path)).toContain('Final since Sunday 22\u00a0November 2026 at 09:12')
})

test('of two workers at the same moment, and whoever comes again, one reports and mails, with the sums', async () => {
  const { id, link, email, path } = await ran({ language: 'fr' })
  await follow(link)
  later(7 * DAY_MS)
  await Promise.all([runJob(), runJob()])
  await runJob()
  const { steps } = await call('GET', `/bookings/${id}`)
  expect(steps.filter(({ act }: { act: string }) => act === 'report')).toMatchObject([{ actor: 'system' }])
  const mails = await reportsTo(email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe('Votre bilan dans Low Water est définitif')
  for (const text of ['1 clic humain, sur 1', path]) expect(mails[0]?.text).toContain(text)
  expect(await page(path, 'fr')).toContain('Définitif depuis')
})

test('a final report for a sponsor without an address is due for two weeks, so that somebody sends its link', async () => {
  const { id } = await ran()
  await server.context.db.updateTable('booking').set({ email: null }).where('id', '=', id).execute()
  const isDue = async () =>
    (await call('GET', '/bookings?which=due&limit=200')).rows.some((row: { id: string }) => row.id === id)
  const whileLive = await isDue()
  later(7 * DAY_MS)
  await runJob()
  const onceFinal = await isDue()
  later(14 * DAY_MS - 1)
  expect([whileLive, onceFinal, await isDue()]).toEqual([false, true, true])
  later(1)
  expect(await isDue()).toBe(false)
})

test('a report names a publication that was taken off the web, and has no link to it', async () => {
  const { id, path, publicationId } = await ran({ title: 'Withdrawn' })
  const { url } = await read(id)
  expect(await page(path)).toContain(`href="${url}"`)
  await server.owner.call('POST', `${server.path}/publications/${publicationId}/take-off-web`, {})
  expect((await read(id)).url).toBeNull()
  expect(await page(path)).toContain('“Withdrawn”')
  for (const shown of [await page(path), await csvOf(path)]) expect(shown).not.toContain(String(url))
})

test('a final report stays as it was: rules, publications, links and people may go; a live one follows the rules', async () => {
  const final = await ran({ title: 'Gone' })
  await follow(final.link)
  later(7 * DAY_MS)
  await runJob()
  const live = await ran()
  await follow(live.link)
  const before = await read(final.id)
  const csv = await csvOf(final.path)
  const { db } = server.context
  await sql`update click set excluded_by = 'scanner' where short_link_id in (${final.link}, ${live.link})`.execute(db)
  expect(await read(live.id)).toMatchObject({
    clicks: { raw: 1, human: 0, excluded: [{ rule: 'scanner', clicks: 1 }] },
  })
  expect(await read(final.id)).toEqual(before)
  await db.deleteFrom('publication').where('id', '=', final.publicationId).execute()
  await sql`delete from short_link where id = ${final.link}`.execute(db)
  await sql`delete from subscriber where newsletter_id = ${server.newsletterId}`.execute(db)
  const { url, ...after } = await read(final.id)
  expect(url).toBeNull()
  expect({ ...after, url: before.url }).toEqual(before)
  const withoutAddress = (text: string) => text.replace(/^report,,publication_address.*$/m, '')
  expect(withoutAddress(await csvOf(final.path))).toBe(withoutAddress(csv))
  expect(await page(final.path)).toContain('“Gone”')
})

test('what was noted by hand says what is not known, and guesses nothing', async () => {
  const { id, path, email } = await ran({ byHand: true })
  expect(await read(id)).toMatchObject({ publication: null, copies: null, clicks: null, yes: null })
  const body = await page(path)
  for (const text of ['Noted by hand', 'What is not known', 'without a link of its own']) expect(body).toContain(text)
  expect(body).not.toContain('>0<')
  expect(await csvOf(path)).toContain('clicks,,raw,\n')
  later(7 * DAY_MS)
  await runJob()
  expect((await reportsTo(email)).map(({ text }) => text?.includes('could not be counted'))).toEqual([true])
})

test('who said yes through the link is in the report, confirmed and taken back', async () => {
  const startsAt = new Date(now.getTime() - DAY_MS).toISOString()
  const campaignId = await addOptInCampaign(server, { startsAt })
  const { id, link, path } = await ran({ target: `${server.context.config.publicUrl}/optin/${campaignId}` })
  const [ada, bea] = await server.addSubscribers(['yes1@example.org', 'yes2@example.org'])
  const said = ([subscriberId, at, undone, shortLinkId]: [string | undefined, number, boolean, string]) =>
    server.context.db
      .insertInto('opt_in')
      .values({
        ...{ newsletter_id: server.newsletterId, campaign_id: campaignId, version: 2, language: 'en' },
        ...{ id: crypto.randomUUID(), subscriber_id: subscriberId ?? null, short_link_id: shortLinkId },
        ...{ confirmed_at: new Date(now.getTime() + at), undone_at: undone ? now : null },
      })
      .execute()
  await said([ada, HOUR_MS, false, link])
  await said([bea, DAY_MS, true, link])
  await said([undefined, 6 * DAY_MS + 23 * HOUR_MS, false, link])
  await said([undefined, 7 * DAY_MS, false, link])
  await said([undefined, HOUR_MS, false, 'another'])
  const { yes } = await read(id)
  expect(yes).toEqual({
    ...{ said: 3, confirmed: 2, undone: 1 },
    days: [
      { day: 0, confirmed: 1 },
      { day: 6, confirmed: 1 },
    ],
  })
  expect(await page(path)).toContain('From click to yes')
  expect(await csvOf(path)).toContain('yes,,confirmed,2')
})

test('whatever the clicks are, the sums of a report are those of the clicks of its seven days', async () => {
  const { id, link } = await ran()
  const begun = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const click = fc.record({
    minutes: fc.integer({ min: -90, max: 8 * 24 * 60 }),
    rule: fc.constantFrom(null, null, ...exclusionRules),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(click, { minLength: 1, maxLength: 40 }), async (clicks) => {
      const { db } = server.context
      for (const table of ['link_count', 'link_current_count'] as const)
        await db.deleteFrom(table).where('short_link_id', '=', link).execute()
      await db
        .insertInto('click')
        .values(
          clicks.map(({ minutes, rule }) => ({
            ...{ newsletter_id: server.newsletterId, short_link_id: link, device: 'phone' as const },
            ...{ at: new Date(begun + minutes * 60_000), excluded_by: rule },
          })),
        )
        .execute()
      const within = clicks.filter(({ minutes }) => minutes >= 0 && minutes < 7 * 24 * 60)
      const report = (await read(id)).clicks
      const sum = (of: (hour: { raw: number; human: number }) => number) =>
        (report?.hours ?? []).reduce((total, hour) => total + of(hour), 0)
      expect([report?.raw, report?.human]).toEqual([within.length, within.filter(({ rule }) => !rule).length])
      expect([sum(({ raw }) => raw), sum(({ human }) => human)]).toEqual([report?.raw, report?.human])
      expect((report?.excluded ?? []).reduce((total, { clicks: some }) => total + some, 0)).toBe(
        (report?.raw ?? 0) - (report?.human ?? 0),
      )
    }),
    { numRuns: 15 },
  )
})

test('few readers cannot be told apart: what fewer than five have is added up', async () => {
  const { id, link } = await ran()
  const phone = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'
  const tablet = 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'
  for (const agent of [phone, phone, phone, phone, tablet]) await follow(link, agent)
  expect((await read(id)).clicks?.devices).toEqual([])
  await follow(link, phone)
  await follow(link, 'curl/8.9.1')
  expect((await read(id)).clicks?.devices).toEqual([
    { value: 'phone', raw: 5, human: 5 },
    { value: 'rest', raw: 2, human: 1 },
  ])
})

test('the country of requests is on the page and in the file, raw and by people; a report that was kept with one number shows that', async () => {
  const { id, link, path } = await ran()
  for (let reader = 1; reader <= 5; reader++) await follow(link, BROWSER, `192.0.2.${reader}`)
  await follow(link, 'curl/8.9.1', '192.0.2.9')
  await follow(link, BROWSER, '198.51.100.1')
  const row = (name: string, ...numbers: number[]) =>
    new RegExp(`<th scope="row">${name}</th>${numbers.map((n) => `<td>(?:<b>)?${n}(?:</b>)?</td>`).join('')}</tr>`)
  const live = await page(path)
  expect(live).toMatch(row('France', 6, 5))
  expect(live).toMatch(row('Others', 1, 1))
  expect(await page(path, 'fr')).toMatch(row('Autres', 1, 1))
  const csv = await csvOf(path)
  for (const line of ['country,FR,raw,6', 'country,FR,human,5', 'country,rest,raw,1', 'country,rest,human,1'])
    expect(csv).toContain(`${line}\n`)

  later(7 * DAY_MS)
  await runJob()
  const { db } = server.context
  await sql`update booking_report set figures = jsonb_set(figures, '{clicks,countries}', '[{"value": "FR", "human": 5}]')
    where booking_id = ${id}`.execute(db)
  expect(await page(path)).toMatch(row('France', 5))
  expect(await csvOf(path)).toContain('country,FR,raw,\ncountry,FR,human,5\n')
})

test('the link is a key: forged, of another purpose, newsletter or version, or before it ran, it opens the same nothing', async () => {
  const { id, path } = await ran()
  const own = new URL((await call('POST', `/bookings/${id}/link`, {})).url).pathname
  const closed = (await server.inject('/report/x?lang=en')).body
  expect(closed).toContain('This link opens nothing')
  const [, token = ''] = /^\/report\/(.+)$/.exec(path) ?? []
  const foreign = await addNewsletter(server.context.db, server.owner.userId, 'Another')
  const { signer } = server.context
  const coming = await call('POST', '/bookings', await agreedBooking())
  const comingLink = new URL((await call('POST', `/bookings/${coming.id}/report-link`, {})).url).pathname
  const tokens = [
    ...[`${token}x`, token.replace('~1.', '~2.'), own.replace('/booking/', ''), comingLink.replace('/report/', '')],
    ...[
      signer.sign('sponsor report', `${foreign}~${id}~1`),
      signer.sign('sponsor report', `${server.newsletterId}~${id}~2`),
    ],
    ...['x', '', 'x'.repeat(400), signer.sign('sponsor report', `${server.newsletterId}~x~1`)],
  ]
  for (const wrong of tokens)
    for (const address of [`/report/${wrong}?lang=en`, `/report/${wrong}/report.csv?lang=en`]) {
      const answer = await server.inject(address)
      expect([address, answer.statusCode]).toEqual([address, 404])
      if (wrong) expect(answer.body).toBe(closed)
    }
  expect((await server.inject(path)).headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' },
  })
  const renewed = new URL((await call('POST', `/bookings/${id}/report-link`, { renew: true })).url).pathname
  const statuses = await Promise.all([path, renewed, own].map(async (one) => (await server.inject(one)).statusCode))
  expect(statuses).toEqual([404, 200, 200])
  expect((await server.inject(own.replace('/booking/', '/report/'))).statusCode).toBe(404)
})

async function agreedBooking() {
  bookings += 1
  const day = new Date(now.getTime() + (1_000 + bookings) * DAY_MS).toISOString().slice(0, 10)
  await call('PUT', '/days', { day, kind: 'added' })
  return { placementId, day, sponsor: 'Coming', language: 'en', currency: 'eur', amount: 1 }
}

test('the page and the file hold what was typed as text: no markup, no formula', async () => {
  const { path } = await ran({ sponsor: '=HYPERLINK("http://x")', title: '<b>+1</b>' })
  const body = await page(path)
  expect(body).toContain('&lt;b&gt;+1&lt;/b&gt;')
  const csv = await csvOf(path)
  expect(csv).toContain(`report,,sponsor,"'=HYPERLINK(""http://x"")"`)
  const answer = await server.inject(`${path}/report.csv`)
  expect(answer.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' })
})

test('the language is the sponsor’s, and another where it is chosen', async () => {
  const { path } = await ran({ language: 'fr' })
  const asked = await server.inject({ method: 'GET', url: path, headers: { 'accept-language': 'en' } })
  expect(asked.body).toContain('<html lang="fr">')
  expect(asked.body).toContain('Bilan pour Atelier Morvan')
  expect(await page(path, 'en')).toContain('Report for Atelier Morvan')
})

test('its file is for a spreadsheet of the language of the page, and for programs without one', async () => {
  const { path } = await ran({ language: 'fr' })
  const address = /href="([^"]*report\.csv[^"]*)"/.exec(await page(path, 'fr'))?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect((await server.inject(address)).body).toMatch(/^\uFEFFpart;of;measure;value\n/)
  expect((await server.inject(`${path}/report.csv`)).body).toMatch(/^part,of,measure,value\n/)
  expect((await server.inject(`${path}/report.csv?sheet=xx`)).body).toMatch(/^part,of,measure,value\n/)
})

test('what was given back after it ran has its final report too, and stays what it is, without a mail', async () => {
  const { id, email } = await ran()
  await call('POST', `/bookings/${id}/money`, { act: 'refund' })
  later(7 * DAY_MS)
  await runJob()
  expect(await read(id)).toMatchObject({ takenAt: expect.any(String) })
  expect((await call('GET', `/bookings/${id}`)).state).toBe('refunded')
  expect(await reportsTo(email)).toEqual([])
})

test('a process that is killed before it ends has reported nothing', async () => {
  const { id } = await ran()
  later(7 * DAY_MS)
  await sql`select graphile_worker.add_job('report_bookings')`.execute(server.context.db)
  // The mail, which comes last, cannot be queued: nothing of what comes before it may stay.
  await sql`alter function graphile_worker.add_job rename to add_job_away`.execute(server.context.db)
  await server.work()
  await sql`alter function graphile_worker.add_job_away rename to add_job`.execute(server.context.db)
  expect((await call('GET', `/bookings/${id}`)).state).toBe('ran')
  expect(await read(id)).toMatchObject({ takenAt: null })
  await runJob()
  expect(await read(id)).toMatchObject({ takenAt: expect.any(String) })
})

test('a report says so where the newsletter stopped counting clicks within its days, and goes on saying so', async () => {
  const { id, link, path, email } = await ran()
  await follow(link)
  expect([(await read(id)).clicks?.interrupted, await page(path)]).toEqual([
    false,
    expect.not.stringContaining('did not count clicks'),
  ])
  await server.owner.call('PATCH', server.path, { clickPrivacy: 'off' })
  await follow(link)
  expect((await read(id)).clicks).toMatchObject({ raw: 1, interrupted: true })
  expect(await page(path)).toContain('did not count clicks for some of this time')
  later(8 * DAY_MS)
  await runJob()
  await server.owner.call('PATCH', server.path, { clickPrivacy: 'person' })
  await server.context.db.updateTable('newsletter').set({ clicks_since: null }).execute()
  expect((await read(id)).clicks).toMatchObject({ raw: 1, interrupted: true })
  const [mail] = await reportsTo(email)
  expect(mail?.text).toContain('did not count clicks for some of this time')
  expect(await csvOf(path)).toContain('clicks,,interrupted,true')
})

test('what ran in a slot is counted by its own link, and says whom it was hidden from', async () => {
  // Publications go out by the clock of the database.
  now = new Date()
  const words = { en: { name: 'Top', disclosure: 'Sponsor' } }
  const top = (await call('POST', '/placements', { words, place: 'top', maxWords: 20 })).id
  const day = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Paris' }).format(now)
  await call('PUT', '/days', { day, kind: 'added' })
  const agreed = { placementId: top, day, sponsor: 'Port Ledger', language: 'en', currency: 'eur', amount: 100 }
  const { id } = await call('POST', '/bookings', agreed)
  await call('POST', `/bookings/${id}/money`, { act: 'invoice' })
  const creative = { name: 'Port Ledger', text: 'Keeps accounts.', label: 'See', target: 'https://p.example/' }
  await call('PUT', `/bookings/${id}/creative`, creative)
  await call('POST', `/bookings/${id}/acts`, { act: 'approve' })
  await server.addSubscribers(['slot@example.org'])
  const slot = { type: 'sponsorSlot', attrs: { placementId: top, hideFromPaid: true } }
  const draft = await server.draft({ content: { type: 'doc', content: [paragraph('The sea leaves.'), slot] } })
  await server.send(draft.id)
  await server.work()
  now = new Date()
  const { html = '' } = await PostalMime.parse(
    relay.received.findLast(({ to }) => to.includes('slot@example.org'))?.raw ?? '',
  )
  const own = await server.context.db
    .selectFrom('booking')
    .select('short_link_id')
    .where('id', '=', id)
    .executeTakeFirst()
  expect(html).toContain(`/r/${own?.short_link_id}`)
  await follow(own?.short_link_id ?? '')
  expect(await read(id)).toMatchObject({
    publication: { title: 'Low tide' },
    copies: { accepted: expect.any(Number), hiddenFromPaid: true },
    clicks: { raw: 1, human: 1 },
  })
  const { url } = await call('POST', `/bookings/${id}/report-link`, {})
  expect(await page(new URL(url).pathname)).toContain('Readers who pay for this newsletter did not see your text')
})
