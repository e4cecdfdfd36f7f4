import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { heldOfSubscribers, heldOfUsers } from './register.ts'

/** Columns whose name is that of a person's, and which hold none. Each with what they hold. */
const nobody = new Map([
  ['delivery.claimed_by', 'the name of a worker'],
  ['publication.unscheduled_by', 'an error code'],
  ['recommendation_policy.recommended_by', 'who may, as a word of a setting'],
  ['sending.stopped_by', 'an error code'],
])

/** Clicks on their way to `click`, within a minute. Each row is of many newsletters. */
const waiting = 'click_waiting'

const personalName =
  /^(subscriber|user|author|owner|member|visitor|person)_id$|email|ip_address|user_agent|^network$|_by$|phone|birth/

interface Column {
  table: string
  column: string
  /** The table of people that a foreign key of this column names, and what that key does when the person is deleted. */
  refersTo: string | null
  onDelete: string | null
}

let server: TestApp
let columns: Column[]
const held = [...heldOfSubscribers, ...heldOfUsers]
const registeredColumns = () =>
  held.flatMap(({ table, person, exported }) => [person, ...exported].map((column) => name({ table, column })))
const name = (one: { table: string; column: string }) => `${one.table}.${one.column}`

beforeAll(async () => {
  server = await startTestApp()
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as column, f.relname as "refersTo",
      case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else k.confdeltype::text end as "onDelete"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and a.attnum = any(k.conkey)
      and k.confrelid in ('"user"'::regclass, 'member'::regclass, 'subscriber'::regclass)
      and (a.attname <> 'newsletter_id' or cardinality(k.conkey) = 1)
    left join pg_class f on f.oid = k.confrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'migration'`.execute(server.context.db)
  columns = rows
})
afterAll(() => server?.stop())

test('the register knows every column that names a person', () => {
  const registered = new Set(registeredColumns())
  const personal = columns.filter(
    ({ table, column, refersTo }) => table !== waiting && (refersTo !== null || personalName.test(column)),
  )
  const forgotten = personal.map(name).filter((column) => !registered.has(column) && !nobody.has(column))
  expect(forgotten).toEqual([])
  expect([...nobody.keys()].filter((column) => registered.has(column))).toEqual([])
})

test('every column that refers to a person is the key of its own entry', () => {
  const keys = new Set(held.map(({ table, person }) => `${table}.${person}`))
  expect(
    columns
      .filter(({ refersTo }) => refersTo !== null)
      .map(name)
      .filter((column) => !keys.has(column)),
  ).toEqual([])
})

test('the register and its exceptions name only columns that exist', () => {
  const existing = new Set(columns.map(name))
  expect([...registeredColumns(), ...nobody.keys()].filter((column) => !existing.has(column))).toEqual([])
})

test('what goes by a foreign key has one that does it', () => {
  for (const { table, person, erase } of held) {
    const key = columns.find(({ table: t, column, refersTo }) => t === table && column === person && refersTo !== null)
    // A foreign key acts whether the register says so or not.
    expect([table, person, key?.onDelete]).toEqual([table, person, typeof erase === 'string' ? erase : undefined])
  }
})

test('every table of a newsletter is deleted with it', async () => {
  const { rows } = await sql<{ table: string }>`
    with recursive followed as (
      -- The trigger delete_subscribers of the newsletter deletes these two.
      select unnest(array['newsletter', 'subscriber', 'receipt_chain']::regclass[])::oid as oid
      union select k.conrelid from pg_constraint k join followed f on k.confrelid = f.oid
        where k.contype = 'f' and k.confdeltype = 'c'
    )
    select c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'newsletter_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> ${waiting} and c.oid not in (select oid from followed) order by 1`.execute(server.context.db)
  const deleted = heldOfSubscribers.filter((holding) => holding.deletedWithNewsletter).map(({ table }) => table)
  // Sendings, receipts and the newsletter are followed, and their triggers `delete_deliveries`, `stop_waiting` and `delete_link_figures` delete these.
  const byTriggers = [
    'delivery',
    'link_count',
    'link_current_count',
    'link_people',
    'link_source_count',
    'unchained_receipt',
  ]
  expect(rows.map(({ table }) => table)).toEqual([...deleted, ...byTriggers].toSorted())
})
