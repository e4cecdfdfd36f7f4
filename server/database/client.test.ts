import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { createPool } from './client.ts'

test('an idle connection that the server ends is dropped, and the next query has another', async () => {
  const database = await createTestDatabase({ bare: true })
  const [idle, other] = [createPool(database.url), createPool(database.url)]
  onTestFinished(async () => {
    await Promise.all([idle.end(), other.end()])
    await database.drop()
  })
  const own = async () => (await idle.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const first = await own()
  const dropped = new Promise((resolve) => idle.once('remove', resolve))
  await other.query('select pg_terminate_backend($1, 5000)', [first])
  await dropped
  expect(await own()).not.toBe(first)
})
