import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { sent } from '../../testing/newsletter-history.ts'
import { suppress } from '../change.ts'
import { MOST_NOTES, type TimelineRow } from './contract.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

const shown = (id = '') => server.context.shownIds.show(id)
const call = async (method: InjectOptions['method'], rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${server.path}${rest}`, body)
  return { status: answer.statusCode, text: answer.body, ...answer.json() }
}
const run = <T>(statement: ReturnType<typeof sql<T>>) => statement.execute(server.context.db)

test('the timeline tells what happened, by whom, page by page, and no id that opens a link of the reader', async () => {
  const { id: publicationId, subscriberIds } = await sent(server, 'timeline.example', ['a', 'b'])
  const [subscriberId] = subscriberIds
  const path = `/subscribers/${shown(subscriberId)}`
  const tag = await call('POST', '/tags', { name: 'Sailors' })
  await call('POST', '/fields', { key: 'boat', label: 'Boat', kind: 'text' })
  await call('PATCH', path, { tagIds: [tag.id], fields: { boat: 'Morvarc’h' } })
  await call('PATCH', path, { tagIds: [tag.id] })
  await call('POST', '/bulk-changes', { act: 'untag', tagId: tag.id, chosen: { ids: [shown(subscriberId)] } })
  await server.work()
  await call('POST', `${path}/unsubscribe`, {})
  // A scanner’s click is none.
  await run(sql`insert into click (newsletter_id, short_link_id, publication_id, subscriber_id, at, device, excluded_by)
    select newsletter_id, short_link_id, publication_id, subscriber_id, at, device, 'datacenter' from click
    where newsletter_id = ${server.newsletterId} and subscriber_id = ${subscriberId} limit 1`)

  const whole = await call('GET', `${path}/timeline`)
  expect(whole.next).toBeNull()
  const kinds = whole.rows.map(({ kind }: TimelineRow) => kind)
  expect(kinds.slice(0, 3)).toEqual(['unsubscribed', 'edited', 'edited'])
  expect(kinds.slice(3).toSorted()).toEqual(['caught', 'clicked', 'opened'])
  expect(whole.rows.slice(0, 3)).toMatchObject([
    { means: 'by-hand' },
    { by: 'Inès', taken: ['Sailors'], given: [], fields: [] },
    { by: 'Inès', given: ['Sailors'], fields: ['boat'] },
  ])
  const clicked = whole.rows.find(({ kind }: TimelineRow) => kind === 'clicked')
  expect(clicked).toMatchObject({ target: 'https://example.org/tide', publication: { id: publicationId } })

  const paged: unknown[] = []
  let cursor = ''
  do {
    const page = await call('GET', `${path}/timeline?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    paged.push(...page.rows)
    cursor = page.next ?? ''
  } while (cursor !== '')
  expect(paged).toEqual(whole.rows)
  for (const rest of ['', '/timeline', '/clicks', '/notes'])
    expect((await call('GET', path + rest)).text).not.toContain(subscriberId)

  const { links, human, excluded } = await call('GET', `${path}/clicks`)
  expect(links).toMatchObject([{ target: 'https://example.org/tide', clicks: 1, publication: { id: publicationId } }])
  expect([human, excluded]).toEqual([1, 1])
})

test('rows of the same moment are told once each, however small the pages are', async () => {
  const [id] = await server.addSubscribers(['same@moment.example'])
  await run(sql`insert into event (newsletter_id, id, at, kind, subscriber_id)
    select ${server.newsletterId}, gen_random_uuid(), '2026-05-01T10:00:00.123456Z', 'opened', ${id}::uuid from generate_series(1, 7)`)
  let cursor = ''
  let rows = 0
  do {
    const page = await call('GET', `/subscribers/${shown(id)}/timeline?limit=3${cursor && `&cursor=${cursor}`}`)
    rows += page.rows.length
    cursor = page.next ?? ''
  } while (cursor !== '')
  expect(rows).toBe(7)
})

test('a bounce and what lifted it are told', async () => {
  const [lost = ''] = await server.addSubscribers(['lost@timeline.example'])
  const { newsletterId } = server
  const words = '550 5.1.1 no such user'
  await suppress(server.context.db, 'bounced', [
    { newsletterId, subscriberId: lost, publicationId: (await server.draft()).id, words },
  ])
  const path = `/subscribers/${shown(lost)}`
  await call('POST', `${path}/restore`, { reason: 'They asked' })
  const { rows } = await call('GET', `${path}/timeline`)
  expect(rows.map(({ kind }: TimelineRow) => kind).slice(0, 2)).toEqual(['restored', 'bounced'])
})

test('notes are written, named, bounded and deleted, and go with the person', async () => {
  const [id] = await server.addSubscribers(['noted@example.org'])
  const path = `/subscribers/${shown(id)}`
  const note = await call('POST', `${path}/notes`, { text: '  Lends a boat.\nCall after the season.  ' })
  expect(note).toMatchObject({ status: 200, by: 'Inès', text: 'Lends a boat.\nCall after the season.' })
  for (const text of ['', ' ', 'x'.repeat(2_001), 'a\0b', 3])
    expect((await call('POST', `${path}/notes`, { text })).status).toBe(422)
  await run(sql`insert into subscriber_note (newsletter_id, id, subscriber_id, text)
    select ${server.newsletterId}, gen_random_uuid(), ${id}::uuid, 'x' from generate_series(3, ${MOST_NOTES})`)
  const answers = await Promise.all([1, 2, 3].map(() => call('POST', `${path}/notes`, { text: 'Last' })))
  expect(answers.map(({ status, error }) => error?.code ?? status).toSorted()).toEqual([
    200,
    'too_many_notes',
    'too_many_notes',
  ])
  expect((await call('DELETE', `${path}/notes/${note.id}`)).status).toBe(200)
  expect((await call('DELETE', `${path}/notes/${note.id}`)).error.code).toBe('note_not_found')
  const other = await server.addSubscribers(['other@example.org'])
  const [{ id: noteId }] = (await call('GET', `${path}/notes`)).notes
  expect((await call('DELETE', `/subscribers/${shown(other[0])}/notes/${noteId}`)).error.code).toBe('note_not_found')
  await call('DELETE', path)
  const left = await run(sql`select from subscriber_note where newsletter_id = ${server.newsletterId}`)
  expect(left.rows).toEqual([])
})

test.each(['/timeline', '/clicks', '/notes'])('of nobody, %s is not found', async (rest) => {
  expect((await call('GET', `/subscribers/${'0'.repeat(32)}${rest}`)).error.code).toBe('subscriber_not_found')
})

test.each(['x', '2026-13-45T00:00:00.000000Z~e1', '2026-02-30T00:00:00.000000Z~e1', `${'9'.repeat(200)}`, '~', "';--"])(
  'the cursor %s shows nothing',
  async (cursor) => {
    const [id] = await server.addSubscribers([`cursor${Math.random()}@example.org`])
    const answer = await call('GET', `/subscribers/${shown(id)}/timeline?cursor=${encodeURIComponent(cursor)}`)
    expect([200, 422]).toContain(answer.status)
  },
)
