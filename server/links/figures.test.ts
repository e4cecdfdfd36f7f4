import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countryDatabase } from '../testing/country-database.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { exclusionRules } from './human.ts'
import { moveCountsOfPastHours } from './store-clicks.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'

let server: TestNewsletter
let api: string
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tirage-networks-'))
  const list = join(folder, 'networks.txt')
  const countries = join(folder, 'countries.mmdb')
  writeFileSync(countries, countryDatabase([192, 0, 2], { country: { iso_code: 'FR' } }))
  writeFileSync(list, '# clouds\n203.0.113.0/24 # one\n2001:db8:1::/48\n\n198.51.100.7\n')
  server = await startTestNewsletter({ DATA_CENTRE_NETWORKS: list, COUNTRY_DATABASE: countries, TRUST_PROXY: 'true' })
  api = `${server.path}/links`
})
afterAll(() => server?.stop())

interface Made {
  id: string
  url: string
  target: string
  clicks: { raw: number; human: number; people: number }
  disabledAt: string | null
}

const make = async (values: Record<string, unknown> = {}): Promise<Made> =>
  (await server.owner.call('POST', api, { target: 'https://example.org/a', ...values })).json()
const follow = (id: string, headers: Record<string, string> = {}, query = '') =>
  server.inject({ method: 'GET', url: `/r/${id}${query}`, headers: { 'user-agent': BROWSER, ...headers } })
const figures = async (id: string, query = '') => (await server.owner.call('GET', `${api}/${id}${query}`)).json()

test('a link has its clicks by hour, rule, device and referrer, as they were written', async () => {
  const { id } = await make({ name: 'The poster' })
  await follow(id, { referer: 'https://www.example.com/page?private=1' })
  await follow(id, { 'user-agent': PHONE })
  await follow(id, { 'user-agent': 'curl/8.9.1' })
  await follow(id, { 'x-forwarded-for': '203.0.113.9' })
  await follow(id, { 'x-forwarded-for': '2001:db8:1:2::1' })
  await follow(id, { 'x-forwarded-for': '198.51.100.8' })
  const answer = await figures(id, '?by=hour')
  expect(answer).toMatchObject({
    link: { name: 'The poster', clicks: { raw: 6, human: 3, people: 0 } },
    publication: null,
    inRange: { raw: 6, human: 3 },
    excluded: [
      { rule: 'data-centre', clicks: 2 },
      { rule: 'bot', clicks: 1 },
    ],
    devices: [
      { value: 'desktop', raw: 4, human: 2 },
      { value: 'phone', raw: 1, human: 1 },
      { value: 'other', raw: 1, human: 0 },
    ],
    referrers: [
      { value: '', raw: 5, human: 2 },
      { value: 'example.com', raw: 1, human: 1 },
    ],
    countries: [{ value: '', raw: 6, human: 3 }],
    countriesKnown: true,
  })
  expect(answer.points.reduce((sum: number, { raw }: { raw: number }) => sum + raw, 0)).toBe(6)
  const csv = await server.owner.call('GET', `${api}/${id}/clicks.csv`)
  expect(csv.body).toMatch(/^day,raw,human,bot,data-centre\n\d{4}-\d\d-\d\d,6,3,1,2\n$/)
})

test('the country of a request is that of its click, in the figures and in the file of where clicks came from', async () => {
  const { id } = await make()
  const from = (address: string, headers: Record<string, string> = {}) =>
    follow(id, { 'x-forwarded-for': address, ...headers })
  await from('192.0.2.7')
  await from('192.0.2.8', { 'user-agent': 'curl/8.9.1', referer: 'https://www.example.com/' })
  await from('198.51.100.8', { 'user-agent': PHONE })
  expect((await figures(id)).countries).toEqual([
    { value: 'FR', raw: 2, human: 1 },
    { value: '', raw: 1, human: 1 },
  ])
  const { headers, body } = await server.owner.call('GET', `${api}/${id}/sources.csv`)
  expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' })
  expect(body.split('\n').toSorted()).toEqual(
    [
      ...['', 'of,value,raw,human', 'country,FR,2,1', 'country,,1,1'],
      ...['device,desktop,1,1', 'device,phone,1,1', 'device,other,1,0'],
      ...['referrer,,2,2', 'referrer,example.com,1,0'],
    ].toSorted(),
  )
  expect((await server.owner.call('GET', `${api}/nothing/sources.csv`)).statusCode).toBe(404)
})

test('UTM values of a link are put in place of those it has, and taken away, and the audit says where it leads', async () => {
  const { id } = await make({
    target: 'https://example.org/?q=a%20b&flag#x',
    utm: { source: 'poster', medium: 'print' },
  })
  const change = async (values: object) => (await server.owner.call('PATCH', `${api}/${id}`, values)).json()
  const target = async (values: object) => (await change(values)).target
  expect(await target({ utm: { source: 'radio' } })).toBe('https://example.org/?q=a%20b&flag&utm_source=radio#x')
  expect(await target({ name: 'Radio' })).toBe('https://example.org/?q=a%20b&flag&utm_source=radio#x')
  expect(await target({ target: 'https://example.org/b', utm: { source: 'radio' } })).toBe(
    'https://example.org/b?utm_source=radio',
  )
  expect((await follow(id)).headers.location).toBe('https://example.org/b?utm_source=radio')
  expect(await target({ utm: null })).toBe('https://example.org/b')
  expect((await follow(id)).headers.location).toBe('https://example.org/b')
  const { rows } = (await server.owner.call('GET', `${server.path}/audit`)).json()
  expect(rows[0]).toMatchObject({ act: 'link_changed', detail: { linkId: id, target: 'https://example.org/b' } })
})

test('a link is not made after its end', async () => {
  const past = new Date(Date.now() - 1000).toISOString()
  const refused = await server.owner.call('POST', api, { target: 'https://example.org/a', expiresAt: past })
  expect(refused.statusCode).toBe(422)
  expect(refused.json().error.fields).toEqual({ expiresAt: expect.stringContaining('This day is over') })
})

test('an own address, UTM values, an end that leads on, and disabling', async () => {
  const utm = { source: 'poster', medium: 'print', campaign: 'été & mer' }
  const { id, url, target } = await make({ slug: 'affiche', target: 'https://example.org/?utm_source=old&x=1#a', utm })
  expect(url).toBe(`${server.context.config.publicUrl}/r/affiche`)
  expect(target).toBe(
    'https://example.org/?utm_source=poster&x=1&utm_medium=print&utm_campaign=%C3%A9t%C3%A9+%26+mer#a',
  )
  const change = (values: object) => server.owner.call('PATCH', `${api}/${id}`, values)
  await change({ disabled: true })
  expect((await follow(id)).statusCode).toBe(410)
  await change({ fallback: 'https://example.org/over' })
  expect((await follow(id)).headers.location).toBe('https://example.org/over')
  await change({ disabled: false, expiresAt: new Date(Date.now() - 1000).toISOString() })
  expect((await follow(id)).headers.location).toBe('https://example.org/over')
  await change({ expiresAt: null, target: 'https://example.org/b' })
  expect((await follow(id)).headers.location).toBe('https://example.org/b')
  expect((await figures(id)).link.clicks.raw).toBe(4)
})

test('wrong values are refused and change nothing', async () => {
  const { id } = await make()
  for (const values of [
    { target: 'javascript:alert(1)' },
    { fallback: 'ftp://x' },
    { name: 'a\nb' },
    { disabled: 'yes' },
  ])
    expect((await server.owner.call('PATCH', `${api}/${id}`, values)).statusCode).toBe(422)
  for (const query of ['?from=2026-02-01&to=2026-01-01', '?from=1990-01-01', '?by=hour&from=2026-01-01', '?from=x'])
    expect((await server.owner.call('GET', `${api}/${id}${query}`)).statusCode).toBe(422)
  expect((await server.owner.call('GET', `${api}/nothing`)).statusCode).toBe(404)
  expect((await server.owner.call('PATCH', `${api}/nothing`, { name: 'x' })).statusCode).toBe(404)
})

test('a QR code is an SVG or a PNG of the asked size', async () => {
  const { id } = await make()
  const svg = await server.owner.call('GET', `${api}/${id}/qr`)
  expect([svg.headers['content-type'], svg.body]).toEqual(['image/svg+xml', expect.stringContaining('<svg')])
  const png = await server.owner.call('GET', `${api}/${id}/qr?format=png&pixels=400`)
  expect(png.headers['content-type']).toBe('image/png')
  expect(png.rawPayload.readUInt32BE(16)).toBe(400)
  expect((await server.owner.call('GET', `${api}/${id}/qr?pixels=100000`)).statusCode).toBe(422)
})

test('UTM values are kept under a name, once', async () => {
  const path = `${server.path}/utm-templates`
  const keep = (values: object) => server.owner.call('PUT', path, values)
  const kept = (await keep({ name: 'Letter', source: 'newsletter', medium: 'email' })).json()
  await keep({ name: 'letter', source: 'newsletter', campaign: 'spring' })
  const { templates } = (await server.owner.call('GET', path)).json()
  expect(templates).toEqual([
    { id: kept.id, name: 'letter', source: 'newsletter', medium: '', campaign: 'spring', term: '', content: '' },
  ])
  const quay = (await keep({ name: 'Quay', source: 'poster' })).json()
  const change = (id: number, values: object) => server.owner.call('PUT', `${path}/${id}`, values)
  expect((await change(kept.id, { name: 'Radio', source: 'radio' })).json()).toEqual({
    ...{ id: kept.id, name: 'Radio', source: 'radio', medium: '', campaign: '', term: '', content: '' },
  })
  const taken = await change(quay.id, { name: 'radio', source: 'poster' })
  expect([taken.statusCode, taken.json().error.code]).toEqual([409, 'utm_name_taken'])
  expect((await change(quay.id, { name: 'quay', source: 'poster' })).json().name).toBe('quay')
  expect((await change(quay.id + 100, { name: 'New', source: 'x' })).statusCode).toBe(404)
  expect((await server.owner.call('DELETE', `${path}/${kept.id}`)).statusCode).toBe(200)
  expect((await server.owner.call('DELETE', `${path}/${kept.id}`)).statusCode).toBe(404)
})

/** What the counted tables say, and what clicks say when they are counted one by one. */
async function counted() {
  const { db } = server.context
  const { rows } = await sql<{ counted: object; clicks: object }>`
    select jsonb_build_object(
      'people', (select jsonb_agg(r order by r.*) from (select short_link_id, people from link_people where people <> 0) r),
      'hours', (select jsonb_agg(r order by r.*) from (select short_link_id, hour, rule, sum(clicks) from link_clicks_by_hour group by 1, 2, 3 having sum(clicks) <> 0) r),
      'sources', (select jsonb_agg(r order by r.*) from (select short_link_id, device, referrer, country, sum(raw) as raw, sum(human) as human
        from link_clicks_by_source group by 1, 2, 3, 4 having sum(raw) <> 0) r),
      'publications', (select jsonb_agg(r order by r.*) from (select publication_id, sum(raw) as raw, sum(human) as human, sum(people) as people
        from publication_result group by 1 having sum(raw) <> 0) r)
    ) as counted, jsonb_build_object(
      'people', (select jsonb_agg(r order by r.*) from (select short_link_id, count(distinct subscriber_id) as people
        from click where excluded_by is null and subscriber_id is not null group by 1) r),
      'hours', (select jsonb_agg(r order by r.*) from (select short_link_id, date_trunc('hour', at) as hour, coalesce(excluded_by, '') as rule, count(*) as sum
        from click group by 1, 2, 3) r),
      'sources', (select jsonb_agg(r order by r.*) from (select short_link_id, device, coalesce(referrer, '') as referrer, coalesce(country, '') as country,
        count(*) as raw, count(*) filter (where excluded_by is null) as human from click group by 1, 2, 3, 4) r),
      'publications', (select jsonb_agg(r order by r.*) from (select publication_id, count(*) as raw, count(*) filter (where excluded_by is null) as human,
        count(distinct subscriber_id) filter (where excluded_by is null) as people from click where publication_id is not null group by 1) r)
    ) as clicks`.execute(db)
  return rows[0]
}

test('whatever happens to clicks, the figures are what they are when clicks are counted one by one', async () => {
  const { db } = server.context
  const { newsletterId } = server
  const readers = await server.addSubscribers(Array.from({ length: 4 }, (_, n) => `clicker${n}@example.org`))
  const links = [await make(), await make()].map(({ id }) => id)
  const some = fc.record({
    link: fc.constantFrom(...links),
    publication: fc.constantFrom('p1', 'p2', null),
    reader: fc.constantFrom(...readers, null),
    // Before now: some are of the hour that is running.
    minutes: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constant(0)),
    rule: fc.constantFrom(...exclusionRules, null),
    device: fc.constantFrom('desktop', 'phone'),
  })
  const step = fc.oneof(
    fc.record({ add: fc.array(some, { minLength: 1, maxLength: 12 }) }),
    fc.record({ judge: fc.constantFrom(...exclusionRules, null), every: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ forget: fc.constantFrom(...readers) }),
    fc.record({ moved: fc.integer({ min: 1, max: 4 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      for (const each of steps) {
        if ('add' in each) {
          const rows = each.add.map(({ link, publication, reader, minutes, rule, device }) => ({
            newsletter_id: newsletterId,
            short_link_id: link,
            publication_id: publication,
            subscriber_id: reader,
            at: new Date(Date.now() - minutes * 60_000),
            excluded_by: rule,
            device,
          }))
          await db.insertInto('click').values(rows).execute()
        } else if ('judge' in each)
          await sql`update click set excluded_by = ${each.judge} where id % ${each.every} = 0`.execute(db)
        else if ('moved' in each) {
          const inAnHour = new Date(Date.now() + 3_600_000)
          while (await moveCountsOfPastHours(db, inAnHour, each.moved));
          expect(await db.selectFrom('link_current_count').selectAll().execute()).toEqual([])
        } else
          await db.updateTable('click').set({ subscriber_id: null }).where('subscriber_id', '=', each.forget).execute()
      }
      const is = await counted()
      expect(is?.counted).toEqual(is?.clicks)
    }),
    { numRuns: 15 },
  )
}, 60_000)

test('clicks that come, change and are moved at the same time are each counted once', async () => {
  const { db } = server.context
  const links = (await Promise.all(Array.from({ length: 6 }, make))).map(({ id }) => id)
  const inAnHour = new Date(Date.now() + 3_600_000)
  const come = async (connection: number) => {
    for (let turn = 0; turn < 12; turn++) {
      // In another order each time, of this hour and of one that is over.
      const rows = links.map((_, i) => ({
        newsletter_id: server.newsletterId,
        short_link_id: links[(i * 5 + turn + connection) % links.length] ?? '',
        at: new Date(Date.now() - (i % 2) * 7_200_000),
        device: 'phone',
      }))
      await db.insertInto('click').values(rows).execute()
    }
  }
  const move = async () => {
    for (let turn = 0; turn < 20; turn++) await moveCountsOfPastHours(db, inAnHour, 3)
  }
  const judge = async () => {
    for (let turn = 0; turn < 12; turn++)
      await sql`update click set excluded_by = ${turn % 2 ? 'bot' : null} where short_link_id = ${links[turn % 6]}`.execute(
        db,
      )
  }
  await Promise.all([come(0), come(1), come(2), judge(), move(), move()])
  const is = await counted()
  expect(is?.counted).toEqual(is?.clicks)
})
