import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordFeedback } from '../../feedback/feedback.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { DeliveryKey } from '../../mail/return-path.ts'
import { addAcceptedDeliveries } from '../../testing/deliveries.ts'
import { importFile } from '../../testing/import-file.ts'
import { lockWaiters } from '../../testing/lock-waiters.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'
import { mailMoveJob } from './mail-move.job.ts'
import { MoveLinks } from './move-links.ts'

let relay: RecordingRelay
let server: TestNewsletter
beforeAll(async () => {
  relay = await startRecordingRelay((to) => (to.startsWith('full.') ? { code: 452, text: '4.2.2 mailbox full' } : null))
  server = await startTestNewsletter({ SMTP_URL: relay.url })
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

const find = (id: string) =>
  server.context.db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** By the link that was mailed to the new address. */
async function move(id: string, to: string): Promise<void> {
  const { config, signer } = server.context
  const token = new MoveLinks(config.secret, signer).make(await find(id), { kind: 'to', to, now: new Date() })
  const moved = await server.inject({ method: 'POST', url: `/move/${token}` })
  expect(moved.statusCode).toBe(200)
}

test('what waits for somebody who has moved goes to the address that they have now', async () => {
  const [id = ''] = await server.addSubscribers(['full.ada@example.org'])
  const { id: publicationId } = await server.draft({ title: 'Ebb' })
  await server.send(publicationId)
  await server.work()
  expect(await server.counts(publicationId)).toEqual({ intended: 1, deferred: 1 })
  await move(id, 'ada@example.net')
  relay.received.length = 0
  await sql`update delivery set due_at = now()`.execute(server.context.db)
  await server.work()
  const ebb = relay.received.filter(({ raw }) => raw.includes('Subject: Ebb')).map(({ to }) => to)
  expect(ebb).toEqual(['ada@example.net'])
  const { rows } = (await server.owner.call('GET', `${server.path}/publications/${publicationId}/deliveries`)).json()
  expect(rows).toMatchObject([{ email: 'ada@example.net', state: 'accepted' }])
})

test('a bounce of the address before says nothing of the one after; a complaint about the mail to it ends the subscription', async () => {
  const [id = ''] = await server.addSubscribers(['bea@example.org'])
  const before: DeliveryKey[] = []
  for (let n = 0; n < 8; n += 1) before.push(...(await addAcceptedDeliveries(server, [id])))
  await move(id, 'bea@example.net')
  const { db } = server.context
  const [gone, complained, ...full] = before
  const report = async (delivery: DeliveryKey | undefined, kind: 'hard' | 'soft' | 'complaint') => {
    const words = kind === 'soft' ? '452 4.2.2 mailbox full' : '550 5.1.1 unknown'
    if (delivery) await recordFeedback(db, delivery, { source: 'dsn', kind, status: null, words })
  }
  await report(gone, 'hard')
  for (const delivery of full) await report(delivery, 'soft')
  expect(await find(id)).toMatchObject({ status: 'active' })
  expect(await db.selectFrom('suppression').selectAll().execute()).toEqual([])
  await report(complained, 'complaint')
  expect(await find(id)).toMatchObject({ status: 'complained' })
})

test('a bounce that comes while somebody moves says nothing of the address after either', async () => {
  const [id = ''] = await server.addSubscribers(['eve@example.org'])
  const [delivery] = await addAcceptedDeliveries(server, [id])
  if (!delivery) throw new Error('no delivery')
  const { db } = server.context
  const waiting = await db.transaction().execute(async (tx) => {
    const [email, normal] = ['Eve@example.net', 'eve@example.net']
    await sql`update subscriber set email = ${email}, email_normalised = ${normal} where id = ${id}`.execute(tx)
    const report = recordFeedback(db, delivery, {
      source: 'dsn',
      kind: 'hard',
      status: null,
      words: '550 5.1.1 unknown',
    })
    await vi.waitFor(
      async () => {
        expect(await lockWaiters(db)).toBe(1)
      },
      { timeout: 10_000 },
    )
    return { report }
  })
  expect(await waiting.report).toBe(true)
  expect(await find(id)).toMatchObject({ status: 'active', email: 'Eve@example.net' })
})

test('no file brings the address before back beside the new one; who moves back is as before', async () => {
  const [id = ''] = await server.addSubscribers(['cleo@example.org'])
  await move(id, 'cleo@example.net')
  const old = await importFile(server, 'email\ncleo@example.org\n')
  expect(old.counts).toMatchObject({ added: 0, leftOut: 1, reasons: { erased_before: 1 } })
  await sql`delete from event where kind = 'moved'`.execute(server.context.db)
  await move(id, 'cleo@example.org')
  const again = await importFile(server, 'email,name\ncleo@example.org,Cleo\n')
  expect(again.counts).toMatchObject({ added: 0, here: 1, leftOut: 0 })
  expect(await find(id)).toMatchObject({ email: 'cleo@example.org', name: 'Cleo', status: 'active' })
})

test('what is queued about a move is erased with its subscriber, whatever address it goes to', async () => {
  const { db } = server.context
  const [id = ''] = await server.addSubscribers(['dora@example.org'])
  const asked = { newsletterId: server.newsletterId, subscriberId: id, kind: 'ask', to: 'dora@example.net' } as const
  await enqueue(db, 'mail_move', asked)
  const { rows } = await sql`select j.id from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'mail_move'`.execute(db)
  await mailMoveJob(server.context)(asked, { job: rows[0] } as never)
  await enqueue(db, 'mail_move', asked)
  const about = async () => {
    // What removes her caught mail has to know to whom it went.
    const { rows } = await sql`select from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier <> 'forget_caught_mail'
      where j.payload::text like '%dora@%'`.execute(db)
    return rows.length
  }
  expect(await about()).toBe(2)
  await server.owner.call('DELETE', server.subscriberPath(id))
  expect(await about()).toBe(0)
})
