import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkAgain, checkFile, importFile } from '../../testing/import-file.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  await sql`truncate subscriber, consent, receipt_chain, receipt_checkpoint, unchained_receipt, tag, custom_field, import,
    import_refusal, daily_count, subscriber_count, audit, event cascade`.execute(server.context.db)
})

const joined = async () => {
  const { rows } = await sql<{ email: string; at: string }>`
    select email, to_char(confirmed_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as at
    from subscriber order by email`.execute(server.context.db)
  return rows.map(({ email, at }) => `${email} ${at}`)
}

/** More than what is looked at of a file when it is uploaded. */
const many = Array.from({ length: 8_000 }, (_, n) => `p${n}@example.org;"P ""${n}""";03/04/2025`)

test('a column proves its order, in a file with quotes, a byte order mark and semicolons', async () => {
  const file = [
    '\uFEFF"Email";"Nom";"Inscrit le"',
    '"ada@example.org";"Lovelace; Ada";"03/04/2025 14:30"',
    'yann@example.org;"Yann ""le Bris""";19/01/2025',
    'nour@example.org;;19.01.2025 9:05:07',
    'lise@example.org;;2025-02-01',
    'old@example.org;;19/01/25',
  ].join('\r\n')
  const checked = await checkFile(server, file)
  expect(checked.sheet?.columns[2]).toMatchObject({ target: { to: 'joined' }, days: 'day_first' })
  expect(checked).toMatchObject({ choices: { dayOrder: 'day_first' }, counts: { reasons: { not_a_time: 1 } } })
  await server.owner.call('POST', `${server.path}/imports/${checked.id}/start`, {})
  await server.work()
  expect((await joined()).filter((one) => !one.startsWith('old'))).toEqual([
    'ada@example.org 2025-04-03 14:30:00',
    'lise@example.org 2025-02-01 00:00:00',
    'nour@example.org 2025-01-19 09:05:07',
    'yann@example.org 2025-01-19 00:00:00',
  ])
})

test('what the last line proves holds for all, whatever was chosen before', async () => {
  const file = ['email;name;joined', ...many, 'last@example.org;;1/19/2025 2:30 PM'].join('\n')
  const done = await importFile(server, file, { dayOrder: 'day_first' })
  expect(done.sheet?.columns[2]).toMatchObject({ days: 'unproven', example: '03/04/2025' })
  expect(done).toMatchObject({ choices: { dayOrder: 'month_first' }, counts: { rows: 8_001, reasons: {} } })
  const found = await joined()
  expect(found[0]).toBe('last@example.org 2025-01-19 14:30:00')
  expect(new Set(found.slice(1).map((one) => one.slice(-19)))).toEqual(new Set(['2025-03-04 00:00:00']))
})

test('where nothing proves it the owner is asked, also when the first such day comes late', async () => {
  const plain = Array.from({ length: 8_000 }, (_, n) => `p${n}@example.org;P;2025-01-19`)
  const file = ['email;name;joined', ...plain, 'last@example.org;;03/04/2025'].join('\n')
  const asked = await checkFile(server, file)
  expect(asked).toMatchObject({ state: 'uploaded', refusal: { code: 'day_order', line: 8_002 }, counts: null })
  expect(asked.sheet?.columns[2]).toMatchObject({ days: 'unproven', example: '03/04/2025' })
  const checked = await checkAgain(server, asked, { dayOrder: 'month_first' })
  expect(checked).toMatchObject({ state: 'checked', refusal: null, counts: { added: 8_001, reasons: {} } })
  await server.owner.call('POST', `${server.path}/imports/${checked.id}/start`, {})
  await server.work()
  expect((await joined())[0]).toBe('last@example.org 2025-03-04 00:00:00')
})

test('a file in both orders leaves out only what has two meanings, and tells it once', async () => {
  const twice = Array.from({ length: 48 }, (_, n) => `t${n}@example.org,03/04/2025,04/05/2024`)
  const file = ['email,joined,birthday', 'a@example.org,19/01/2025,', 'b@example.org,1/20/2025,', ...twice].join('\n')
  const birthday = { to: 'new_field', label: 'Birthday', kind: 'date' }
  const targets = [{ to: 'email' }, { to: 'joined' }, birthday]
  const done = await importFile(server, file, { targets })
  expect(done.counts?.reasons).toEqual({ mixed_days: 48 })
  expect(done.choices?.dayOrder).toBeNull()
  expect(done.report).toEqual(
    [4, 5, 6, 7, 8].map((line) => ({ line, reason: 'mixed_days', cell: '03/04/2025 · 04/05/2024' })),
  )
  expect((await joined()).slice(0, 2)).toEqual([
    'a@example.org 2025-01-19 00:00:00',
    'b@example.org 2025-01-20 00:00:00',
  ])
})

test('a column that is not imported proves and asks nothing', async () => {
  const file = 'email,seen\nada@example.org,03/04/2025\nyann@example.org,04/03/2025\n'
  expect(await checkFile(server, file)).toMatchObject({ state: 'checked', choices: { dayOrder: null } })
})
