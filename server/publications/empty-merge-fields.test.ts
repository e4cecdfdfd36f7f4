import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan, addPaidSubscription } from '../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
  await room.addSubscribers(['a@example.org', 'b@example.org'])
  await room.addSubscribers(['blank@example.org'], ' \u00a0')
  await room.addSubscribers(['ines@example.org', 'yann@example.org'], 'Inès')
})
afterAll(() => room?.stop())

const tag = (field: string, fallback = '') => ({ type: 'mergeTag', attrs: { field, fallback } })
const greeting = (...tags: object[]) => ({
  type: 'paragraph',
  content: [{ type: 'text', text: 'Dear ' }, ...tags, { type: 'text', text: ', welcome' }],
})
const written = (...content: object[]) => room.draft({ content: { type: 'doc', content } })

async function found(id: string, query = '') {
  const answer = await room.owner.call('GET', `${room.path}/publications/${id}/check${query}`)
  const { problems, emptyMergeFields } = answer.json<{
    problems: { code: string; blocks: boolean; count: number }[]
    emptyMergeFields: { field: string; count: number; examples: { email: string }[] }[]
  }>()
  return {
    problem: problems.find(({ code }) => code === 'empty_merge_fields') ?? null,
    fields: emptyMergeFields.map(({ field, count, examples }) => [field, count, examples.map(({ email }) => email)]),
  }
}

const three = ['a@example.org', 'b@example.org', 'blank@example.org']

test('those who would read nothing are counted, with some of them, and nothing leaves until there is a fallback', async () => {
  const { id, revision } = await written(greeting(tag('first_name')))
  expect(await found(id)).toEqual({
    problem: { code: 'empty_merge_fields', blocks: true, count: 3 },
    fields: [['first_name', 3, three]],
  })
  for (const body of [{}, { at: new Date(Date.now() + 3_600_000).toISOString() }]) {
    const refused = await room.send(id, body)
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({ error: { code: 'empty_merge_fields' } })
  }
  expect(await room.state(id)).toMatchObject({ status: 'draft' })
  const content = { type: 'doc', content: [greeting(tag('first_name', 'reader'))] }
  await room.owner.call('PATCH', `${room.path}/publications/${id}`, { revision, content })
  expect(await found(id)).toEqual({ problem: null, fields: [] })
  expect((await room.send(id)).statusCode).toBe(200)
})

test('a fallback of blanks is none; an address is always there; a field that is not kept is empty for everybody', async () => {
  const { id } = await written(greeting(tag('name', '  '), tag('email'), tag('town')))
  expect((await found(id)).fields).toEqual([
    ['name', 3, three],
    ['town', 5, three],
  ])
})

test('only those count who get the mail and read that place', async () => {
  const plan = await addPaidPlan(room.context.db, room.newsletterId)
  const [paying = ''] = await room.addSubscribers(['pays@example.org'])
  const { newsletterId } = room
  await addPaidSubscription(room.context.db, { newsletterId, subscriberId: paying }, { planId: plan })
  const only = (forWhom: unknown) => ({ type: 'onlyFor', attrs: { for: forWhom }, content: [greeting(tag('name'))] })
  const text = paragraph('Twice a day the sea leaves.')
  expect((await found((await written(text, only('paid'))).id)).fields).toEqual([['name', 1, ['pays@example.org']]])
  expect((await found((await written(text, only([plan]))).id)).fields).toEqual([['name', 1, ['pays@example.org']]])
  expect((await found((await written(text, only('free'))).id)).fields).toEqual([['name', 3, three]])
  const walled = await written(text, { type: 'paywall' }, greeting(tag('name')))
  expect((await found(walled.id)).fields).toEqual([['name', 1, ['pays@example.org']]])
  expect((await found(walled.id, '?plan=free')).fields).toEqual([])
  const web = await room.send(walled.id, { channel: 'web' })
  expect(web.statusCode, web.body).toBe(200)
})

test('the line that inboxes show beside the subject leaves the gap out, because it is the same for everybody', async () => {
  const shown = async (...content: object[]) => {
    const { id } = await written({ type: 'paragraph', content })
    const answer = await room.owner.call('POST', `${room.path}/publications/${id}/preview`, {})
    return answer.json<{ preheader: string }>().preheader
  }
  const text = (words: string) => ({ type: 'text', text: words })
  expect(await shown(text('Dear '), tag('name'), text(', welcome.'))).toBe('Dear, welcome.')
  expect(await shown(text('Hello, '), tag('name'), text('! Come in.'))).toBe('Hello! Come in.')
  expect(await shown(text('Bonjour '), tag('name'), text('\u202f! Entrez.'))).toBe('Bonjour ! Entrez.')
  expect(await shown(tag('name'), text(', come in.'))).toBe('come in.')
  expect(await shown(text('Dear '), tag('name', 'reader'), text(', welcome.'))).toBe('Dear reader, welcome.')
})

test('what was scheduled is a draft again when somebody without a name came meanwhile', async () => {
  const { id } = await written(greeting(tag('name')))
  const segment = await room.owner.call('POST', `${room.path}/segments`, {
    name: 'Named',
    filter: { all: [{ on: 'email', op: 'contains', value: 'yann' }] },
  })
  expect(segment.statusCode, segment.body).toBe(200)
  const { id: segmentId } = segment.json<{ id: number }>()
  const audience = { kind: 'segment', segmentId }
  const at = new Date(Date.now() + 3_600_000)
  const planned = await room.send(id, { audience, at: at.toISOString() })
  expect(planned.statusCode, planned.body).toBe(200)
  await room.addSubscribers(['yannick@example.org'])
  await sql`update graphile_worker._private_jobs set run_at = now() where key = ${`start:${id}`}`.execute(
    room.context.db,
  )
  await room.work()
  expect(await room.state(id)).toMatchObject({ status: 'draft', stopped_by: 'empty_merge_fields' })
})

test('a welcome goes to people who are not known yet, so it needs a fallback', async () => {
  const bare = await written(greeting(tag('name')))
  const chosen = await room.owner.call('PUT', `${room.path}/welcomes`, { segmentId: null, publicationId: bare.id })
  expect(chosen.statusCode).toBe(422)
  expect(chosen.json()).toMatchObject({ error: { code: 'empty_merge_fields' } })
  const fine = await written(greeting(tag('name', 'reader'), tag('email')))
  const body = { segmentId: null, publicationId: fine.id }
  expect((await room.owner.call('PUT', `${room.path}/welcomes`, body)).statusCode).toBe(200)
})

test('a page knows nobody: a tag without a fallback is said beforehand, and leaves no hole there', async () => {
  const { id } = await written(paragraph('Twice a day the sea leaves.'), greeting(tag('name')))
  const check = async (query: string) =>
    (await room.owner.call('GET', `${room.path}/publications/${id}/check${query}`)).json<{
      problems: { code: string; blocks: boolean; count: number }[]
    }>().problems
  const expected = { code: 'bare_on_web', blocks: false, count: 1 }
  for (const query of ['?channel=web', '']) expect(await check(query)).toContainEqual(expected)
  const sent = await room.send(id, { channel: 'web' })
  expect(sent.statusCode, sent.body).toBe(200)
  const { url } = (await room.owner.call('GET', `${room.path}/publications/${id}`)).json<{ url: string }>()
  const page = await room.app.inject(new URL(url).pathname)
  expect(page.body).toContain('Dear …, welcome')
})
