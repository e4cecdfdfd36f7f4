import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../database/client.ts'
import { importFile } from '../../testing/import-file.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'

/** More than a batch. */
const PEOPLE = 6_000

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

/** As a request to subscribe does; its foreign key looks for the subscriber. */
const queueMail = (db: Db, subscriberId: string) =>
  db
    .insertInto('confirmation_mail')
    .values({ newsletter_id: server.newsletterId, subscriber_id: subscriberId, due_at: 'infinity' })
    .execute()

const scans = async (db: Db): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  await sql`select pg_stat_clear_snapshot()`.execute(db)
  const { rows } = await sql<{ n: number }>`
    select seq_scan::integer as n from pg_stat_user_tables where relname = 'subscriber'`.execute(db)
  return rows[0]?.n ?? 0
}

test('a connection that knew few subscribers does not read all of them for each who subscribes after an import', async () => {
  const { db } = server.context
  const few = await server.addSubscribers(Array.from({ length: 12 }, (_, n) => `early${n}@example.org`))
  await sql`analyze subscriber`.execute(db)
  await db.connection().execute(async (one) => {
    // PostgreSQL keeps the plan of a foreign key after some uses. That of twelve subscribers reads them all.
    for (const id of few) await queueMail(one, id)
    const lines = Array.from({ length: PEOPLE }, (_, n) => `person${n}@example.org`)
    expect(await importFile(server, ['email', ...lines].join('\n'))).toMatchObject({ counts: { added: PEOPLE } })
    const some = await db
      .selectFrom('subscriber')
      .select('id')
      .where('source', '=', 'import')
      .orderBy('id', 'desc')
      .limit(20)
      .execute()
    const before = await scans(one)
    for (const { id } of some) await queueMail(one, id)
    expect((await scans(one)) - before).toBe(0)
  })
})
