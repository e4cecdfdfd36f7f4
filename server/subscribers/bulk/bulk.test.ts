import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { segmentLimits } from '../../segments/filter/contract.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { ReceiptChainer } from '../receipts/chainer.ts'
import { verifyChain } from '../receipts/verify.ts'
import { doBatch, forgetBulkChangesJob, resumeBulkChangesJob } from './bulk-change.job.ts'

let server: TestNewsletter
let newsletterId: string
let path: string

beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  newsletterId = await addNewsletter(server.context.db, server.owner.userId)
  path = `/api/newsletters/${newsletterId}`
})

const call = async (method: InjectOptions['method'], rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${path}${rest}`, body)
  return { status: answer.statusCode, ...answer.json() }
}
const run = <T>(statement: ReturnType<typeof sql<T>>) => statement.execute(server.context.db)
const start = (act: object) => call('POST', '/bulk-changes', act)
const undo = (id: string) => call('POST', `/bulk-changes/${id}/undo`)
const newest = async () => (await call('GET', '/bulk-changes')).changes[0]
const tag = async (name: string): Promise<number> => (await call('POST', '/tags', { name })).id
const everybody = { chosen: { matching: {} } }

/** Active subscribers `s1@…`, `s2@…`; answers their ids of the database. */
async function people(count: number, values = sql`'active', now()`): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  await run(sql`
    insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at)
    select ${newsletterId}, id, 's' || n || '@example.org', 's' || n || '@example.org', 'en', ${values}
    from unnest(${ids}::uuid[]) with ordinality as given (id, n)`)
  return ids
}

async function statuses(): Promise<Record<string, number>> {
  const { rows } = await run(sql<{ status: string; n: number }>`
    select status, count(*) as n from subscriber where newsletter_id = ${newsletterId} group by 1 order by 1`)
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

async function countOf(table: 'consent' | 'event' | 'subscriber_tag' | 'bulk_change_subscriber'): Promise<number> {
  const { rows } = await run(sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where newsletter_id = ${newsletterId}`)
  return rows[0]?.n ?? 0
}

const shown = (id = '') => server.context.shownIds.show(id)
const leaveOf = (id = '') => `/unsub/${newsletterId}/${id}`
/** A mail program's button (RFC 8058). */
const leaves = async (id: string | undefined) => {
  const answer = await server.inject({
    method: 'POST',
    url: leaveOf(id),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
  expect(answer.statusCode).toBe(200)
}

describe('tagging', () => {
  test('gives a tag to all who match, counts who had it already, and takes back what it gave', async () => {
    const [first] = await people(1_203)
    const tagId = await tag('Sailors')
    await call('PATCH', `/subscribers/${shown(first)}`, { tagIds: [tagId] })
    const asked = await start({ act: 'tag', tagId, ...everybody, expected: 1_203 })
    expect(asked).toMatchObject({ status: 200, state: 'running', total: 1_203, done: 0, tag: { name: 'Sailors' } })
    await server.work()
    expect(await newest()).toMatchObject({ state: 'done', done: 1_203, changed: 1_202, by: 'Inès' })
    expect((await call('GET', `/subscribers/count?tagId=${tagId}`)).total).toBe(1_203)
    expect(await undo(asked.id)).toMatchObject({ status: 200, state: 'undoing' })
    await server.work()
    expect(await newest()).toMatchObject({ state: 'undone', undone: 1_202, restored: 1_202, undoUntil: null })
    expect((await call('GET', `/subscribers?tagId=${tagId}`)).rows).toMatchObject([{ id: shown(first) }])
    expect((await undo(asked.id)).error.code).toBe('bulk_change_over')
  })

  test('is for those who matched when it was asked, and not for who comes later', async () => {
    await people(3)
    const tagId = await tag('Early')
    await start({ act: 'tag', tagId, ...everybody })
    await call('POST', '/subscribers', { email: 'late@example.org' })
    await server.work()
    expect(await newest()).toMatchObject({ total: 3, changed: 3 })
  })

  test('takes a tag off those who have it, and gives it back', async () => {
    const ids = await people(5)
    const tagId = await tag('Divers')
    for (const id of ids.slice(0, 2)) await call('PATCH', `/subscribers/${shown(id)}`, { tagIds: [tagId] })
    const { id } = await start({ act: 'untag', tagId, chosen: { ids: ids.map(shown) } })
    await server.work()
    expect([await newest(), await countOf('subscriber_tag')]).toMatchObject([{ done: 5, changed: 2 }, 0])
    await undo(id)
    await server.work()
    expect([await newest(), await countOf('subscriber_tag')]).toMatchObject([{ restored: 2 }, 2])
  })

  test('leaves out who has as many tags as there can be, and stops when its tag is deleted', async () => {
    const [full = ''] = await people(3)
    await run(sql`
      with tags as (insert into tag (newsletter_id, name)
        select ${newsletterId}, 'Tag ' || n from generate_series(1, ${segmentLimits.tagsOfSubscriber}) n returning id)
      insert into subscriber_tag (newsletter_id, tag_id, subscriber_id) select ${newsletterId}, id, ${full}::uuid from tags`)
    const tagId = await tag('One more')
    await start({ act: 'tag', tagId, ...everybody })
    await server.work()
    expect(await newest()).toMatchObject({ done: 3, changed: 2 })
    const other = await tag('Soon gone')
    await start({ act: 'tag', tagId: other, ...everybody })
    await call('DELETE', `/tags/${other}`)
    await server.work()
    expect(await newest()).toMatchObject({ state: 'stopped', changed: 0, tag: null, undoUntil: null })
  })
})

describe('unsubscribing', () => {
  test('writes a receipt for each, and brings back as they were those who have not left by themselves since', async () => {
    const ids = await people(6)
    const [pausing, leaving, , complaining, returning] = ids
    await run(
      sql`update subscriber set status = 'pending', confirmed_at = null where newsletter_id = ${newsletterId} and id = ${ids[5]}`,
    )
    await run(
      sql`update subscriber set paused_until = '2027-06-01' where newsletter_id = ${newsletterId} and id = ${pausing}`,
    )
    // A member stopped the mail to one of them, who counts as active all the same.
    await run(sql`insert into suppression (newsletter_id, email_normalised, reason)
      select newsletter_id, email_normalised, 'by_hand' from subscriber where newsletter_id = ${newsletterId} and id = ${ids[2]}`)
    const { id } = await start({ act: 'unsubscribe', ...everybody, expected: 6 })
    await server.work()
    expect([await newest(), await statuses()]).toMatchObject([{ state: 'done', changed: 6 }, { unsubscribed: 6 }])
    expect([await countOf('consent'), await countOf('event')]).toEqual([6, 6])

    // One presses the button in an old mail, one marks a mail as spam, and one comes back by themselves and leaves again.
    await leaves(leaving)
    await leaves(leaving)
    expect(await countOf('consent')).toBe(7)
    await run(sql`insert into suppression (newsletter_id, email_normalised, reason)
      select newsletter_id, email_normalised, 'complained' from subscriber where newsletter_id = ${newsletterId} and id = ${complaining}`)
    await server.inject({
      method: 'POST',
      url: leaveOf(returning),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'act=return',
    })
    await leaves(returning)

    await undo(id)
    await server.work()
    expect(await newest()).toMatchObject({ state: 'undone', undone: 6, restored: 3 })
    expect(await statuses()).toEqual({ active: 2, pending: 1, unsubscribed: 3 })
    // Whoever had still to confirm is told as back too.
    const { rows } = await call('GET', `/subscribers/${shown(ids[5])}/timeline`)
    expect(rows[0]).toMatchObject({ kind: 'returned' })
    const { pausedUntil, status, receipts } = await call('GET', `/subscribers/${shown(pausing)}`)
    expect([pausedUntil, status]).toEqual(['2027-06-01T00:00:00.000Z', 'active'])
    expect(receipts.map(({ act, wording }: { act: string; wording: string }) => [act, wording])).toEqual([
      ['given', 'Whoever runs Low Water had unsubscribed them, and took that back.'],
      ['withdrawn', 'Unsubscribed by whoever runs Low Water.'],
    ])
    await new ReceiptChainer(server.context).drain()
    expect(await verifyChain(server.context.db, server.context.signer, newsletterId)).toMatchObject({ faults: 0 })
  })

  test('leaves alone who is not subscribed', async () => {
    await people(2, sql`'bounced', now()`)
    const { id } = await start({ act: 'unsubscribe', ...everybody })
    await server.work()
    expect(await newest()).toMatchObject({ state: 'done', done: 2, changed: 0, undoUntil: null })
    expect((await undo(id)).error.code).toBe('bulk_change_over')
    expect([await statuses(), await countOf('consent')]).toEqual([{ bounced: 2 }, 0])
  })
})

describe('erasing', () => {
  test('needs the right number, removes everything of those who match, and cannot be taken back', async () => {
    const ids = await people(60)
    await run(
      sql`update subscriber set source = 'import' where newsletter_id = ${newsletterId} and id = any(${ids.slice(0, 55)}::uuid[])`,
    )
    const chosen = { matching: { source: 'import' } }
    expect((await start({ act: 'erase', chosen })).status).toBe(422)
    const refused = await start({ act: 'erase', chosen, expected: 60 })
    expect([refused.status, refused.error.code, refused.error.detail]).toEqual([409, 'choice_changed', { total: 55 }])
    const { id } = await start({ act: 'erase', chosen, expected: 55 })
    await server.work()
    expect(await newest()).toMatchObject({ state: 'done', done: 55, changed: 55, undoUntil: null })
    expect(await statuses()).toEqual({ active: 5 })
    expect((await undo(id)).error.code).toBe('bulk_change_over')
    expect(await countOf('bulk_change_subscriber')).toBe(0)
  })

  test('of one person takes them out of every change', async () => {
    const [first, second] = await people(2)
    const tagId = await tag('Two')
    const { id } = await start({ act: 'tag', tagId, ...everybody })
    await server.work()
    await call('DELETE', `/subscribers/${shown(first)}`)
    await undo(id)
    await server.work()
    expect(await newest()).toMatchObject({ changed: 2, undone: 1, restored: 1 })
    expect((await call('GET', `/subscribers/${shown(second)}`)).tags).toEqual([])
  })
})

describe('a change', () => {
  test('goes on where a killed process left it, in several processes at once, and changes nobody twice', async () => {
    await people(2_300)
    const { id } = await start({ act: 'unsubscribe', ...everybody, expected: 2_300 })
    const key = { newsletterId, bulkChangeId: id }
    await run(sql`delete from graphile_worker._private_jobs`)
    expect(await doBatch(server.context, key)).toBe(true)
    // A process that is killed in the middle of a batch.
    const dying = server.context.db.transaction().execute(async (tx) => {
      const db = { transaction: () => ({ execute: (act: (within: typeof tx) => unknown) => act(tx) }) }
      await doBatch({ ...server.context, db: db as never }, key)
      throw new Error('killed')
    })
    await expect(dying).rejects.toThrow('killed')
    expect(await newest()).toMatchObject({ state: 'running', done: 500, changed: 500 })
    const resume = () => resumeBulkChangesJob(server.context)({}, null as never)
    await resume()
    expect(await newest()).toMatchObject({ done: 500 })
    await run(sql`update bulk_change set worked_at = now() - interval '1 minute' where newsletter_id = ${newsletterId}`)
    await Promise.all([resume(), resume(), resume()])
    expect(await newest()).toMatchObject({ state: 'done', done: 2_300, changed: 2_300 })
    expect([await countOf('consent'), await countOf('event')]).toEqual([2_300, 2_300])
  })

  test('is stopped, and what it did until then can be taken back', async () => {
    await people(900)
    const { id } = await start({ act: 'unsubscribe', ...everybody })
    const key = { newsletterId, bulkChangeId: id }
    await doBatch(server.context, key)
    expect(await call('POST', `/bulk-changes/${id}/stop`)).toMatchObject({
      status: 200,
      state: 'stopped',
      changed: 500,
    })
    expect((await call('POST', `/bulk-changes/${id}/stop`)).error.code).toBe('bulk_change_over')
    expect(await doBatch(server.context, key)).toBe(false)
    await undo(id)
    await server.work()
    expect([await newest(), await statuses()]).toMatchObject([{ state: 'undone', restored: 500 }, { active: 900 }])
  })

  test('is alone in its newsletter, also when several are asked for at the same moment', async () => {
    await people(3)
    const tagId = await tag('Once')
    const answers = await Promise.all([1, 2, 3, 4].map(() => start({ act: 'tag', tagId, ...everybody })))
    expect(answers.map(({ status, error }) => error?.code ?? status).toSorted()).toEqual([
      200,
      ...Array(3).fill('bulk_change_under_way'),
    ])
    await server.work()
    const other = await start({ act: 'untag', tagId, ...everybody })
    const { changes } = await call('GET', '/bulk-changes')
    expect((await undo(changes[1].id)).error.code).toBe('bulk_change_under_way')
    expect((await call('POST', `/bulk-changes/${other.id}/stop`)).status).toBe(200)
  })

  test('leaves lines in the audit: who asked, what came of it, and who took it back', async () => {
    await people(4)
    const { id } = await start({ act: 'unsubscribe', ...everybody })
    await server.work()
    await undo(id)
    await server.work()
    const { rows } = await call('GET', '/audit')
    expect(rows.map(({ act, detail }: { act: string; detail: object }) => [act, detail])).toEqual([
      ['subscribers_change_ended', { act: 'unsubscribe', undone: true, subscribers: 4, changed: 4 }],
      ['subscribers_change_undone', { act: 'unsubscribe' }],
      ['subscribers_change_ended', { act: 'unsubscribe', subscribers: 4, changed: 4 }],
      ['subscribers_changed', { act: 'unsubscribe', subscribers: 4 }],
    ])
  })

  test.each<[string, ReturnType<typeof sql>]>([
    ['is removed', sql`delete from member`],
    ['gets a lower role', sql`update member set role = 'analyst'`],
  ])('stops with the right of whoever began it, who %s, and says so', async (_how, loses) => {
    const ids = await people(1_500)
    const editor = await server.signUp({ name: 'Bea', email: `bea${ids[0]}@example.org` })
    await run(
      sql`insert into member (newsletter_id, user_id, role) values (${newsletterId}, ${editor.userId}, 'editor')`,
    )
    const answer = await editor.call('POST', `${path}/bulk-changes`, {
      act: 'tag',
      tagId: await tag('Tide'),
      ...everybody,
    })
    const bulkChangeId = answer.json().id
    expect(await doBatch(server.context, { newsletterId, bulkChangeId })).toBe(true)
    await run(sql`${loses} where newsletter_id = ${newsletterId} and user_id = ${editor.userId}`)
    await server.work()
    expect(await newest()).toMatchObject({ state: 'stopped', askerLostRight: true, done: 1_000, changed: 1_000 })
    expect(await countOf('subscriber_tag')).toBe(1_000)
    // Somebody else may take it back.
    await undo(bulkChangeId)
    await server.work()
    expect(await newest()).toMatchObject({ state: 'undone', restored: 1_000 })
  })

  describe('of an API key', () => {
    /** A key of another owner has begun to tag 1,500 people, and its first batch is done. */
    async function begun() {
      const [first] = await people(1_500)
      const maker = await server.signUp({ name: 'Bea', email: `bea${first}@example.org` })
      const of = { makerId: maker.userId, keyId: '' }
      await run(sql`insert into member (newsletter_id, user_id, role) values (${newsletterId}, ${of.makerId}, 'owner')`)
      const made = await maker.call('POST', `${path}/api-keys`, { name: 'Tides', role: 'editor' })
      of.keyId = made.json().id
      const body = { act: 'tag', tagId: await tag('Tide'), ...everybody }
      const answer = await server.withKey(made.json().secret)('POST', `${path}/bulk-changes`, body)
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { by: null, total: 1_500 }])
      expect(await doBatch(server.context, { newsletterId, bulkChangeId: answer.json().id })).toBe(true)
      return of
    }
    type Of = Awaited<ReturnType<typeof begun>>

    test('goes on while the key and its maker may', async () => {
      await begun()
      await server.work()
      expect(await newest()).toMatchObject({ state: 'done', askerLostRight: false, changed: 1_500 })
    })

    test.each<[string, (of: Of) => Promise<unknown>]>([
      ['is revoked', ({ keyId }) => call('DELETE', `/api-keys/${keyId}`)],
      ['expires', ({ keyId }) => run(sql`update api_key set expires_at = now() where id = ${keyId}`)],
      ['has a maker who is removed', ({ makerId }) => call('DELETE', `/members/${makerId}`)],
      ['has a maker who gets a lower role', ({ makerId }) => call('PATCH', `/members/${makerId}`, { role: 'analyst' })],
    ])('stops with its right when the key %s, and says so', async (_how, loses) => {
      const of = await begun()
      const answer = await loses(of)
      expect(answer).not.toMatchObject({ error: expect.anything() })
      await server.work()
      expect(await newest()).toMatchObject({ state: 'stopped', askerLostRight: true, done: 1_000, changed: 1_000 })
      expect(await countOf('subscriber_tag')).toBe(1_000)
      const { rows } = await call('GET', '/audit')
      const detail = { act: 'tag', subscribers: 1_500, changed: 1_000 }
      const ended = rows.find(({ act }: { act: string }) => act === 'subscribers_change_ended')
      expect(ended).toMatchObject({ detail })
    })
  })

  test('is forgotten after a week, with whom it was about', async () => {
    await people(2)
    const { id } = await start({ act: 'unsubscribe', ...everybody })
    await server.work()
    await run(sql`update bulk_change set ended_at = now() - interval '8 days' where newsletter_id = ${newsletterId}`)
    expect((await undo(id)).error.code).toBe('bulk_change_not_found')
    expect((await call('GET', '/bulk-changes')).changes).toEqual([])
    await forgetBulkChangesJob(server.context)({}, null as never)
    expect(await countOf('bulk_change_subscriber')).toBe(0)
  })

  test.each<[string, object, number, string]>([
    ['nobody', { act: 'unsubscribe', ...everybody }, 422, 'nobody_chosen'],
    ['a tag that is not there', { act: 'tag', tagId: 2_000_000_000, ...everybody }, 404, 'tag_not_found'],
    ['no tag', { act: 'tag', ...everybody }, 422, 'invalid'],
    [
      'a segment that is not there',
      { act: 'unsubscribe', chosen: { matching: { segmentId: 9 } } },
      404,
      'segment_not_found',
    ],
    ['too many names', { act: 'unsubscribe', chosen: { ids: Array(1_001).fill('0'.repeat(32)) } }, 422, 'invalid'],
    ['names and filters', { act: 'unsubscribe', chosen: { ids: ['0'.repeat(32)], matching: {} } }, 422, 'invalid'],
    ['an unknown filter', { act: 'unsubscribe', chosen: { matching: { sorce: 'x' } } }, 422, 'invalid'],
    ['ids of nobody', { act: 'unsubscribe', chosen: { ids: ['0'.repeat(32)] } }, 422, 'nobody_chosen'],
  ])('is refused with %s, and leaves nothing under way', async (...[, asked, status, code]) => {
    const answer = await start(asked)
    expect([answer.status, answer.error?.code]).toEqual([status, code])
    expect((await call('GET', '/bulk-changes')).changes).toEqual([])
  })
})
