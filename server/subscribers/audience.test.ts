import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { countAudience, everyone, recipientsNow, recipientsToPlan, variantOf } from './audience.ts'

let server: TestNewsletter
const statuses = ['active', 'pending', 'unsubscribed', 'bounced', 'complained']
beforeAll(async () => {
  server = await startTestNewsletter()
  const { db } = server.context
  // One of each status whose address is free, and one whose address is suppressed.
  await server.addSubscribers(
    statuses.flatMap((status) => [`${status}@example.org`, `${status}-suppressed@example.org`]),
  )
  await sql`update subscriber set status = regexp_replace(split_part(email, '@', 1), '-suppressed', '')
    where newsletter_id = ${server.newsletterId}`.execute(db)
  await sql`insert into suppression (newsletter_id, email_normalised, reason)
    select newsletter_id, email_normalised, 'by_hand' from subscriber where email like '%-suppressed@%'`.execute(db)
  // One whose pause goes on, and one whose pause is over.
  await server.addSubscribers(['paused@example.org', 'rested@example.org'])
  await sql`update subscriber set paused_until = now() + case email when 'paused@example.org' then 1 else -1 end * interval '1 hour'
    where email in ('paused@example.org', 'rested@example.org')`.execute(db)
})
afterAll(() => server?.stop())

test('the count before sending, the plan and the check before a delivery name the same people', async () => {
  const { db } = server.context
  const { newsletterId } = server
  const planned = await sql<{ id: string; email: string; suppressed_by: string | null }>`
    select * from (${recipientsToPlan(newsletterId, everyone)}) r order by email`.execute(db)
  expect(planned.rows.map(({ email, suppressed_by }) => [email, suppressed_by])).toEqual([
    ['active-suppressed@example.org', 'by_hand'],
    ['active@example.org', null],
    ['rested@example.org', null],
  ])
  expect(await countAudience(db, newsletterId, { publicationId: 'none', audience: everyone })).toEqual({
    receive: 2,
    suppressed: 1,
    byHand: 1,
    onDigest: 0,
    paused: 1,
    pending: 2,
    already: 0,
  })

  const now = await sql<{ id: string; excluded_by: string | null }>`
    select * from (${recipientsNow({ newsletterId, id: 'none', audience: everyone })}) r`.execute(db)
  const mayReceive = now.rows.filter(({ excluded_by }) => excluded_by === null).map(({ id }) => id)
  expect(mayReceive.toSorted()).toEqual(
    planned.rows
      .filter((row) => row.suppressed_by === null)
      .map(({ id }) => id)
      .toSorted(),
  )
  expect(now.rows.map(({ excluded_by }) => excluded_by).toSorted()).toEqual(
    [null, null, 'paused', ...statuses.slice(1), ...statuses.map(() => 'by_hand')].toSorted(),
  )
})

test('recipients of one language get one variant', () => {
  expect(variantOf({ language: 'fr' }, [])).toBe(variantOf({ language: 'fr', plans: [1] }, []))
  expect(variantOf({ language: 'fr' }, [])).not.toBe(variantOf({ language: 'en' }, []))
})

test('of a publication with gates, those get one variant for whom the same ones are open', () => {
  const variant = (...plans: number[]) => variantOf({ language: 'fr', plans }, ['paid', [1, 2]])
  expect(variant(1)).toBe(variant(2, 3))
  expect(new Set([variant(), variant(3), variant(1)]).size).toBe(3)
  expect(variantOf({ language: 'fr' }, ['paid'])).toBe(variantOf({ language: 'fr', plans: [] }, ['paid']))
})
