import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFile } from '../testing/import-file.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

/** Subscribers in every state, with everything that a file must not lose. */
async function fill(): Promise<void> {
  const { db } = room.context
  for (const [key, kind] of [
    ['city', 'text'],
    ['boats', 'number'],
    ['birthday', 'date'],
    ['sails', 'yes_no'],
  ])
    await room.owner.call('POST', `${room.path}/fields`, { key, label: key, kind })
  const people = [
    ['ada@example.com', '=1+1', 'active', null, { city: "'-x;=y", boats: -2.5, birthday: '2001-02-03', sails: true }],
    ['+bea@example.com', 'Béa, “B”', 'unsubscribed', 'other', { sails: false }],
    ['cleo@example.com', null, 'bounced', 'bounced', {}],
    ['dan@example.com', "'t Hooft", 'complained', 'complained', { city: '@here' }],
    ['eve@example.com', 'Eve', 'pending', null, {}],
  ] as const
  for (const [email, name, status, reason, fields] of people)
    await sql`insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, source, created_at,
        confirmed_at, left_at, left_reason, fields)
      values (${room.newsletterId}, uuidv7(), ${email}, ${email}, ${name}, 'fr', ${status}, 'page',
        '2026-01-02T03:04:05.060708Z', ${status === 'pending' ? null : '2026-01-02T03:05:00.000001Z'},
        ${reason && '2026-02-01T00:00:00.5Z'}, ${reason}, ${JSON.stringify(fields)})`.execute(db)
  await sql`update subscriber set paused_until = '2027-03-01T00:00:00Z', pace = 'monthly' where email = 'ada@example.com'`.execute(
    db,
  )
  for (const [name, email] of [
    ['Deep; \\ sea', 'ada@example.com'],
    ['=tag', 'ada@example.com'],
    ['sea', '+bea@example.com'],
  ]) {
    const { id } = (await room.owner.call('POST', `${room.path}/tags`, { name })).json()
    await sql`insert into subscriber_tag select newsletter_id, ${id}, id from subscriber where email = ${email}`.execute(
      db,
    )
  }
}

const exported = async (path: string) => {
  const [header, ...lines] = (await room.owner.call('GET', `${path}/subscribers.csv`)).body.trimEnd().split('\n')
  return [header, ...lines.toSorted()]
}

test('what was exported is imported into an empty newsletter, and its export is the same', async () => {
  await fill()
  const file = (await room.owner.call('GET', `${room.path}/subscribers.csv`)).body
  const newsletterId = await addNewsletter(room.context.db, room.owner.userId)
  const path = `/api/newsletters/${newsletterId}`
  for (const { key, label, kind } of (await room.owner.call('GET', `${room.path}/fields`)).json().fields)
    await room.owner.call('POST', `${path}/fields`, { key, label, kind })
  const done = await importFile({ ...room, newsletterId, path }, file)
  expect(done).toMatchObject({ state: 'done', report: [] })
  expect(await exported(path)).toEqual(await exported(room.path))
})
