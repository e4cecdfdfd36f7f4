import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'

let server: TestApp
let owner: Session
let newsletterId: string
let path: string

beforeAll(async () => {
  server = await startTestApp({ listen: true })
  owner = await server.signUp()
})
afterAll(() => server.stop())
beforeEach(async () => {
  newsletterId = await server.createNewsletter(owner)
  path = `/api/newsletters/${newsletterId}`
})

interface Added {
  email: string
  name?: string
  status?: string
  fields?: object
}

/** In the order in which they are given. */
async function add(...added: Added[]): Promise<void> {
  for (const { email, name = null, status = 'active', fields = {} } of added)
    await sql`
      insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, source, created_at, confirmed_at,
        fields)
      values (${newsletterId}, uuidv7(), ${email}, lower(${email}), ${name}, 'fr', ${status}, 'page',
        '2026-01-02T03:04:05.060708Z', '2026-01-02T03:05:00Z', ${JSON.stringify(fields)})`.execute(server.context.db)
}

async function tag(name: string, ...emails: string[]): Promise<number> {
  const { id } = (await owner.call('POST', `${path}/tags`, { name })).json<{ id: number }>()
  await sql`insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
    select newsletter_id, ${id}, id from subscriber where newsletter_id = ${newsletterId} and email = any(${emails})`.execute(
    server.context.db,
  )
  return id
}

const csv = async (query = '') =>
  (await owner.call('GET', `${path}/subscribers.csv${query}`)).body.trimEnd().split('\n')
const lines = async (query = '') =>
  (await owner.call('GET', `${path}/subscribers.jsonl${query}`)).body
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const emails = async (query: string) => (await csv(query)).slice(1).map((line) => line.split(',')[0])

test('a file for a French spreadsheet has semicolons and decimal commas', async () => {
  await owner.call('POST', `${path}/fields`, { key: 'boats', label: 'Boats', kind: 'number' })
  await add({ email: 'ada@example.com', name: 'Zoé; +33', fields: { boats: 1.5 } })
  await tag('sea', 'ada@example.com')
  await tag('deep', 'ada@example.com')
  const file = await owner.call('GET', `${path}/subscribers.csv?sheet=fr`)
  expect(file.body).toContain(`\nada@example.com;"Zoé;' +33";fr;active;`)
  expect(file.body).toContain(';"deep;sea";1,5\n')
  const chosen = { chosen: { matching: { search: 'ada@' } } }
  expect((await owner.call('POST', `${path}/subscribers.csv?sheet=fr`, chosen)).body).toBe(file.body)
})

test('an owner gets every column of every subscriber, in the order in which they came', async () => {
  await owner.call('POST', `${path}/fields`, { key: 'city', label: 'City', kind: 'text' })
  await owner.call('POST', `${path}/fields`, { key: 'boats', label: 'Boats', kind: 'number' })
  const fields = { city: '=Brest', boats: -2 }
  await add({ email: 'Ada@example.com', name: 'Ada, “Countess”\u2028', fields }, { email: 'bea@example.com' })
  await tag('sea', 'Ada@example.com', 'bea@example.com')
  await tag('Deep; \\', 'Ada@example.com')
  await sql`update subscriber set status = 'unsubscribed', left_at = '2026-02-01T00:00:00.5Z', left_reason = 'seldom',
    paused_until = '2026-03-01T00:00:00Z', pace = 'weekly' where newsletter_id = ${newsletterId} and email = 'bea@example.com'`.execute(
    server.context.db,
  )
  expect(await csv()).toEqual([
    'email,name,language,status,source,created_at,confirmed_at,left_at,left_reason,paused_until,pace,tags,field.city,field.boats',
    `Ada@example.com,"Ada, “Countess”\u2028",fr,active,page,2026-01-02T03:04:05.060708Z,2026-01-02T03:05:00Z,,,,every,Deep\\; \\\\;sea,'=Brest,-2`,
    'bea@example.com,,fr,unsubscribed,page,2026-01-02T03:04:05.060708Z,2026-01-02T03:05:00Z,2026-02-01T00:00:00.5Z,seldom,2026-03-01T00:00:00Z,weekly,sea,,',
  ])
  const dates = { createdAt: '2026-01-02T03:04:05.060708Z', confirmedAt: '2026-01-02T03:05:00Z' }
  expect(await lines()).toEqual([
    {
      ...{ email: 'Ada@example.com', name: 'Ada, “Countess”\u2028', language: 'fr', status: 'active', source: 'page' },
      ...{
        ...dates,
        leftAt: null,
        leftReason: null,
        pausedUntil: null,
        pace: 'every',
        tags: ['Deep; \\', 'sea'],
        fields,
      },
    },
    {
      ...{ email: 'bea@example.com', name: null, language: 'fr', status: 'unsubscribed', source: 'page', ...dates },
      ...{
        leftAt: '2026-02-01T00:00:00.5Z',
        leftReason: 'seldom',
        pausedUntil: '2026-03-01T00:00:00Z',
        pace: 'weekly',
      },
      ...{ tags: ['sea'], fields: {} },
    },
  ])
  const raw = await owner.call('GET', `${path}/subscribers.jsonl`)
  expect(raw.body).not.toContain('\u2028')
  expect(raw.headers).toMatchObject({
    'content-type': 'application/jsonl; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="subscribers-${newsletterId}.jsonl"`,
  })
})

test('the file has whom the table shows', async () => {
  await add(
    { email: 'ada@brest.example' },
    { email: 'bea@brest.example', status: 'pending' },
    { email: 'cleo@x.example' },
  )
  const tagId = await tag('sea', 'ada@brest.example', 'cleo@x.example')
  const filter = { not: [{ on: 'tag', op: 'has', tag: tagId }] }
  const { id } = (await owner.call('POST', `${path}/segments`, { name: 'Land', filter })).json()
  const asked = {
    '?status=pending': ['bea@brest.example'],
    '?search=BREST': ['ada@brest.example', 'bea@brest.example'],
    [`?tagId=${tagId}`]: ['ada@brest.example', 'cleo@x.example'],
    [`?segmentId=${id}`]: ['bea@brest.example'],
    [`?tagId=${tagId}&search=brest&status=active`]: ['ada@brest.example'],
    '?search=%25_%5C%27%24%31%00': [],
  }
  for (const [query, expected] of Object.entries(asked)) {
    expect([query, await emails(query)]).toEqual([query, expected])
    const { rows } = (await owner.call('GET', `${path}/subscribers${query}`)).json()
    expect(rows.map(({ email }: { email: string }) => email)).toEqual(expected.toReversed())
  }
  const matching = { tagId, search: 'brest', status: 'active' }
  for (const [file, chosen] of [
    ['subscribers.csv', { matching }],
    ['subscribers.jsonl', { matching: { ...matching, segmentId: undefined } }],
  ] as const) {
    const { body } = await owner.call('POST', `${path}/${file}`, { chosen })
    expect(body).toContain('ada@brest.example')
    expect(body).not.toContain('bea@')
  }
  expect((await lines(`?segmentId=${id}`)).map(({ email }) => email)).toEqual(['bea@brest.example'])
  const statuses = []
  for (const query of ['?segmentId=2147483647', '?segmentId=x', '?status=gone', `?search=${'x'.repeat(201)}`])
    statuses.push((await owner.call('GET', `${path}/subscribers.csv${query}`)).statusCode)
  expect(statuses).toEqual([404, 422, 422, 422])
})

describe('those who are selected one by one', () => {
  /** The shown ids of 1,000 subscribers, newest first. */
  async function thousand(): Promise<string[]> {
    await sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status)
      select ${newsletterId}, uuidv7(), i || '@example.com', i || '@example.com', 'en', 'pending'
      from generate_series(1, 1001) i`.execute(server.context.db)
    const { db, shownIds } = server.context
    const query = db.selectFrom('subscriber').select('id').where('newsletter_id', '=', newsletterId)
    return (await query.orderBy('id', 'desc').limit(1_000).execute()).map(({ id }) => shownIds.show(id))
  }
  const post = (headers: Record<string, string>, payload: string, file = 'subscribers.csv') =>
    server.inject({ method: 'POST', url: `${path}/${file}`, headers: { cookie: owner.cookie, ...headers }, payload })
  const form = (chosen: unknown) => new URLSearchParams({ chosen: JSON.stringify(chosen) }).toString()
  const ours = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://tirage.test' }

  test('are exported by the form of a page, as many as an act may name', async () => {
    const ids = await thousand()
    const answer = await post(ours, form({ ids }))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="subscribers-${newsletterId}.csv"`,
    })
    const rows = answer.body.trimEnd().split('\n')
    expect([rows.length, rows[1]?.split(',')[0], rows.at(-1)?.split(',')[0]]).toEqual([
      1_001,
      '2@example.com',
      '1001@example.com',
    ])
    const few = await owner.call('POST', `${path}/subscribers.jsonl`, { chosen: { ids: [ids[1], ids[0], ids[1]] } })
    expect(few.body.split('\n').map((line) => line && JSON.parse(line).email)).toEqual([
      '1000@example.com',
      '1001@example.com',
      '',
    ])
    expect(
      (await owner.call('POST', `${path}/subscribers.csv`, { chosen: { ids: [...ids, ids[0]] } })).statusCode,
    ).toBe(422)
    const { rows: audit } = (await owner.call('GET', `${path}/audit?kind=subscribers`)).json()
    expect(audit[1].detail).toEqual({ format: 'csv', whole: false, subscribers: 1_000 })
  })

  test('are for nobody whom another site sends, and for owners alone', async () => {
    const [id = ''] = await thousand()
    const everybody = form({ matching: {} })
    const foreign = { ...ours, origin: 'https://evil.example' }
    const analyst = await server.asMember(newsletterId, 'analyst')
    const other = await server.createNewsletter(owner)
    const statuses = [
      await post(foreign, everybody),
      await post({ ...ours, origin: 'null' }, everybody),
      await post({ 'content-type': ours['content-type'], 'sec-fetch-site': 'cross-site' }, everybody),
      await post({ ...ours, cookie: analyst.cookie }, everybody),
      await post({ ...ours, cookie: '' }, everybody),
    ].map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([403, 403, 403, 403, 401])
    const ofOther = await owner.call('POST', `/api/newsletters/${other}/subscribers.jsonl`, { chosen: { ids: [id] } })
    expect([ofOther.statusCode, ofOther.body]).toEqual([200, ''])
  })

  test.each([
    ['nothing', {}],
    ['no ids', { chosen: { ids: [] } }],
    ['an id of no kind', { chosen: { ids: ['x'] } }],
    ['both', { chosen: { ids: ['0'.repeat(32)], matching: {} } }],
    ['an unknown filter', { chosen: { matching: { colour: 'red' } } }],
    ['a text that is not JSON', { chosen: '{' }],
    ['JSON of another shape', { chosen: '[]' }],
    ['JSON in JSON', { chosen: JSON.stringify(JSON.stringify({ matching: {} })) }],
  ])('are refused when they are %s', async (_what, body) => {
    expect((await owner.call('POST', `${path}/subscribers.csv`, body)).statusCode).toBe(422)
  })

  test('are refused when their segment is not there', async () => {
    const answer = await owner.call('POST', `${path}/subscribers.csv`, { chosen: { matching: { segmentId: 77_777 } } })
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'segment_not_found'])
  })
})

test('only owners export, and the audit says what, without the words of a search', async () => {
  await csv('?search=ada%40example.com&status=active')
  await lines()
  const editor = await server.asMember(newsletterId, 'editor')
  for (const file of ['subscribers.csv', 'subscribers.jsonl'])
    expect((await editor.call('GET', `${path}/${file}`)).statusCode).toBe(403)
  const { rows } = (await owner.call('GET', `${path}/audit?kind=subscribers`)).json()
  expect(rows.map(({ act, detail }: { act: string; detail: object }) => [act, detail])).toEqual([
    ['subscribers_exported', { format: 'jsonl', whole: true }],
    ['subscribers_exported', { format: 'csv', whole: false, status: 'active' }],
  ])
})

/** 2,000, of more bytes than the buffers between the database and whoever reads. */
async function addMany(): Promise<void> {
  await sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status, fields)
    select ${newsletterId}, uuidv7(), i || '@example.com', i || '@example.com', 'en', 'pending',
      jsonb_build_object('note', repeat('x', 20000)) from generate_series(1, 2000) i`.execute(server.context.db)
}

test('what happens during an export is not in it', async () => {
  await addMany()
  const answer = await fetch(`${server.url}${path}/subscribers.jsonl`, { headers: { cookie: owner.cookie } })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader?.read())?.value ?? ''
  const { db } = server.context
  await sql`update subscriber set fields = '{}' where newsletter_id = ${newsletterId}`.execute(db)
  await sql`delete from subscriber where newsletter_id = ${newsletterId} and email_normalised like '7%'`.execute(db)
  await add({ email: 'late@example.com' })
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) text += piece.value
  const read = text.trimEnd().split('\n')
  expect(read).toHaveLength(2_000)
  expect(read.filter((line) => !line.includes('xxx'))).toEqual([])
})

test('a client that goes away ends its query, even before the first row', async () => {
  const { context } = server
  const copies = async () => {
    const { rows } = await sql`select from pg_stat_activity where query like 'copy (select%' and state = 'active'
      and datname = current_database()`.execute(context.db)
    return rows.length
  }
  await addMany()
  for (const isLocked of [true, false]) {
    const lock = await context.pool.connect()
    await lock.query(isLocked ? 'begin; lock table subscriber in access exclusive mode' : 'begin')
    const leave = new AbortController()
    const answer = fetch(`${server.url}${path}/subscribers.jsonl`, {
      headers: { cookie: owner.cookie },
      signal: leave.signal,
    })
    await vi.waitUntil(async () => (await copies()) === 1, { timeout: 10_000 })
    if (!isLocked) await (await answer).body?.getReader().read()
    leave.abort()
    await answer.catch(() => {})
    await vi.waitUntil(async () => (await copies()) === 0, { timeout: 10_000 })
    await lock.query('rollback')
    lock.release()
  }
})
