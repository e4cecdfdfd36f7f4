import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'

const FIRST_WRITTEN = '0f9273f31ef03a9fae6946a1e434a97e401e345f573f2d2a6c6ded443db17b7e'

let database: TestDatabase
let client: pg.Client
beforeEach(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.url)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

const waiting = async () =>
  (await client.query('select short_link_id, subscriber_id, device, rules from click_waiting order by 1')).rows

test('a database with the first form of waiting clicks is migrated, and keeps them', async () => {
  const clicks = ['a', 'b'].map((short_link_id) => ({
    ...{ newsletter_id: 'low', short_link_id, at: '2026-11-23T09:00:00Z', device: 'phone', rules: 2 },
  }))
  await client.query('drop table click_waiting; create table click_waiting (clicks text not null)')
  await client.query('insert into click_waiting values ($1), ($2)', [
    JSON.stringify(clicks),
    JSON.stringify(clicks.slice(0, 1)),
  ])
  await client.query(`update migration set checksum = $1 where name = '0098_clicks_in_batches.sql'`, [FIRST_WRITTEN])
  await client.query(`delete from migration where name = '0113_clicks_in_arrays.sql'`)
  expect(await migrate(database.url)).toEqual(['0113_clicks_in_arrays.sql'])
  expect(await waiting()).toEqual([
    { short_link_id: ['a'], subscriber_id: [null], device: ['phone'], rules: [2] },
    { short_link_id: ['a', 'b'], subscriber_id: [null, null], device: ['phone', 'phone'], rules: [2, 2] },
  ])
  expect(await migrate(database.url)).toEqual([])
})

test('the times of clicks that wait are kept when they become numbers', async () => {
  await client.query('alter table click_waiting alter column at type timestamptz[] using null')
  const at = ['2026-11-23T09:00:00.123Z', '2026-11-23T08:59:59Z']
  await client.query(
    `insert into click_waiting (newsletter_id, short_link_id, at, device, rules) values ('{low}', '{a,b}', $1, '{phone}', '{2}')`,
    [at],
  )
  await client.query(`delete from migration where name = '0175_click_times.sql'`)
  expect(await migrate(database.url)).toEqual(['0175_click_times.sql'])
  const { rows } = await client.query<{ at: string[] }>('select at from click_waiting')
  expect(rows[0]?.at.map(Number)).toEqual(at.map(Date.parse))
})

test('what was applied and has changed is refused', async () => {
  for (const name of ['0098_clicks_in_batches.sql', '0115_take_back.sql']) {
    await client.query(`update migration set checksum = 'another' where name = $1`, [name])
    await expect(migrate(database.url)).rejects.toThrow(`The migration ${name} has changed`)
    await client.query('delete from migration where name = $1', [name])
  }
})
