import { deflateRawSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import {
  checkAgain,
  checkFile,
  importFile,
  readImport,
  type ShownImport,
  uploadFile,
  uploadPart,
  words,
} from '../../testing/import-file.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { importLimits } from './contract.ts'
import { ImportRunner } from './runner.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

/** The beginning of a ZIP file with one entry (APPNOTE, section 4.3.7). */
function zip(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name), deflateRawSync(content)])
}

const give = async (content: string | Buffer): Promise<ShownImport> => {
  const shown = (await uploadFile(server, content)).json<ShownImport>()
  if (shown.state !== 'refused') await server.owner.call('POST', `${server.path}/imports/${shown.id}/cancel`, {})
  await server.work()
  return shown
}

test.each<[string, string | Buffer, string]>([
  ['an empty file', '', 'empty'],
  ['spaces', '  \n\n ', 'empty'],
  ['only a header', 'email,name\n', 'only_header'],
  ['a workbook', zip('xl/workbook.xml', Buffer.from('x')), 'spreadsheet'],
  ['an old workbook', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)]), 'spreadsheet'],
  ['a ZIP bomb', zip('people.csv', Buffer.alloc(200_000_000)), 'archive'],
  ['a gzip bomb', gzipSync(Buffer.alloc(200_000_000)), 'archive'],
  ['a PDF', '%PDF-1.7\nemail,name\na@example.org,A\n', 'binary'],
  ['a program', Buffer.concat([Buffer.from('7f454c46', 'hex'), Buffer.alloc(500, 7)]), 'binary'],
  ['zeros', Buffer.concat([Buffer.from('email,name\n'), Buffer.alloc(50), Buffer.from('a@example.org,A\n')]), 'binary'],
  [
    '10,000 columns',
    `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(',')}\n${'x,'.repeat(9_999)}x\n`,
    'too_many_columns',
  ],
  ['a header without an end', 'x'.repeat(300_000), 'line_too_long'],
])('%s is refused', async (_, content, code) => {
  const { state, refusal } = await give(content)
  expect([state, refusal?.code]).toEqual(['refused', code])
})

test.each<[string, Buffer, string]>([
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFemail;nom\nrene@example.org;René Éluard\n'), 'utf-8'],
  [
    'UTF-16 with a byte order mark',
    Buffer.from('\uFEFFemail;nom\nrene@example.org;René Éluard\n', 'utf16le'),
    'utf-16le',
  ],
  ['UTF-16 without one', Buffer.from('email;nom\nrene@example.org;René Éluard\n', 'utf16le'), 'utf-16le'],
  ['big-endian UTF-16', Buffer.from('\uFEFFemail;nom\nrene@example.org;René Éluard\n', 'utf16le').swap16(), 'utf-16be'],
  ['windows-1252', Buffer.from('email;nom\nrene@example.org;René Éluard\n', 'latin1'), 'windows-1252'],
  ['MacRoman', Buffer.from('email;nom\rrene@example.org;Ren\x8E \x83luard\r', 'latin1'), 'macintosh'],
])('%s is recognised', async (_, content, encoding) => {
  const shown = (await uploadFile(server, content)).json<ShownImport>()
  expect(shown.sheet).toMatchObject({ encoding, delimiter: ';', hasHeader: true })
  expect(shown.sheet?.columns.map(({ name, example }) => [name, example])).toEqual([
    ['email', 'rene@example.org'],
    ['nom', 'René Éluard'],
  ])
  await server.owner.call('POST', `${server.path}/imports/${shown.id}/cancel`, {})
})

test('an encoding that changes in the middle, and characters that nobody typed, are refused row by row', async () => {
  const file = Buffer.concat([
    Buffer.from(`email,name\n${Array.from({ length: 100_000 }, (_, n) => `reader${n}@example.org,Zoé\n`).join('')}`),
    Buffer.from('late@example.org,Ren\xe9\nnul\x00@example.org,N\nnull@example.org,N\x00l\n', 'latin1'),
  ])
  const { state, counts, report } = await checkFile(server, file)
  expect([state, counts?.rows, counts?.added, counts?.refused]).toEqual(['checked', 100_003, 100_001, 2])
  expect(report).toEqual([
    { line: 100_002, reason: 'unreadable', cell: 'Ren�' },
    { line: 100_003, reason: 'not_an_address', cell: 'nul @example.org' },
  ])
  await cancelAll()
})

test('one line of 400 MB is one fault and takes no memory', { timeout: 120_000 }, async () => {
  const length = 400_000_000
  const head = Buffer.from('email\nada@example.org\n')
  const tail = Buffer.from('\nlast@example.org\n')
  const { id } = (
    await server.owner.call('POST', `${server.path}/imports`, {
      fileName: 'x.csv',
      bytes: head.length + length + tail.length,
    })
  ).json()
  const piece = Buffer.alloc(importLimits.partBytes, 'x')
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
  const before = process.memoryUsage().rss
  const first = Buffer.concat([head, piece]).subarray(0, piece.length)
  let part = 0
  for (let at = 0; at < head.length + length + tail.length; at += piece.length, part++) {
    const left = head.length + length + tail.length - at
    const data =
      part === 0 ? first : left < piece.length ? Buffer.concat([piece.subarray(0, left - tail.length), tail]) : piece
    const answer = await uploadPart(server, {
      cookie: server.owner.cookie,
      url: `${server.path}/imports/${id}/parts/${part}`,
      data,
    })
    expect(answer.statusCode).toBe(200)
  }
  const shown = (await server.owner.call('GET', `${server.path}/imports/${id}`)).json<ShownImport>()
  const { counts, report } = await checkAgain(server, shown)
  clearInterval(watch)
  expect(counts).toMatchObject({ rows: 3, added: 2, refused: 1 })
  expect(report).toEqual([{ line: 3, reason: 'line_too_long', cell: 'x'.repeat(200) }])
  expect((most - before) / 1e6).toBeLessThan(150)
  await cancelAll()
})

test('quotes that fit nowhere refuse the file, and say on which line', async () => {
  const file = `email,name\n${Array.from({ length: 3_000 }, (_, n) => `reader${n}@example.org,"N" x\n`).join('')}`
  const shown = (await uploadFile(server, file)).json<ShownImport>()
  // The first rows are enough to say so.
  const { state, refusal } = shown.state === 'refused' ? shown : await checkAgain(server, shown)
  expect([state === 'refused' || state === 'uploaded', refusal?.code]).toEqual([true, 'broken_quotes'])
  expect(refusal?.line).toBeGreaterThan(1_000)
  await cancelAll()
})

test('what belongs to no step is refused', async () => {
  const { path, owner } = server
  const begin = (body: unknown) => owner.call('POST', `${path}/imports`, body)
  expect((await begin({ fileName: 'x.csv', bytes: importLimits.bytes + 1 })).json().error.code).toBe('file_too_large')
  expect((await begin({ fileName: 'x\u202Etxt.csv', bytes: 5 })).statusCode).toBe(422)
  const { id } = (await begin({ fileName: 'x.csv', bytes: 5 })).json()
  const put = (part: number, data: string) =>
    uploadPart(server, { cookie: owner.cookie, url: `${path}/imports/${id}/parts/${part}`, data: Buffer.from(data) })
  expect((await put(1, 'email')).json().error.code).toBe('import_moved_on')
  for (const length of ['emails', 'ema', '']) {
    const { code, fields } = (await put(0, length)).json().error
    expect([code, fields]).toEqual(['invalid', { file: expect.stringContaining('as many bytes as you announced') }])
  }
  const answers = await Promise.all([put(0, 'email'), put(0, 'email')])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toContain(200)
  const shown = (await owner.call('GET', `${path}/imports/${id}`)).json()
  expect([shown.state, shown.refusal.code, shown.parts]).toEqual(['refused', 'only_header', 1])
  expect((await owner.call('POST', `${path}/imports/${id}/start`, {})).json().error.code).toBe('import_moved_on')

  for (let n = 0; n < importLimits.open; n++)
    expect((await begin({ fileName: 'x.csv', bytes: 5 })).statusCode).toBe(200)
  expect((await begin({ fileName: 'x.csv', bytes: 5 })).json().error.code).toBe('too_many_imports')
  await cancelAll()
})

test('choices that cannot be are refused', async () => {
  const { id, sheet } = (await uploadFile(server, 'email,name\na@example.org,A\n')).json<ShownImport>()
  const choose = async (choices: Record<string, unknown>) => {
    const body = {
      targets: sheet?.columns.map(({ target }) => target),
      hasHeader: true,
      origin: 'other',
      words,
      confirmed: true,
      ...choices,
    }
    return (await server.owner.call('POST', `${server.path}/imports/${id}/check`, body)).json().error
  }
  expect((await choose({ confirmed: false })).code).toBe('invalid')
  expect((await choose({ words: 'They said yes' })).fields).toEqual({ words: expect.any(String) })
  expect((await choose({ targets: [{ to: 'email' }] })).fields).toEqual({ targets: expect.any(String) })
  expect((await choose({ targets: [{ to: 'name' }, { to: 'skip' }] })).fields).toEqual({ targets: expect.any(String) })
  expect((await choose({ targets: [{ to: 'email' }, { to: 'email' }] })).fields).toEqual({
    targets: expect.any(String),
  })
  expect((await choose({ targets: [{ to: 'email' }, { to: 'field', field: 'nowhere' }] })).code).toBe('field_not_found')
  await cancelAll()
})

test('who has proven no address imports little, and nobody once mail leaves the server', async () => {
  const asGuest = async (of: TestApp, bytes: number) => {
    const guest = await of.tryFirst()
    const newsletter = await of.createNewsletter(guest)
    const answer = await guest.call('POST', `/api/newsletters/${newsletter}/imports`, { fileName: 'x.csv', bytes })
    return [answer.statusCode, answer.json().error?.code]
  }
  expect(await asGuest(server, 1_000_000)).toEqual([200, undefined])
  expect(await asGuest(server, 1_000_001)).toEqual([413, 'file_too_large'])
  const withRelay = await startTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
  expect(await asGuest(withRelay, 10)).toEqual([403, 'owner_unconfirmed'])
  await withRelay.stop()
})

test('the report is CSV in the language of whoever reads it, and no spreadsheet runs it', async () => {
  const done = await importFile(server, 'email,name\n"=HYPERLINK(""http://x.example"")",A\nada,B\nok@example.org,C\n')
  const report = (language: string) =>
    server.inject({
      method: 'GET',
      url: `${server.path}/imports/${done.id}/report.csv`,
      headers: { cookie: server.owner.cookie, 'accept-language': language },
    })
  expect((await report('en')).body).toBe(
    `Line,Remark,As written\n2,"This is a spreadsheet’s formula, not an address.","'=HYPERLINK(""http://x.example"")"\n3,This is not a whole email address.,ada\n`,
  )
  const french = (await report('fr')).body
  expect(french).toMatch(/^Ligne,Remarque,Dans le fichier\n/)
  expect(french).toContain('C’est une formule de tableur, pas une adresse.')
})

async function cancelAll() {
  const { imports } = (await server.owner.call('GET', `${server.path}/imports`)).json<{ imports: ShownImport[] }>()
  for (const { id, state } of imports) {
    if (!['done', 'cancelled', 'refused', 'taken_back'].includes(state))
      await server.owner.call('POST', `${server.path}/imports/${id}/cancel`, {})
  }
  await server.work()
}

test('a database that takes no more rows, as on a full disk, ends no process, and the import goes on when it does', async () => {
  const { db } = server.context
  await sql`alter table import_row add constraint full_disk check (line < 500)`.execute(db)
  const rows = Array.from({ length: 60_000 }, (_, n) => `full${n}@example.org,Full ${n}\n`).join('')
  const stopped = await checkFile(server, `email,name\n${rows}`)
  expect(stopped.state).toBe('checking')
  await sql`alter table import_row drop constraint full_disk`.execute(db)
  const another = new ImportRunner(server.context)
  await another.drain()
  const { state, counts } = await readImport(server, stopped.id)
  expect([state, counts?.added]).toEqual(['checked', 60_000])
  await server.owner.call('POST', `${server.path}/imports/${stopped.id}/cancel`, {})
  await server.work()
})
