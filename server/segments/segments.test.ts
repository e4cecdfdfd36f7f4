import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findRunning, plan } from '../sending/deliveries.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { segmentLimits } from './filter/contract.ts'

let server: TestNewsletter
let path: string

beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  server.newsletterId = await addNewsletter(server.context.db, server.owner.userId)
  path = `/api/newsletters/${server.newsletterId}`
})

const call = async (method: InjectOptions['method'], rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${path}${rest}`, body)
  return { status: answer.statusCode, ...answer.json() }
}

/** Active subscribers of this test's newsletter. Answers their ids as members see them. */
async function people(...names: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, confirmed_at)
    select ${server.newsletterId}, uuidv7(), lower(name) || '@example.org', lower(name) || '@example.org', name, 'en',
      'active', now() from unnest(${names}::text[]) with ordinality as given (name, position) order by position returning id`.execute(
    server.context.db,
  )
  return rows.map(({ id }) => server.context.shownIds.show(id))
}

const hasTag = (tag: number) => ({ on: 'tag', op: 'has', tag })
const named = (value: string) => ({ on: 'name', op: 'is', value })

test('making, changing and deleting tags, fields and segments leaves a line each, with the name', async () => {
  const tag = await call('POST', '/tags', { name: 'Press' })
  await call('PATCH', `/tags/${tag.id}`, { name: 'Papers' })
  await call('DELETE', `/tags/${tag.id}`)
  const field = await call('POST', '/fields', { key: 'city', label: 'City', kind: 'choice', choices: ['Brest'] })
  await call('PATCH', `/fields/${field.id}`, { choices: ['Brest', 'Morlaix'] })
  await call('DELETE', `/fields/${field.id}`)
  const segment = await call('POST', '/segments', { name: 'All', filter: { on: 'language', op: 'is', value: 'en' } })
  await call('PATCH', `/segments/${segment.id}`, { filter: { on: 'language', op: 'is', value: 'fr' } })
  await call('DELETE', `/segments/${segment.id}`)
  const { rows } = await call('GET', '/audit')
  expect(
    rows.map((row: { act: string; outcome: string; detail: { name: string } }) => [
      row.act,
      row.outcome,
      row.detail.name,
    ]),
  ).toEqual([
    ['segment_deleted', 'done', 'All'],
    ['segment_changed', 'done', 'All'],
    ['segment_made', 'done', 'All'],
    ['field_deleted', 'done', 'City'],
    ['field_changed', 'done', 'City'],
    ['field_made', 'done', 'City'],
    ['tag_deleted', 'done', 'Papers'],
    ['tag_renamed', 'done', 'Papers'],
    ['tag_made', 'done', 'Press'],
  ])
})

describe('tags', () => {
  test('are made, renamed, given and counted; names are taken once, whatever their case', async () => {
    const [ada = '', bob = ''] = await people('Ada', 'Bob')
    const press = await call('POST', '/tags', { name: ' Presse ' })
    expect(press).toMatchObject({ status: 200, name: 'Presse', subscribers: 0 })
    expect(await call('POST', '/tags', { name: 'PRESSE' })).toMatchObject({
      status: 409,
      error: { code: 'name_taken' },
    })
    const friends = await call('POST', '/tags', { name: 'Friends' })
    expect((await call('PATCH', `/tags/${friends.id}`, { name: 'presse' })).error.code).toBe('name_taken')

    const given = await call('PATCH', `/subscribers/${ada}`, { tagIds: [press.id, friends.id, press.id] })
    expect(given.tags.map(({ name }: { name: string }) => name)).toEqual(['Friends', 'Presse'])
    await call('PATCH', `/subscribers/${bob}`, { tagIds: [press.id] })
    await call('PATCH', `/subscribers/${ada}`, { tagIds: [press.id] })
    expect((await call('GET', '/tags')).tags).toEqual([
      { id: friends.id, name: 'Friends', subscribers: 0 },
      { id: press.id, name: 'Presse', subscribers: 2 },
    ])
    expect((await call('GET', `/subscribers?tagId=${press.id}`)).total).toBe(2)
    expect((await call('GET', `/subscribers/${ada}`)).tags).toEqual([{ id: press.id, name: 'Presse' }])
    expect((await call('PATCH', `/tags/${press.id}`, { name: 'Press' })).name).toBe('Press')
    expect((await call('PATCH', `/subscribers/${ada}`, { tagIds: [2_000_000_000] })).error.code).toBe('tag_not_found')
    expect((await call('DELETE', `/tags/${press.id}`)).done).toBe(true)
    expect((await call('GET', `/subscribers/${ada}`)).tags).toEqual([])
  })

  test('are as many as there is room for, also when they are made at the same moment', async () => {
    await sql`insert into tag (newsletter_id, name) select ${server.newsletterId}, 'Tag ' || n
      from generate_series(3, ${segmentLimits.tags}) n`.execute(server.context.db)
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => call('POST', '/tags', { name })))
    expect(answers.map(({ status, error }) => error?.code ?? status).toSorted()).toEqual([
      200,
      200,
      'too_many_tags',
      'too_many_tags',
    ])
  })
})

describe('custom fields', () => {
  test('hold values of their kind alone, and empty ones are gone', async () => {
    const [ada = ''] = await people('Ada')
    const fields = [
      { key: 'city', label: 'City', kind: 'text' },
      { key: 'size', label: 'Size', kind: 'number' },
      { key: 'born', label: 'Born', kind: 'date' },
      { key: 'member', label: 'Member', kind: 'yes_no' },
      { key: 'colour', label: 'Colour', kind: 'choice', choices: ['Red', 'Blue'] },
    ]
    for (const field of fields) expect(await call('POST', '/fields', field)).toMatchObject({ status: 200, ...field })
    const fill = (values: object) => call('PATCH', `/subscribers/${ada}`, { fields: values })
    const right = { city: 'Audierne', size: 3.5, born: '1990-02-28', member: false, colour: 'Red' }
    expect((await fill({ ...right, city: '  Audierne ' })).fields).toEqual(right)
    const wrong = { city: 3, size: '3', born: '1990-02-30', member: 'yes', colour: 'Green', other: 'x' }
    const refused = await fill(wrong)
    expect([refused.status, Object.keys(refused.error.fields).toSorted()]).toEqual([
      422,
      Object.keys(wrong)
        .map((key) => `fields.${key}`)
        .toSorted(),
    ])
    expect((await fill({ city: null, size: 4 })).fields).toEqual({
      size: 4,
      born: '1990-02-28',
      member: false,
      colour: 'Red',
    })
    expect((await call('GET', `/subscribers/${ada}`)).fields.size).toBe(4)
    expect((await fill({ city: 'x'.repeat(501) })).status).toBe(422)
    expect((await fill({ city: 'two\nlines' })).status).toBe(422)
    expect((await fill(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, 1])))).status).toBe(422)
  })

  test('keep their key and their kind; a choice that goes stays with who has it', async () => {
    const [ada = ''] = await people('Ada')
    const colour = await call('POST', '/fields', {
      key: 'colour',
      label: 'Colour',
      kind: 'choice',
      choices: ['Red', 'Blue'],
    })
    await call('PATCH', `/subscribers/${ada}`, { fields: { colour: 'Red' } })
    const change = { label: 'Favourite', choices: ['Blue', 'Green'] }
    expect(await call('PATCH', `/fields/${colour.id}`, change)).toMatchObject({
      key: 'colour',
      kind: 'choice',
      ...change,
    })
    expect((await call('GET', `/subscribers/${ada}`)).fields).toEqual({ colour: 'Red' })
    expect((await call('PATCH', `/fields/${colour.id}`, { choices: [] })).status).toBe(422)
    expect(
      (await call('POST', '/fields', { key: 'colour', label: 'Other', kind: 'text' })).error.fields,
    ).toHaveProperty('key')
    expect(
      (await call('POST', '/fields', { key: 'other', label: 'favourite', kind: 'text' })).error.fields,
    ).toHaveProperty('label')
    for (const field of [
      { key: 'Big', label: 'x', kind: 'text' },
      { key: 'a', label: 'x', kind: 'choice' },
      { key: 'a', label: 'x', kind: 'text', choices: ['y'] },
      { key: 'a', label: 'x', kind: 'choice', choices: ['y', 'y'] },
    ])
      expect((await call('POST', '/fields', field)).status).toBe(422)
  })

  test('go with their values', async () => {
    const [ada = ''] = await people('Ada')
    const city = await call('POST', '/fields', { key: 'city', label: 'City', kind: 'text' })
    await call('PATCH', `/subscribers/${ada}`, { fields: { city: 'Audierne' } })
    expect((await call('DELETE', `/fields/${city.id}`)).done).toBe(true)
    expect((await call('GET', `/subscribers/${ada}`)).fields).toEqual({})
    await call('POST', '/fields', { key: 'city', label: 'City', kind: 'text' })
    expect((await call('GET', `/subscribers/${ada}`)).fields).toEqual({})
  })
})

describe('segments', () => {
  test('name who fits at each moment; the list, the count and the pre-flight agree', async () => {
    await people('Ada', 'Bob', 'Cleo')
    await sql`insert into suppression (newsletter_id, email_normalised, reason)
      values (${server.newsletterId}, 'bob@example.org', 'by_hand')`.execute(server.context.db)
    await sql`update subscriber set status = 'pending' where newsletter_id = ${server.newsletterId} and name = 'Cleo'`.execute(
      server.context.db,
    )
    const filter = { any: [named('ADA'), named('bob'), named('cleo')] }
    const segment = await call('POST', '/segments', { name: 'Three', filter })
    expect(segment).toMatchObject({ status: 200, name: 'Three', filter })
    expect(await call('GET', `/segments/${segment.id}`)).toMatchObject({ filter })
    const count = { receive: 1, suppressed: 1, byHand: 1, onDigest: 0, paused: 0, pending: 1 }
    expect(await call('POST', '/segments/count', { filter })).toEqual({
      status: 200,
      ...count,
      subscribers: 3,
      margin: null,
    })
    expect((await call('GET', `/subscribers?segmentId=${segment.id}`)).total).toBe(3)
    expect((await call('GET', `/subscribers?segmentId=${segment.id}&status=pending&search=cleo`)).total).toBe(1)
    const draft = await call('POST', '/publications', { title: 'Low tide' })
    expect((await call('GET', `/publications/${draft.id}/check?segmentId=${segment.id}`)).audience).toEqual({
      ...count,
      already: 0,
    })
    await call('PATCH', `/segments/${segment.id}`, { filter: named('Ada'), name: 'One' })
    expect((await call('GET', '/segments')).segments).toMatchObject([{ name: 'One', filter: named('Ada') }])
    expect((await call('GET', `/subscribers?segmentId=${segment.id}`)).total).toBe(1)
    expect((await call('DELETE', `/segments/${segment.id}`)).done).toBe(true)
    expect((await call('GET', `/subscribers?segmentId=${segment.id}`)).error.code).toBe('segment_not_found')
  })

  test.each([
    ['a tag that is not there', hasTag(2_000_000_000), 404, 'tag_not_found'],
    ['a field that is not there', { on: 'field', field: 'none', kind: 'text', op: 'empty' }, 404, 'field_not_found'],
    [
      'a field of another kind',
      { not: [{ on: 'field', field: 'city', kind: 'number', op: 'empty' }] },
      404,
      'field_not_found',
    ],
    ['a publication that is not there', { on: 'opened', op: 'did', publication: 'none' }, 404, 'publication_not_found'],
    ['a link that is not there', { on: 'link', op: 'did', link: 'none' }, 404, 'link_not_found'],
    ['a campaign that is not there', { on: 'campaign', op: 'did', campaign: 'none' }, 404, 'campaign_not_found'],
    ['no condition', { all: [] }, 422, 'invalid'],
    ['groups too deep', JSON.parse(`${'{"all":['.repeat(20)}${']}'.repeat(20)}`), 422, 'invalid'],
    ['groups a thousand deep', JSON.parse('{"all":['.repeat(1_000) + ']}'.repeat(1_000)), 400, 'bad_request'],
    ['a filter that is none', 'everybody', 422, 'invalid'],
  ])('refuse %s', async (...[, filter, status, code]) => {
    await call('POST', '/fields', { key: 'city', label: 'City', kind: 'text' })
    const answer = await call('POST', '/segments', { name: 'Refused', filter })
    expect([answer.status, answer.error.code]).toEqual([status, code])
  })

  test('what is built on something is named before it is deleted, and told not to matter it goes', async () => {
    await people('Ada')
    const tag = await call('POST', '/tags', { name: 'Press' })
    const city = await call('POST', '/fields', { key: 'city', label: 'City', kind: 'text' })
    const isEmpty = { on: 'field', field: 'city', kind: 'text', op: 'empty' }
    const filter = { all: [{ not: [hasTag(tag.id)] }, isEmpty] }
    const segment = await call('POST', '/segments', { name: 'Readers', filter })
    const other = await call('POST', '/segments', { name: 'Others', filter: named('tag') })
    const draft = await server.owner.call('POST', `${path}/publications`, {
      title: 'Low tide',
      content: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }] },
    })
    const publicationId = draft.json().id
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const scheduled = await call('POST', `/publications/${publicationId}/send`, {
      at,
      audience: { kind: 'segment', segmentId: segment.id },
    })
    expect(scheduled).toMatchObject({ status: 'scheduled', audience: { kind: 'segment', name: 'Readers' } })

    const publication = { kind: 'publication', publicationId, title: 'Low tide' }
    const uses = [publication, { kind: 'segment', segmentId: segment.id, name: 'Readers' }]
    const lines = async () => (await call('GET', '/audit')).rows.length
    for (const [place, expected] of [
      [`/tags/${tag.id}`, uses],
      [`/fields/${city.id}`, uses],
      [`/segments/${segment.id}`, [publication]],
    ] as const) {
      const before = await lines()
      expect(await call('DELETE', place)).toMatchObject({
        status: 409,
        error: { code: 'in_use', detail: { uses: expected } },
      })
      // What was only asked is no act.
      expect(await lines()).toBe(before)
      expect((await call('DELETE', `${place}?evenIfUsed=true`)).done).toBe(true)
      expect((await call('DELETE', `${place}?evenIfUsed=true`)).status).toBe(404)
    }
    expect((await call('DELETE', `/segments/${other.id}`)).done).toBe(true)
  })
})

describe('a segment as an audience', () => {
  const text = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Twice a day.' }] }] }
  const write = async () => (await call('POST', '/publications', { title: 'Low tide', content: text })).id as string
  const states = async (publicationId: string) => {
    const { rows } = await sql<{ email: string; state: string; answer: string | null }>`
      select email, state, answer from delivery where publication_id = ${publicationId} order by email`.execute(
      server.context.db,
    )
    return rows.map(({ email, state, answer }) => [
      email.replace('@example.org', ''),
      state,
      answer && state === 'suppressed' ? answer : null,
    ])
  }
  const segmentOf = async (filter: object) => {
    const { id } = await call('POST', '/segments', { name: 'Readers', filter })
    return { kind: 'segment', segmentId: id as number }
  }

  test('receives what is sent to it, and nobody else', async () => {
    await people('Ada', 'Bob', 'Cleo')
    const audience = await segmentOf({ not: [named('bob')] })
    const id = await write()
    const sent = await call('POST', `/publications/${id}/send`, { audience })
    expect(sent).toMatchObject({ status: 'sending', audience: { ...audience, name: 'Readers' } })
    await server.work()
    expect(await states(id)).toEqual([
      ['ada', 'caught', null],
      ['cleo', 'caught', null],
    ])
    expect((await call('GET', `/publications/${id}`)).audience).toEqual({ ...audience, name: 'Readers' })
    const listed = (await call('GET', '/publications')).rows[0]
    expect(listed.audience).toEqual({ ...audience, name: 'Readers' })
  })

  test('is looked at again before each copy, with the filter that it was sent with', async () => {
    const [ada = '', bob = ''] = await people('Ada', 'Bob')
    const tag = await call('POST', '/tags', { name: 'Press' })
    for (const id of [ada, bob]) await call('PATCH', `/subscribers/${id}`, { tagIds: [tag.id] })
    const audience = await segmentOf(hasTag(tag.id))
    const id = await write()
    await call('POST', `/publications/${id}/send`, { audience })
    const { db } = server.context
    const running = (await findRunning(db)).find(({ publicationId }) => publicationId === id)
    if (!running) throw new Error('nothing runs')
    await plan(db, running)
    // The one leaves the segment. The other is no longer in it as it is defined now, and was when it was sent.
    await call('PATCH', `/subscribers/${bob}`, { tagIds: [] })
    await call('PATCH', `/segments/${audience.segmentId}`, { filter: named('nobody') })
    await server.work()
    expect(await states(id)).toEqual([
      ['ada', 'caught', null],
      ['bob', 'suppressed', 'audience'],
    ])
  })

  test('of a window of time is the same to the last copy, however long a sending takes', async () => {
    await people('Ada')
    const audience = await segmentOf({ on: 'joined', op: 'within', days: 7 })
    const id = await write()
    await call('POST', `/publications/${id}/send`, { audience })
    const { db } = server.context
    const running = (await findRunning(db)).find(({ publicationId }) => publicationId === id)
    if (!running) throw new Error('nothing runs')
    await plan(db, running)
    await sql`update subscriber set created_at = now() - interval '8 days', confirmed_at = now() - interval '8 days'
      where newsletter_id = ${server.newsletterId}`.execute(db)
    await sql`update sending set started_at = now() - interval '2 days' where publication_id = ${id}`.execute(db)
    await server.work()
    expect(await states(id)).toEqual([['ada', 'caught', null]])
  })

  test('of nobody is sent to nobody, and said before', async () => {
    await people('Ada')
    const audience = await segmentOf(named('nobody'))
    const id = await write()
    expect((await call('POST', `/publications/${id}/send`, { audience })).error.code).toBe('no_subscribers')
    expect(
      (await call('POST', `/publications/${id}/send`, { audience: { kind: 'segment', segmentId: 1 } })).error.code,
    ).toBe('segment_not_found')
  })

  test('stays that of a scheduled publication, as the segment is when its time comes', async () => {
    await people('Ada', 'Bob')
    const audience = await segmentOf(named('ada'))
    const id = await write()
    const in_an_hour = new Date(Date.now() + 3_600_000).toISOString()
    await call('POST', `/publications/${id}/send`, { audience, at: in_an_hour })
    const in_two_hours = new Date(Date.now() + 7_200_000).toISOString()
    const moved = await call('POST', `/publications/${id}/send`, { at: in_two_hours })
    expect(moved.audience).toMatchObject(audience)
    await call('PATCH', `/segments/${audience.segmentId}`, { filter: named('bob') })
    const sent = await call('POST', `/publications/${id}/send`, {})
    expect(sent).toMatchObject({ status: 'sending', audience })
    await server.work()
    expect(await states(id)).toEqual([['bob', 'caught', null]])
  })

  test('that is deleted makes what is scheduled for it a draft again at once, which says why', async () => {
    await people('Ada')
    const audience = await segmentOf(named('ada'))
    const id = await write()
    const other = await write()
    const in_an_hour = new Date(Date.now() + 3_600_000).toISOString()
    await call('POST', `/publications/${id}/send`, { audience, at: in_an_hour })
    await call('POST', `/publications/${other}/send`, { at: in_an_hour })
    await call('DELETE', `/segments/${audience.segmentId}?evenIfUsed=true`)
    await server.work()
    expect(await call('GET', `/publications/${other}`)).toMatchObject({ status: 'scheduled' })
    expect(await call('GET', `/publications/${id}`)).toMatchObject({
      status: 'draft',
      stoppedBy: 'segment_not_found',
      // Not everybody: whoever sends it again chooses first.
      audience: { kind: 'segment', segmentId: audience.segmentId },
    })
    expect((await call('POST', `/publications/${id}/send`, {})).error.code).toBe('segment_not_found')
    expect(await states(id)).toEqual([])
  })
})

test('docs/segments.md has the limits', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/segments.md'), 'utf8')
  const written = [...text.matchAll(/^\| `(\w+)` \|.*\| ([\d,]+) \|$/gm)].map(([, name, most]) => [
    name,
    Number(most?.replace(',', '')),
  ])
  expect(Object.fromEntries(written)).toEqual(segmentLimits)
})
