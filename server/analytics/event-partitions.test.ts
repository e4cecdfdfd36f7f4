import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { ensureEventPartitions } from './event-partitions.job.ts'

test('programs that start at once make the partitions of coming months once', async () => {
  const server = await startTestApp()
  const { db } = server.context
  const far = new Date('2051-03-15T12:00:00Z')
  await Promise.all(Array.from({ length: 5 }, () => ensureEventPartitions(db, far)))
  const { rows } = await sql<{ partitions: number }>`
    select count(*)::integer as partitions from pg_inherits where inhrelid::regclass::text like '%2051%'`.execute(db)
  expect(rows[0]?.partitions).toBeGreaterThanOrEqual(3)
  await server.stop()
})
