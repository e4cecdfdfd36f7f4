import { get } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { addPublication } from '../testing/publication.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

interface Row {
  email: string
  state: string
  answer?: string | null
  openedAt?: string
}

let publications = 0

/** A publication whose deliveries are already in these states, in the order of their subscribers. */
async function sending(
  rows: Row[],
  state: 'sending' | 'sent' | 'cancelled' = 'sending',
): Promise<{ id: string; path: string }> {
  const { db } = room.context
  const id = `sending${++publications}`
  const startedAt = new Date(Date.now() - 10_000)
  await addPublication(db, { newsletterId: room.newsletterId, id, state, startedAt })
  await sql`insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, answer, due_at)
    select ${room.newsletterId}, ${id}, ${id}, ('01900000-0000-7000-8000-' || lpad(place::text, 12, '0'))::uuid, email,
      case state when 'claimed' then 'queued' else state end, answer, case when state = 'deferred' then now() + place * interval '1 minute' end
    from jsonb_to_recordset(${JSON.stringify(rows.map((row, place) => ({ ...row, place })))}::jsonb)
      r (email text, state text, answer text, place integer)`.execute(db)
  const claimed = rows.flatMap(({ state }, place) =>
    state === 'claimed' ? [`01900000-0000-7000-8000-${String(place).padStart(12, '0')}`] : [],
  )
  if (claimed.length > 0)
    await sql`insert into delivery_claim (newsletter_id, publication_id, sending_id, worker, subscriber_ids, lease_ends_at)
      values (${room.newsletterId}, ${id}, ${id}, 'a worker', ${claimed}, now() + interval '1 minute')`.execute(db)
  return { id, path: `${room.path}/publications/${id}` }
}

const list = async (path: string, query: string) => {
  const answer = await room.owner.call('GET', `${path}/deliveries?${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ rows: { email: string; state: string; dueAt: string | null }[]; next: string | null }>()
}
const emails = (page: { rows: { email: string }[] }) => page.rows.map(({ email }) => email)

const some: Row[] = [
  { email: 'Ada@Example.org', state: 'accepted' },
  { email: 'bob@example.org', state: 'failed', answer: '550 5.1.1 no such user' },
  { email: 'cleo@other.test', state: 'failed', answer: '552 5.2.2 full' },
  { email: 'dora@other.test', state: 'deferred', answer: '451 4.7.1 later' },
  { email: 'eve@example.org', state: 'claimed' },
  { email: 'fay@example.org', state: 'queued' },
  { email: 'gus@example.org', state: 'queued' },
]

test.each([
  ['', some.map(({ email }) => email)],
  ['state=failed', ['bob@example.org', 'cleo@other.test']],
  ['state=waiting', ['gus@example.org', 'fay@example.org', 'eve@example.org']],
  ['state=claimed', ['eve@example.org']],
  ['state=uncertain', []],
  ['search=OTHER.test', ['cleo@other.test', 'dora@other.test']],
  ['search=other.test&state=failed', ['cleo@other.test']],
  ['search=ada@ex', ['Ada@Example.org']],
  ['search=%25', []],
  ['search=%00bob', ['bob@example.org']],
])('deliveries asked for by “%s”, whole and two by two', async (query, expected) => {
  const { path } = await sending(some)
  expect(emails(await list(path, query))).toEqual(expected)
  const found: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page = await list(path, `${query}&limit=2${next && `&cursor=${next}`}`)
    found.push(...emails(page))
    next = page.next
  }
  expect(found).toEqual(expected)
})

test('a whole address finds one delivery, even when other addresses contain it', async () => {
  const [id] = await room.addSubscribers(['ann@example.org'])
  const { id: publication, path } = await sending([{ email: 'joann@example.org', state: 'accepted' }])
  await room.context.db
    .insertInto('delivery')
    .values({
      newsletter_id: room.newsletterId,
      publication_id: publication,
      sending_id: publication,
      subscriber_id: id ?? '',
      email: 'ann@example.org',
    })
    .execute()
  expect(emails(await list(path, 'search=Ann@example.org'))).toEqual(['ann@example.org'])
  expect(emails(await list(path, 'search=ann'))).toEqual(['joann@example.org', 'ann@example.org'])
  expect(emails(await list(path, 'search=nobody@example.org'))).toEqual([])
  const csv = await room.owner.call('GET', `${path}/deliveries.csv?search=Ann@example.org`)
  expect(csv.body.trim().split('\n')).toHaveLength(2)
})

test.each(['state=lost', 'limit=0', 'limit=1000', `search=${'x'.repeat(201)}`])('“%s” is refused', async (query) => {
  const { path } = await sending(some)
  expect((await room.owner.call('GET', `${path}/deliveries?${query}`)).statusCode).toBe(422)
})

test('pages of rare states, and pages at the start and end of a sending, do not read the other deliveries', async () => {
  const { id } = await sending(some)
  const { db } = room.context
  await sql`insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state)
    select ${room.newsletterId}, ${id}, ${id}, ('01910000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@example.org',
      case when n % 1000 = 0 then 'failed' when n < 19000 then 'accepted' else 'queued' end
    from generate_series(1, 20000) n`.execute(db)
  await sql`analyze delivery`.execute(db)
  const read = async (condition: string, order: string) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, costs off) select * from delivery
      where newsletter_id = ${sql.lit(room.newsletterId)} and publication_id = ${sql.lit(id)} and ${sql.raw(condition)}
      order by subscriber_id ${sql.raw(order)} limit 51`.execute(db)
    const text = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).not.toContain('Seq Scan')
    return [...text.matchAll(/Removed by Filter: (\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0)
  }
  expect(await read(`trouble = 'failed'`, 'asc')).toBe(0)
  expect(await read(`trouble = 'uncertain'`, 'asc')).toBe(0)
  expect(await read(`state = 'queued'`, 'desc')).toBeLessThan(20)
  expect(await read(`state = 'accepted'`, 'asc')).toBeLessThan(20)
})

test('progress contains the rate, the time left and the deferred deliveries', async () => {
  const { id, path } = await sending([
    ...Array.from({ length: 200 }, (_, n) => ({ email: `${n}@example.org`, state: 'queued' })),
    { email: 'later@example.org', state: 'deferred' },
  ])
  const { db } = room.context
  const progress = async () => (await room.owner.call('GET', `${path}/result`)).json().progress
  expect(await progress()).toMatchObject({ perSecond: null, secondsLeft: null, later: { count: 1 }, held: null })

  const accept = (n: number) =>
    sql`update delivery set state = 'accepted' where publication_id = ${id} and subscriber_id in (
      select subscriber_id from delivery where publication_id = ${id} and state = 'queued' limit ${n})`.execute(db)
  await accept(50)
  // As if twenty seconds had passed since the first answer.
  await sql`update delivery_count set sampled_at = array[clock_timestamp() - interval '20 seconds']
    where sending_id = ${id}`.execute(db)
  await accept(50)
  const running = await progress()
  expect(running.perSecond).toBeCloseTo(5, 0)
  expect(running.averagePerSecond).toBeGreaterThan(4)
  expect(running.secondsLeft).toBeGreaterThanOrEqual(19)
  expect(running.secondsLeft).toBeLessThanOrEqual(22)

  expect((await room.owner.call('POST', `${path}/pause`)).statusCode).toBe(200)
  expect(await progress()).toMatchObject({ perSecond: null, secondsLeft: null })
  expect((await room.owner.call('POST', `${path}/resume`)).statusCode).toBe(200)
  expect(await progress()).toMatchObject({ perSecond: null, secondsLeft: null })
})

test('a relay at its limit is the reason why nothing is sent, and its limit gives the time left', async () => {
  const server = await startTestNewsletter({ PRIVATE_RELAYS: 'true' })
  try {
    const way = { kind: 'smtp', host: '127.0.0.1', port: 2525, security: 'none', username: null }
    const made = await server.owner.call('POST', `${server.path}/relays`, { name: 'Slow', way, perHour: 60 })
    expect(made.statusCode).toBe(200)
    const { db } = server.context
    await addPublication(db, { newsletterId: server.newsletterId, id: 'hourly', state: 'sending' })
    await sql`insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email)
      select ${server.newsletterId}, 'hourly', 'hourly', gen_random_uuid(), n || '@example.org' from generate_series(1, 200) n`.execute(
      db,
    )
    await sql`update delivery set state = 'accepted'
      where subscriber_id in (select subscriber_id from delivery limit 20)`.execute(db)
    const result = `${server.path}/publications/hourly/result`
    const progress = async () => (await server.owner.call('GET', result)).json().progress
    // A tenth of the limit is kept for mails that people wait for. 180 are left: 54 now, and 54 an hour for the 126 after that.
    expect(await progress()).toMatchObject({ held: null, secondsLeft: 8_400 })

    const now = Date.now()
    const used = JSON.stringify([[now + 1_000, 60]])
    await sql`insert into relay_usage (relay_id, used) values (${made.json().id}, ${used}::jsonb)`.execute(db)
    const full = await progress()
    expect(full).toMatchObject({ secondsLeft: null, held: { reason: 'limit' } })
    expect(Date.parse(full.held.until)).toBeGreaterThan(now + 3_500_000)

    await sql`update relay set resting_until = now() + interval '2 minutes', failures = 1`.execute(db)
    server.context.relays.forget()
    expect((await progress()).held).toMatchObject({ reason: 'resting' })
  } finally {
    await server.stop()
  }
})

test('opens are counted with the deliveries, each person once', async () => {
  const people = ['ada@example.org', 'bob@example.org'].map((email) => ({ email, state: 'accepted' as const }))
  const { id, path } = await sending(people, 'sent')
  const open = (person: number) =>
    room.stranger('GET', `/o/${room.newsletterId}/${id}/01900000-0000-7000-8000-00000000000${person}.gif`)
  const opens = async () => (await room.owner.call('GET', `${path}/result`)).json().opens
  await Promise.all([open(0), open(0)])
  await expect.poll(opens).toBe(1)
  // Openings are stored in their order: when the other person's is counted, the repeated one has been ignored.
  await open(0)
  await open(1)
  await expect.poll(opens).toBeGreaterThan(1)
  expect(await opens()).toBe(2)
})

test('deliveries are exported as CSV that a spreadsheet reads and does not execute', async () => {
  const ugly = [
    { email: '=cmd|calc!A1@example.org', state: 'failed', answer: '550 "quoted", and\r\nbroken' },
    { email: '+1@example.org', state: 'failed', answer: '\t=1+1' },
    { email: 'é,“x”@exämple.org', state: 'failed', answer: '@SUM(1)' },
    { email: 'ok@example.org', state: 'accepted', answer: '250 ok' },
  ]
  const { path, id } = await sending(ugly)
  const answer = await room.owner.call('GET', `${path}/deliveries.csv?state=failed`)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="deliveries-${id}.csv"`,
    'cache-control': 'no-store',
  })
  const [head, ...rows] = answer.body.split('\n')
  expect(head).toBe('subscriber_id,email,state,attempts,changed_at,due_at,opened_at,answer,feedback,feedback_words')
  const body = rows.join('\n')
  expect(body).toContain(",'=cmd|calc!A1@example.org,")
  expect(body).toContain('"550 ""quoted"", and\r\nbroken"')
  expect(body).toContain(",'+1@example.org,")
  expect(body).toContain(",'\t=1+1,,\n")
  expect(body).toContain('"é,“x”@exämple.org"')
  expect(body).toContain(",'@SUM(1),,\n")
  expect(body).not.toContain('ok@example.org')
  const searched = await room.owner.call('GET', `${path}/deliveries.csv?search=${encodeURIComponent("o'k\\@%\0")}`)
  expect(searched.body.trim().split('\n')).toHaveLength(1)
})

test('fifty thousand deliveries are exported as a stream, and a client that disconnects leaves no connection open', async () => {
  const { id, path } = await sending([])
  const { db, pool } = room.context
  await sql`insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, answer)
    select ${room.newsletterId}, ${id}, ${id}, ('01910000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@example.org',
      'failed', repeat('no', 100) from generate_series(1, 50000) n`.execute(db)
  const whole = await room.owner.call('GET', `${path}/deliveries.csv`)
  expect(whole.body.trimEnd().split('\n')).toHaveLength(50_001)

  const busy = () => pool.totalCount - pool.idleCount
  const before = busy()
  const url = await room.app.listen({ host: '127.0.0.1', port: 0 })
  await new Promise<void>((resolve, reject) => {
    const request = get(`${url}${path}/deliveries.csv`, { headers: { cookie: room.owner.cookie } }, (answer) => {
      answer.once('data', () => request.destroy())
      answer.once('close', resolve)
    })
    request.once('error', reject)
  })
  await expect.poll(busy).toBe(before)
})

test('uncertain deliveries are decided one by one, or all at once', async () => {
  const uncertain = ['a', 'b', 'c', 'd'].map((name) => ({ email: `${name}@example.org`, state: 'uncertain' }))
  const { id, path } = await sending(uncertain, 'sent')
  const ids = (await list(path, 'state=uncertain')).rows.map(
    (row) => (row as unknown as { subscriberId: string }).subscriberId,
  )
  const decide = (body: object) => room.owner.call('POST', `${path}/deliveries/uncertain`, body)
  expect((await decide({ act: 'close', subscriberIds: [ids[0], ids[1]] })).json()).toEqual({ decided: 2 })
  expect(await room.counts(id)).toMatchObject({ failed: 2, uncertain: 2 })
  expect((await decide({ act: 'close', subscriberIds: [ids[0]] })).json()).toEqual({ decided: 0 })
  expect((await decide({ act: 'resend', subscriberIds: [ids[2]] })).json()).toEqual({ decided: 1 })
  expect(await room.counts(id)).toMatchObject({ queued: 1, uncertain: 1 })
  expect(await room.state(id)).toMatchObject({ status: 'sending' })
  expect((await decide({ act: 'close' })).json()).toEqual({ decided: 1 })

  expect((await decide({ act: 'close', subscriberIds: ['nobody'] })).statusCode).toBe(422)
  expect((await decide({ act: 'close', subscriberIds: [] })).statusCode).toBe(422)
  const many = Array.from({ length: 1_001 }, () => ids[0])
  expect((await decide({ act: 'close', subscriberIds: many })).statusCode).toBe(422)
  expect((await decide({ act: 'forget' })).statusCode).toBe(422)
})

test('a bounce after acceptance is shown with its delivery', async () => {
  const { id, path } = await sending([
    { email: 'ada@example.org', state: 'accepted', answer: '250 ok' },
    { email: 'bob@example.org', state: 'accepted', answer: '250 ok' },
  ])
  const subscriber = '01900000-0000-7000-8000-000000000001'
  const came = (kind: 'hard' | 'soft' | 'complaint', words: string, day: number) =>
    room.context.db
      .insertInto('feedback')
      .values({
        newsletter_id: room.newsletterId,
        id: `01900000-0000-7000-8000-00000000000${day}`,
        at: new Date(2026, 1, day),
        publication_id: id,
        subscriber_id: subscriber,
        kind,
        source: 'dsn',
        words,
      })
      .execute()
  await came('soft', '452 4.2.2 full', 1)
  await came('complaint', '=spam', 2)
  const page = await list(path, 'state=returned')
  expect(emails(page)).toEqual(['bob@example.org'])
  expect(page).toMatchObject({ returned: 1, rows: [{ feedback: { kind: 'complaint', words: '=spam' } }] })
  expect(await list(path, '')).toMatchObject({ rows: [{ feedback: null }, { feedback: { kind: 'complaint' } }] })
  const csv = await room.owner.call('GET', `${path}/deliveries.csv?state=returned`)
  expect(csv.body.trim().split('\n')).toHaveLength(2)
  expect(csv.body).toContain(",250 ok,complaint,'=spam")
})

test('an analyst reads and exports, and decides nothing; members of another newsletter see nothing', async () => {
  const { id, path } = await sending([{ email: 'ada@example.org', state: 'uncertain' }], 'sent')
  const analyst = await room.asMember(room.newsletterId, 'analyst')
  expect((await analyst.call('GET', `${path}/deliveries`)).statusCode).toBe(200)
  expect((await analyst.call('GET', `${path}/deliveries.csv`)).statusCode).toBe(200)
  expect((await analyst.call('POST', `${path}/deliveries/uncertain`, { act: 'close' })).statusCode).toBe(403)

  const stranger = await room.signUp()
  const theirs = `/api/newsletters/${await room.createNewsletter(stranger)}/publications/${id}`
  for (const address of [`${theirs}/deliveries`, `${theirs}/deliveries.csv`]) {
    expect((await stranger.call('GET', address)).json().error.code).toBe('publication_not_found')
  }
  const decided = await stranger.call('POST', `${theirs}/deliveries/uncertain`, { act: 'close' })
  expect(decided.json().error.code).toBe('publication_not_found')
  expect((await stranger.call('GET', `${path}/deliveries.csv`)).statusCode).toBe(404)
  expect(await room.counts(id)).toMatchObject({ uncertain: 1 })
})
