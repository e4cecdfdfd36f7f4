import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayIn } from '../charge/figures/range.ts'
import { uuidv7 } from '../database/ids.ts'
import { confirmToken } from '../subscribers/confirm.ts'
import { tellKnownHistory } from '../testing/known-sales.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { sent } from '../testing/newsletter-history.ts'
import { countWaitingClicks } from '../testing/waiting-clicks.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
  // In Paris the last one joins on 10 May, after midnight.
  await joined('2026-04-20T10:00:00Z', '2026-04-28T10:00:00Z', '2026-05-05T10:00:00Z', '2026-05-09T22:30:00Z')
  await left('2026-05-06T10:00:00Z')
  await wentOut(await sent(server, 'a.example', ['ada', 'ben', 'cat', 'dan']), '2026-04-30T08:00:00Z')
  await wentOut(await sent(server, 'b.example', ['eve', 'fay']), '2026-05-10T21:59:00Z')
})
afterAll(() => server?.stop())

const insert = (row: { confirmed_at: Date; left_at?: Date; status: 'active' | 'unsubscribed' }) => {
  const id = uuidv7()
  const email = `${id}@example.org`
  return server.context.db
    .insertInto('subscriber')
    .values({ newsletter_id: server.newsletterId, id, email, email_normalised: email, language: 'en', ...row })
    .execute()
}

async function joined(...moments: string[]) {
  for (const at of moments) await insert({ confirmed_at: new Date(at), status: 'active' })
}

const left = (at: string) =>
  insert({ confirmed_at: new Date('2026-01-05T10:00:00Z'), left_at: new Date(at), status: 'unsubscribed' })

/** It began to go out then, a relay accepted what was caught, and one open was counted. */
async function wentOut({ id }: { id: string }, at: string) {
  const { newsletterId, context } = server
  await sql`update sending set started_at = ${at} where newsletter_id = ${newsletterId} and publication_id = ${id}`.execute(
    context.db,
  )
  await sql`update delivery set state = 'accepted' where newsletter_id = ${newsletterId} and publication_id = ${id}`.execute(
    context.db,
  )
  await context.db
    .insertInto('open_count')
    .values({ newsletter_id: newsletterId, publication_id: id, opened: 1 })
    .execute()
}

const get = (query: string) => server.owner.call('GET', `${server.path}/dashboard${query}`)

test('who subscribes at once is not said to have confirmed an address, and who confirms by mail is', async () => {
  const other = await startTestNewsletter({ SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '100000' })
  try {
    const post = (url: string, fields: Record<string, string>) =>
      other.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      })
    const ask = (email: string) => post(`/subscribe/${other.newsletterId}`, { email, language: 'en', consent: 'yes' })
    await ask('asks@example.org')
    const asking = await other.context.db.selectFrom('subscriber').selectAll().executeTakeFirstOrThrow()
    await post(`/confirm/${confirmToken(other.context.signer, asking)}`, {})
    await other.owner.call('PATCH', other.path, { optIn: 'single' })
    await ask('once@example.org')
    const { activity } = (await other.owner.call('GET', `${other.path}/dashboard`)).json()
    const of = (who: string) =>
      activity.filter(({ email }: { email: string }) => email === who).map(({ kind }: { kind: string }) => kind)
    expect(of('asks@example.org')).toEqual(['confirmed', 'asked'])
    expect(of('once@example.org')).toEqual(['subscribed', 'asked'])
  } finally {
    await other.stop()
  }
})

test('the step to send is taken once copies have left, though the rest waits or was cancelled', async () => {
  const other = await startTestNewsletter()
  try {
    const isTaken = async () => {
      const { checklist } = (await other.owner.call('GET', `${other.path}/dashboard`)).json()
      return checklist.find(({ step }: { step: string }) => step === 'send').done
    }
    expect(await isTaken()).toBe(false)
    await sent(other, 'a.example', ['ada'])
    for (const state of ['sending', 'cancelled'] as const) {
      await other.context.db.updateTable('sending').set({ state }).execute()
      expect(await isTaken(), state).toBe(true)
    }
    const { db } = other.context
    const audience = JSON.stringify({ kind: 'digest', pace: 'weekly' })
    for (const [state, digest] of [
      ['sent', 'weekly'],
      ['sending', 'weekly'],
    ] as const) {
      await db.updateTable('publication').set({ digest }).execute()
      await db.updateTable('sending').set({ state, audience }).execute()
      expect(await isTaken(), `a digest that is ${state}`).toBe(false)
    }
    await db.updateTable('publication').set({ digest: null }).execute()
    await db.updateTable('sending').set({ audience: '{"kind": "everyone"}', state: 'cancelled' }).execute()
    await db.updateTable('delivery_count').set({ accepted: 0, caught: 0, suppressed: 1 }).execute()
    expect(await isTaken()).toBe(false)
  } finally {
    await other.stop()
  }
})

test('a range is shown beside the one before, by days of the newsletter’s calendar', async () => {
  const board = (await get('?from=2026-05-04&to=2026-05-10')).json()
  expect([board.range, board.before]).toEqual([
    { from: '2026-05-04', to: '2026-05-10' },
    { from: '2026-04-27', to: '2026-05-03' },
  ])
  expect(board.figures).toMatchObject({ joined: 2, departed: 1, publications: 1, accepted: 10, opens: 1 })
  expect(board.figures).toMatchObject({ subscribers: 4, clicks: { human: 1, people: 1 }, unsubscribes: 0, failed: 0 })
  expect(board.figuresBefore).toMatchObject({ joined: 1, departed: 0, publications: 1, accepted: 8, opens: 1 })
  expect(board.growth.map(({ subscribers }: { subscribers: number }) => subscribers)).toEqual([3, 4, 3, 3, 3, 3, 4])
  expect(board.growth.at(-1)).toEqual({ day: '2026-05-10', subscribers: 4, joined: 1, departed: 0, sent: ['Low tide'] })
  expect(board.engagement).toMatchObject([{ day: '2026-05-10', publications: 1, mailed: 1, accepted: 10, opens: 1 }])
})

test('who clicks in a copy that was caught, or leaves by it, is a share of no copy', async () => {
  const other = await startTestNewsletter()
  try {
    const { db } = other.context
    const { id } = await sent(other, 'a.example', ['ada'])
    const { id: leaver } = await db.selectFrom('subscriber').select('id').executeTakeFirstOrThrow()
    const leave = (kind: 'unsubscribed' | 'returned') =>
      db
        .insertInto('event')
        .values({
          ...{ newsletter_id: other.newsletterId, publication_id: kind === 'unsubscribed' ? id : null },
          ...{ subscriber_id: leaver, id: uuidv7(), kind, at: new Date() },
        })
        .execute()
    await leave('unsubscribed')
    await leave('returned')
    await leave('unsubscribed')
    const figures = async () => (await other.owner.call('GET', `${other.path}/dashboard`)).json().figures
    expect(await figures()).toMatchObject({
      ...{ publications: 1, mailed: 0, accepted: 0 },
      ...{ clicks: { human: 1, people: 0 }, unsubscribes: 0 },
    })
    await db.updateTable('delivery').set({ state: 'accepted' }).execute()
    // The same publication reached others: who left by a copy that was caught is still a share of none.
    expect(await figures()).toMatchObject({ mailed: 1, clicks: { human: 1, people: 1 }, unsubscribes: 0 })
    await leave('unsubscribed')
    expect(await figures()).toMatchObject({ unsubscribes: 1 })
    await leave('returned')
    expect(await figures()).toMatchObject({ unsubscribes: 0 })
  } finally {
    await other.stop()
  }
})

test('whole months are compared with as many months', async () => {
  expect((await get('?from=2026-05-01&to=2026-05-31')).json().before).toEqual({ from: '2026-04-01', to: '2026-04-30' })
})

test('from the first day on, there is nothing before to compare with', async () => {
  const { range, before, figuresBefore, figures } = (await get('?from=first&to=2026-05-10')).json()
  expect([range, before, figuresBefore]).toEqual([{ from: '2026-01-05', to: '2026-05-10' }, null, null])
  expect(figures).toMatchObject({ joined: 5, departed: 1, publications: 2, accepted: 18 })
})

test.each([
  ['from=2026-05-10&to=2026-05-04', 'to'],
  ['from=2001-01-01&to=2026-05-04', 'from'],
  ['from=tomorrow', 'from'],
  ['to=2026-02-30', 'to'],
])('“%s” is refused at its field', async (query, field) => {
  const answer = await get(`?${query}`)
  expect(answer.statusCode).toBe(422)
  expect(answer.json().error.fields).toHaveProperty([field])
})

const highlights = (query: string, caller = server.owner) =>
  caller.call('GET', `${server.path}/dashboard/highlights?${query}`)
/** No timezone is further. */
const day = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

test('the best links are those with the most clicks by people on the days of the range', async () => {
  await countWaitingClicks(server.context.db)
  const { links } = (await highlights(`from=2026-01-01&to=${day()}`)).json()
  expect(links).toHaveLength(2)
  expect(links[0]).toMatchObject({ target: 'https://example.org/tide', human: 1, publication: { title: 'Low tide' } })
  expect(links[0]).toMatchObject({ before: { raw: 0, human: 0 } })
  expect((await highlights('from=2026-01-01&to=2026-01-31')).json().links).toEqual([])
  expect((await highlights(`from=first&to=${day()}`)).json().links[0]).toMatchObject({ human: 1, before: null })
})

test('a link stands beside the clicks that it had on the days before', async () => {
  const { newsletterId, context } = server
  const made = await server.owner.call('POST', `${server.path}/links`, { target: 'https://example.org/often' })
  const { id } = made.json()
  await sql`insert into click (newsletter_id, short_link_id, at, device, excluded_by)
    select ${newsletterId}, ${id}, now() - ago * interval '1 day', 'desktop', rule
    from (values (0, null), (3, null), (3, null), (3, 'scanner')) c (ago, rule)`.execute(context.db)
  const once = await server.owner.call('POST', `${server.path}/links`, { target: 'https://example.org/once' })
  await sql`insert into click (newsletter_id, short_link_id, at, device)
    values (${newsletterId}, ${once.json().id}, now() - interval '3 days', 'desktop')`.execute(context.db)
  await countWaitingClicks(context.db)
  const from = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const { links } = (await highlights(`from=${from}&to=${day()}`)).json()
  const of = links.find((link: { id: string }) => link.id === id)
  expect(of).toMatchObject({ raw: 1, human: 1, before: { raw: 3, human: 2 } })
  // One that was clicked only before is not forgotten.
  expect(links.at(-1)).toMatchObject({ id: once.json().id, raw: 0, human: 0, before: { raw: 1, human: 1 } })
  const path = `${server.path}/dashboard/chart.csv?from=${from}&to=${day()}&chart=links`
  expect((await server.owner.call('GET', path)).body).toContain('https://example.org/often,,1,1,3,2\n')
})

test('sources are those of whoever joined on the days of the range, as they are written and as they come back', async () => {
  const { db } = server.context
  const [id = ''] = await server.addSubscribers(['fair@example.org'])
  const ofFair = async () =>
    (await highlights(`from=2026-01-01&to=${day()}`))
      .json()
      .sources.find((each: { source: string }) => each.source === 'fair')
  expect(await ofFair()).toBeUndefined()
  await db
    .insertInto('subscriber')
    .values({
      ...{ newsletter_id: server.newsletterId, id: uuidv7(), email: 'f@f.example', email_normalised: 'f@f.example' },
      ...{ language: 'en', status: 'active', source: 'fair', confirmed_at: new Date('2026-05-05T10:00:00Z') },
    })
    .execute()
  expect(await ofFair()).toEqual({ source: 'fair', joined: 1, joinedBefore: 0 })
  // Where nobody comes from any more.
  expect((await highlights('from=2026-05-08&to=2026-05-10')).json().sources).toContainEqual({
    source: 'fair',
    joined: 0,
    joinedBefore: 1,
  })
  await db
    .updateTable('subscriber')
    .set({ source: 'fair', status: 'unsubscribed', left_at: new Date() })
    .where('id', '=', id)
    .execute()
  expect(await ofFair()).toEqual({ source: 'fair', joined: 1, joinedBefore: 0 })
  const counted = async () => {
    const { joined, departed } = (await get('')).json().figures
    return { joined, departed }
  }
  const whileGone = await counted()
  // Who comes back to the same subscription had not left.
  await db.updateTable('subscriber').set({ status: 'active', left_at: null }).where('id', '=', id).execute()
  expect(await ofFair()).toEqual({ source: 'fair', joined: 1, joinedBefore: 0 })
  expect(await counted()).toEqual({ joined: whileGone.joined, departed: whileGone.departed - 1 })
  await db.updateTable('subscriber').set({ status: 'unsubscribed', left_at: new Date() }).where('id', '=', id).execute()
  await db
    .updateTable('subscriber')
    .set({ status: 'active', left_at: null, confirmed_at: new Date() })
    .where('id', '=', id)
    .execute()
  expect(await ofFair()).toEqual({ source: 'fair', joined: 2, joinedBefore: 0 })
  expect(await counted()).toEqual({ joined: whileGone.joined + 1, departed: whileGone.departed })
})

test('revenue is what is left of payments, by currency, beside the range before; nothing is said where nothing was sold', async () => {
  const range = 'from=2026-07-01&to=2026-12-31'
  expect((await highlights(range)).json()).toMatchObject({ subscriptions: null, bookings: null })
  await tellKnownHistory(server)
  const { subscriptions, bookings } = (await highlights(range)).json()
  expect(subscriptions).toEqual({
    now: [
      { currency: 'eur', net: 8920 },
      { currency: 'usd', net: 6450 },
    ],
    before: [
      { currency: 'eur', net: 15150 },
      { currency: 'usd', net: 650 },
    ],
    // In twelve parts of the range.
    parts: [
      { currency: 'eur', nets: [4650, 0, 0, 0, 5810, -2100, 560, 0, 0, 0, 0, 0] },
      { currency: 'usd', nets: [0, 0, 5800, 0, 0, 0, 0, 650, 0, 0, 0, 0] },
    ],
  })
  expect(bookings).toBeNull()
})

test('each chart is a file that no spreadsheet runs', async () => {
  const { db } = server.context
  await db.updateTable('publication').set({ title: '=1+1' }).where('newsletter_id', '=', server.newsletterId).execute()
  const file = async (chart: string) => {
    const answer = await server.owner.call(
      'GET',
      `${server.path}/dashboard/chart.csv?from=2026-05-04&to=2026-05-10&chart=${chart}`,
    )
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers['content-disposition']).toContain(`${chart}-2026-05-04-2026-05-10`)
    return answer.body.trimEnd().split('\n')
  }
  expect((await file('growth')).slice(0, 2)).toEqual(['day,subscribers,joined,left', '2026-05-04,3,0,0'])
  expect(await file('engagement')).toEqual([
    'day,publications,mailed,accepted,failed,opens,clicks,human_clicks,people,unsubscribes',
    '2026-05-10,1,1,10,0,1,1,1,1,0',
  ])
  const [names, row, ...rest] = await file('publications')
  expect(names).toBe('publication,number,title,at,accepted,caught,failed,opens,clicks,human_clicks,people,unsubscribes')
  expect(row).toMatch(/,'=1\+1,2026-05-10T21:59:00.000Z,10,0,0,1,1,1,1,0$/)
  expect(rest).toEqual([])
  expect((await file('links'))[0]).toBe('link,name,target,publication,raw,human,raw_before,human_before')
  expect(await file('sources')).toEqual(['source,joined,joined_before', 'page,2,1', 'fair,1,0'])
  expect((await file('revenue'))[0]).toBe('span,from,to,kind,currency,net,booked')
})

test('several newsletters stand side by side, as the role in each allows', async () => {
  const member = await server.asMember(server.newsletterId, 'analyst')
  const own = await server.createNewsletter(member)
  const compared = (await member.call('GET', '/api/me/newsletters/figures?from=2026-05-04&to=2026-05-10')).json()
  expect(compared.newsletters).toMatchObject([
    { id: server.newsletterId, role: 'analyst', figures: { joined: 3, accepted: 10 }, figuresBefore: { accepted: 8 } },
    { id: own, role: 'owner', active: 0, figures: { joined: 0, accepted: 0 } },
  ])
  const file = await member.call('GET', '/api/me/newsletters/figures.csv?from=2026-05-04&to=2026-05-10')
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const [head, ...lines] = file.body.trimEnd().split('\n')
  expect(head).toMatch(/^newsletter,name,from,to,subscribers,joined,left,publications,mailed,accepted,opens,/)
  expect(lines.map((line) => line.split(',').slice(0, 9).join())).toEqual([
    expect.stringMatching(new RegExp(`^${server.newsletterId},.*,2026-04-27,2026-05-03,,`)),
    expect.stringMatching(new RegExp(`^${server.newsletterId},.*,2026-05-04,2026-05-10,\\d+,3,`)),
    expect.stringMatching(new RegExp(`^${own},.*,2026-04-27,2026-05-03,,0,`)),
    expect.stringMatching(new RegExp(`^${own},.*,2026-05-04,2026-05-10,0,0,0,0,0$`)),
  ])
  const stranger = await server.signUp()
  expect((await stranger.call('GET', '/api/me/newsletters/figures.csv')).body.split('\n')).toHaveLength(2)
  expect((await stranger.call('GET', '/api/me/newsletters/figures')).json()).toEqual({ newsletters: [] })
  expect((await stranger.call('GET', '/api/me/newsletters/figures?from=2026-05-04&to=2026-05-01')).statusCode).toBe(422)
})

test('where a day has yet to begin, the others are compared all the same', async () => {
  const member = await server.signUp()
  await server.createNewsletter(member, { timezone: 'Pacific/Kiritimati' })
  await server.createNewsletter(member, { timezone: 'Pacific/Pago_Pago' })
  const from = dayIn(server.context.now(), 'Pacific/Kiritimati')
  const { newsletters } = (await member.call('GET', `/api/me/newsletters/figures?from=${from}`)).json()
  expect(newsletters).toMatchObject(Array(2).fill({ range: { from }, figures: { joined: 0 } }))
})

test('the dashboard goes on with the draft that was edited last, a sample is a step until something was sent, and a title alone is not yet written', async () => {
  const newsletter = await server.createNewsletter(server.owner)
  const path = `/api/newsletters/${newsletter}`
  const board = async () => {
    const { draft, checklist } = (await server.owner.call('GET', `${path}/dashboard`)).json()
    const done = checklist.flatMap((each: { step: string; done: boolean }) => (each.done ? [each.step] : []))
    return { draft, done, steps: checklist.map(({ step }: { step: string }) => step) }
  }
  const sample = (await server.owner.call('POST', `${path}/publications/sample`)).json()
  expect(await board()).toMatchObject({ draft: null, done: ['account'] })
  const changed = { revision: sample.revision, title: 'My own words' }
  const saved = await server.owner.call('PATCH', `${path}/publications/${sample.id}`, changed)
  expect(saved.statusCode, saved.body).toBe(200)
  expect(await board()).toMatchObject({
    draft: { id: sample.id, title: 'My own words' },
    done: ['write', 'account'],
  })
  const { id } = (await server.owner.call('POST', `${path}/publications`, {})).json()
  expect(await board()).toMatchObject({ draft: { id, title: '' } })
  await server.owner.call('DELETE', `${path}/publications/${sample.id}`)
  expect(await board()).toMatchObject({ done: ['account'] })
  await server.owner.call('PATCH', `${path}/publications/${id}`, { revision: 1, title: 'Spring tide' })
  expect(await board()).toMatchObject({ done: ['account'], steps: expect.arrayContaining(['sample', 'write']) })
  const content = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'The moon pulls.' }] }],
  }
  await server.owner.call('PATCH', `${path}/publications/${id}`, { revision: 2, content })
  expect(await board()).toMatchObject({ done: ['write', 'account'], steps: expect.arrayContaining(['sample']) })
  expect((await get('')).json().checklist.map(({ step }: { step: string }) => step)).not.toContain('sample')
})

test('whoever saves the first branding as it is has chosen it', async () => {
  const path = `/api/newsletters/${await server.createNewsletter(server.owner)}`
  const isChosen = async () =>
    (await server.owner.call('GET', `${path}/dashboard/checklist`))
      .json()
      .checklist.find((each: { step: string }) => each.step === 'branding').done
  const { accent, pairing } = (await server.owner.call('GET', path)).json()
  expect((await server.owner.call('PATCH', path, { description: 'Of the tide' })).statusCode).toBe(200)
  expect(await isChosen()).toBe(false)
  const saved = await server.owner.call('PATCH', path, { accent, pairing, logoMediaId: null })
  expect(saved.statusCode, saved.body).toBe(200)
  expect(await isChosen()).toBe(true)
})

test('a step of the set-up is left out for everybody, and comes back', async () => {
  const skipped = async () =>
    (await get(''))
      .json()
      .checklist.flatMap((each: { step: string; skipped: boolean }) => (each.skipped ? [each.step] : []))
  const skip = (step: string, isSkipped: unknown, caller = server.owner) =>
    caller.call('PUT', `${server.path}/dashboard/checklist`, { step, skipped: isSkipped })
  expect((await skip('branding', true)).statusCode).toBe(200)
  expect((await skip('branding', true)).statusCode).toBe(200)
  expect((await skip('write', true)).statusCode).toBe(200)
  expect(await skipped()).toEqual(['write', 'branding'])
  expect((await skip('write', false)).statusCode).toBe(200)
  expect(await skipped()).toEqual(['branding'])
  expect((await get('/checklist')).json()).toEqual(
    (({ checklist, draft }) => ({ checklist, draft }))((await get('')).json()),
  )
  expect((await skip('branding', 'perhaps')).statusCode).toBe(422)
  const analyst = await server.asMember(server.newsletterId, 'analyst')
  expect((await skip('branding', false, analyst)).statusCode).toBe(403)
})
