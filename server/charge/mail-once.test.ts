import type { JobHelpers } from 'graphile-worker'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue, type Jobs } from '../jobs/queue.ts'
import { addPaidSubscription } from '../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { jobsOf } from '../work.ts'
import { makeGifts } from './gifts/gifts.ts'

const EMAIL = 'reader@example.org'

let server: TestNewsletter
let subscriberId: string
let subscriptionId: string
beforeAll(async () => {
  server = await startTestNewsletter()
  const { db } = server.context
  ;[subscriberId = ''] = await server.addSubscribers([EMAIL])
  const key = { newsletterId: server.newsletterId, subscriberId }
  subscriptionId = await addPaidSubscription(db, key, { way: 'card', status: 'past_due', past_due_since: new Date() })
  const failure = {
    newsletter_id: server.newsletterId,
    invoice_id: 'in_1',
    subscription_id: subscriptionId,
    attempts: 1,
    stated_at: new Date(),
  }
  await db
    .insertInto('payment_failure')
    .values({ ...failure, failed_at: new Date() })
    .execute()
})
afterAll(() => server?.stop())

/** Does the job that waits, as a worker that is killed before it can say that it is done. */
async function doAndBeKilled(name: keyof Jobs): Promise<void> {
  const { rows } = await sql<{ id: string; payload: never }>`
    select j.id, j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${name}`.execute(server.context.db)
  expect(rows).toHaveLength(1)
  for (const job of rows) await jobsOf(server.context)[name](job.payload, { job } as unknown as JobHelpers)
}

const planId = async () => {
  const { db } = server.context
  return (await db.selectFrom('plan').select('id').executeTakeFirstOrThrow()).id
}

const asked: [keyof Jobs & string, () => Promise<object>][] = [
  ['mail_read_link', async () => ({ to: null, typed: EMAIL })],
  ['mail_payment_failure', async () => ({ subscriptionId, step: 'failed', invoiceId: 'in_1' })],
  [
    'mail_gift',
    async () => {
      const wanted = { planId: await planId(), months: 3, count: 1, until: null, note: '' }
      const [gift] = await makeGifts(server.context, server.newsletterId, wanted)
      return { giftId: gift?.id, email: EMAIL, language: 'en' }
    },
  ],
]

test.each(asked)('%s mails once, when its worker is killed before it says that it is done', async (name, payloadOf) => {
  const { db } = server.context
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  const payload = { newsletterId: server.newsletterId, ...(await payloadOf()) }
  await enqueue(db, name, payload as unknown as Jobs[typeof name])
  await doAndBeKilled(name)
  const before = await server.queuedMail(EMAIL)
  expect(before).toHaveLength(1)
  const { rows } = await sql`select from graphile_worker._private_jobs`.execute(db)
  // What would be done again is not there any more.
  expect(rows).toHaveLength(1)
})
