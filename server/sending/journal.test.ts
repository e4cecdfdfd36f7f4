import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Journal, type JournalRecord, readJournals } from './journal.ts'
import type { Result } from './sending.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tirage-journal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ada = '018f0000-0000-7000-8000-00000000000a'
const bob = '018f0000-0000-7000-8000-00000000000b'
const sending = { newsletterId: 'low', publicationId: 'p', id: 's' }
const accepted = (subscriberId: string): Result => ({
  subscriberId,
  state: 'accepted',
  answer: '250 ok',
  delaySeconds: 0,
  tried: true,
  gone: false,
})

async function read(isOver = false): Promise<JournalRecord[]> {
  const records: JournalRecord[] = []
  await readJournals(
    folder,
    async () => isOver,
    async (record) => void records.push(record),
  )
  return records
}

/** Writes the journal of a worker that has an answer for Ada and none for Bob; `change` sets another machine or time. */
function leaveJournal(change: object = {}): void {
  const journal = new Journal(folder, sending, 'host:1:x')
  journal.begun(ada)
  journal.answered(accepted(ada))
  journal.begun(bob)
  journal.close(false)
  const file = join(folder, readdirSync(folder)[0] ?? '')
  const [head, ...lines] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [JSON.stringify({ ...JSON.parse(head ?? ''), ...change }), ...lines].join('\n'))
}

test('contains the answers and the messages without an answer, and is read once', async () => {
  leaveJournal()
  expect(await read()).toEqual([
    { sending, worker: 'host:1:x', results: [accepted(ada)], begun: [bob], complete: true },
  ])
  expect(await read()).toEqual([])
})

test('a text that was refused on one connection and begun on another has no answer', async () => {
  const journal = new Journal(folder, sending, 'host:1:x')
  journal.begun(ada)
  journal.answered({ ...accepted(ada), state: 'queued', tried: false })
  journal.begun(ada)
  journal.close(false)
  expect(await read()).toMatchObject([{ results: [], begun: [ada], complete: true }])
})

test('a journal of the last release names a publication and means its first sending', async () => {
  leaveJournal({ sending: { newsletterId: 'low', publicationId: 'p' } })
  expect((await read())[0]?.sending).toEqual({ newsletterId: 'low', publicationId: 'p', id: 'p' })
})

test('an incomplete last line is ignored, since its message was not begun', async () => {
  leaveJournal()
  appendFileSync(join(folder, readdirSync(folder)[0] ?? ''), '018f0000-00')
  expect((await read())[0]?.begun).toEqual([bob])
})

test('after a reboot of the machine its last lines may be missing', async () => {
  leaveJournal({ bootedAt: 1_000_000_000 })
  expect(await read()).toMatchObject([{ begun: [bob], complete: false }])
})

test('a journal of another machine is not read until the leases of its worker have ended', async () => {
  leaveJournal({ host: 'elsewhere' })
  expect(await read(false)).toEqual([])
  expect(await read(true)).toMatchObject([{ results: [accepted(ada)], complete: false }])
})

test('two journals never share a file', () => {
  const journal = new Journal(folder, sending, 'host:1:y')
  expect(() => new Journal(folder, { ...sending, id: 'another' }, 'host:1:y')).toThrow('EEXIST')
  journal.close(true)
})

test('a journal in use is not read, and it is removed when everything is in the database', async () => {
  const journal = new Journal(folder, sending, 'host:1:y')
  journal.begun(ada)
  expect(await read()).toEqual([])
  journal.close(true)
  expect(readdirSync(folder)).toEqual([])
})

test('a damaged line is skipped, and the journal counts as incomplete, as after a power cut', async () => {
  leaveJournal()
  const file = join(folder, readdirSync(folder)[0] ?? '')
  appendFileSync(file, '{"subscriberId":"018f\n\0\0\0\n')
  expect(await read()).toMatchObject([{ results: [accepted(ada)], begun: [bob], complete: false }])
})

test('a journal with a damaged first line is renamed, once', async () => {
  leaveJournal()
  const [name = ''] = readdirSync(folder)
  writeFileSync(join(folder, name), '{"sending":\n')
  expect(await read()).toEqual([])
  expect(readdirSync(folder)).toEqual([`${name}.unreadable`])
  expect(await read()).toEqual([])
})
