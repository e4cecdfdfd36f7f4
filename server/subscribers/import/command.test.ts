import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { translator } from '../../translator.ts'
import { importCommand } from './command.ts'
import { importLimits } from './contract.ts'

let server: TestNewsletter
const folder = mkdtempSync(join(tmpdir(), 'tirage-import-command-'))
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function fileOf(name: string, text: string | Buffer): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

interface Ran {
  cameToItsEnd: boolean
  said: string
}

async function run(
  args: string[],
  { signal = new AbortController().signal, language = 'en' as 'en' | 'fr' } = {},
): Promise<Ran> {
  const lines: string[] = []
  const terminal = { t: translator(language), say: (line: string) => lines.push(line), progress: () => {}, signal }
  const cameToItsEnd = await importCommand(server.context, args, terminal)
  return { cameToItsEnd, said: lines.join('\n') }
}

const words = 'They put their name on the list at the harbour fair.'
const asked = () => ['--newsletter', server.newsletterId, '--origin', 'event', '--words', words]

const people = async () => {
  const { db } = server.context
  const rows = await db.selectFrom('subscriber').select(['email', 'name']).orderBy('email').execute()
  return rows.map(({ email, name }) => `${email} ${name}`)
}
const left = async () => {
  const { db } = server.context
  const rows = await db.selectFrom('import').select(['state', 'parts']).orderBy('created_at', 'desc').execute()
  return rows[0]
}

test('a dry run says what the columns become, counts and shows the first refusals, and leaves nothing', async () => {
  const file = fileOf(
    'dry.csv',
    'Email,Prénom,Bateau\nada@example.org,Ada,Mouette\nnobody,Nobody,\nada@example.org,,\n',
  )
  const report = join(folder, 'report.csv')
  const { cameToItsEnd, said } = await run([
    file,
    ...asked(),
    '--map',
    'bateau=new:Boat',
    '--dry-run',
    '--report',
    report,
  ])
  expect(cameToItsEnd).toBe(true)
  expect(said).toContain('Encoding utf-8, delimiter ,')
  expect(said).toContain('  Email=email\n  Prénom=first_name\n  Bateau=new:Boat')
  expect(said).toContain('3 lines read\n  new: 1\n')
  expect(said).toContain(
    '  same address as an earlier line, put together with it (earliest dates, all tags): 1\n  refused: 1\n  1 × This is not a whole email address.\n    line 3, “nobody”',
  )
  expect(said).toContain('Nothing was changed.')
  expect(readFileSync(report, 'utf8')).toBe('Line,Remark,As written\n3,This is not a whole email address.,nobody\n')
  expect([await people(), await left()]).toEqual([[], { state: 'cancelled', parts: 0 }])
  expect((await run([file, ...asked(), '--dry-run', '--report', '-'])).said).toContain('\nLine,Remark,As written\n3,')
})

test('a file is imported with the words as receipts, into the newsletter of a handle, and the audit says that the operator did it', async () => {
  const { db } = server.context
  await db.updateTable('newsletter').set({ handle: 'low-water' }).where('id', '=', server.newsletterId).execute()
  const file = fileOf('people.csv', 'mail;who\nada@example.org;Ada\nyann@example.org;Yann\n')
  const args = [file, ...asked(), '--newsletter', 'low-water', '--map', 'who=name', '--tag', 'fair']
  const { cameToItsEnd, said } = await run(args, { language: 'fr' })
  expect(cameToItsEnd).toBe(true)
  expect(said).toContain('2 lignes lues\n  nouveaux\u00A0: 2\n')
  expect(await people()).toEqual(['ada@example.org Ada', 'yann@example.org Yann'])
  const receipts = await db.selectFrom('consent').select(['wording', 'means']).execute()
  expect(receipts).toEqual([1, 2].map(() => ({ wording: words, means: 'import' })))
  const lines = await db
    .selectFrom('audit')
    .select(['act', 'actor'])
    .where('act', 'like', 'import_%')
    .orderBy('id')
    .execute()
  expect(lines.slice(-2)).toEqual([
    { act: 'import_checked', actor: 'operator' },
    { act: 'import_started', actor: 'operator' },
  ])
  expect(await left()).toEqual({ state: 'done', parts: 0 })
})

test.each<[string, string, (file: string) => string[]]>([
  ['no words', 'how (--words)', (file) => [file, '--newsletter', 'low-water', '--origin', 'event']],
  ['words that say nothing', '20 to 1,000 characters', (file) => [file, ...asked(), '--words', 'yes']],
  ['an unknown origin', '--origin must be own_newsletter', (file) => [file, ...asked(), '--origin', 'bought']],
  ['an unknown newsletter', 'There are: low-water', (file) => [file, ...asked(), '--newsletter', 'high-water']],
  ['an unknown option', '--revive', (file) => [file, ...asked(), '--revive']],
  ['no file', 'ENOENT', (file) => [`${file}.gone`, ...asked()]],
  ['a folder', 'cannot be read as a file', () => [folder, ...asked()]],
  ['a column that is not there', 'There are: email, name', (file) => [file, ...asked(), '--map', 'town=skip']],
  ['a field that is not one', '--map name=nonsense', (file) => [file, ...asked(), '--map', 'name=nonsense']],
  ['no column of addresses', '--map COLUMN=email', (file) => [file, ...asked(), '--map', 'email=skip']],
])('%s is refused with a sentence, and nothing is left', async (_, sentence, args) => {
  const before = await people()
  await expect(run(args(fileOf('good.csv', 'email,name\nmalo@example.org,Malo\n')))).rejects.toThrow(sentence)
  expect([await people(), (await left())?.parts]).toEqual([before, 0])
})

test('a workbook is refused, and its parts are gone', async () => {
  const file = fileOf('book.xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)]))
  await expect(run([file, ...asked()])).rejects.toThrow('It is a workbook of a spreadsheet.')
  expect(await left()).toEqual({ state: 'refused', parts: 0 })
})

test('Ctrl-C in the middle leaves nobody added', async () => {
  const before = await people()
  const rows = Array.from({ length: 30_000 }, (_, n) => `stop${n}@example.org,Stop ${n}\n`).join('')
  const file = fileOf('stop.csv', `email,name\n${rows}`)
  const stop = new AbortController()
  const { db } = server.context
  const begun = expect.poll(
    async () => (await db.selectFrom('subscriber').select('id').where('name', '=', 'Stop 0').execute()).length,
    {
      interval: 5,
      timeout: 60_000,
    },
  )
  const running = run([file, ...asked()], { signal: stop.signal })
  await begun.toBe(1)
  stop.abort()
  const { cameToItsEnd, said } = await running
  expect([cameToItsEnd, said.split('\n').at(-1)]).toEqual([false, 'Stopped. Nobody was added.'])
  expect([await people(), await left()]).toEqual([before, { state: 'cancelled', parts: 0 }])
}, 120_000)

test('Ctrl-C before anything leaves nothing, and a file of two parts is whole', async () => {
  const stop = new AbortController()
  stop.abort()
  const rows = Array.from({ length: 3 }, (_, n) => `pad${n}@example.org,${'x'.repeat(60)}\n`)
  const text = `email,name\n${rows.join('')}${'\n'.repeat(importLimits.partBytes)}last@example.org,Last\n`
  const file = fileOf('parts.csv', text)
  expect((await run([file, ...asked()], { signal: stop.signal })).cameToItsEnd).toBe(false)
  expect((await run([file, ...asked(), '--dry-run'])).said).toContain('4 lines read')
})

test('another encoding than the one that is found, by any of its names; a wrong one is refused in both languages', async () => {
  const file = fileOf(
    'koi8.csv',
    Buffer.from('656d61696c3bc9cdd10a616e6e61406578616d706c652e6f72673be1cecec10a', 'hex'),
  )
  const { said } = await run([file, ...asked(), '--map', 'имя=name', '--encoding', 'KOI8', '--dry-run'])
  expect(said).toContain('Encoding koi8-r')
  expect(said).toContain('имя=name')
  const wrong = [file, ...asked(), '--encoding', 'klingon']
  await expect(run(wrong)).rejects.toThrow('--encoding klingon is not known. Choose one of utf-8,')
  await expect(run(wrong, { language: 'fr' })).rejects.toThrow('n’est pas un encodage connu')
  await expect(run([file, ...asked(), '--encoding', 'utf-16le'])).rejects.toThrow(
    'Read with this encoding, the file has no rows.',
  )
  expect(await left()).toEqual({ state: 'cancelled', parts: 0 })
})
