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
  hardBounce: false,
})

async function read(isOver = false): Promise<JournalRecord[]> {
  const accounts: JournalRecord[] = []
  await readJournals(
    folder,
    async () => isOver,
    async (account) => void accounts.push(account),
  )
  return accounts
}

/** Left by a worker that was answered for `a` and not for `b`; `change` pretends another machine or time. */
function left(change: object = {}): void {
  const journal = new Journal(folder, sending, 'host:1:x')
  journal.begun(ada)
  journal.answered(accepted(ada))
  journal.begun(bob)
  journal.close(false)
  const file = join(folder, readdirSync(folder)[0] ?? '')
  const [head, ...lines] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [JSON.stringify({ ...JSON.parse(head ?? ''), ...change }), ...lines].join('\n'))
}

test('tells who was answered and who was being written to, once', async () => {
  left()
  expect(await read()).toEqual([
    { sending, worker: 'host:1:x', results: [accepted(ada)], begun: [bob], complete: true },
  ])
  expect(await read()).toEqual([])
})

test('a journal of the last release names a publication, whose first sending is meant', async () => {
  left({ sending: { newsletterId: 'low', publicationId: 'p' } })
  expect((await read())[0]?.sending).toEqual({ newsletterId: 'low', publicationId: 'p', id: 'p' })
})

test('half a line was never acted upon', async () => {
  left()
  appendFileSync(join(folder, readdirSync(folder)[0] ?? ''), '018f0000-00')
  expect((await read())[0]?.begun).toEqual([bob])
})

test('after the machine stopped it may lack its last lines', async () => {
  left({ bootedAt: 1_000_000_000 })
  expect(await read()).toMatchObject([{ begun: [bob], complete: false }])
})

test('another machine’s is left alone until its worker’s time is up', async () => {
  left({ host: 'elsewhere' })
  expect(await read(false)).toEqual([])
  expect(await read(true)).toMatchObject([{ results: [accepted(ada)], complete: false }])
})

test('one that is being written is left alone, and gone when all is in the database', async () => {
  const journal = new Journal(folder, sending, 'host:1:y')
  journal.begun(ada)
  expect(await read()).toEqual([])
  journal.close(true)
  expect(readdirSync(folder)).toEqual([])
})

test('a damaged line is passed over, and the rest is believed as little as after a power cut', async () => {
  left()
  const file = join(folder, readdirSync(folder)[0] ?? '')
  appendFileSync(file, '{"subscriberId":"018f\n\0\0\0\n')
  expect(await read()).toMatchObject([{ results: [accepted(ada)], begun: [bob], complete: false }])
})

test('one whose first line is damaged is put aside, once', async () => {
  left()
  const [name = ''] = readdirSync(folder)
  writeFileSync(join(folder, name), '{"sending":\n')
  expect(await read()).toEqual([])
  expect(readdirSync(folder)).toEqual([`${name}.unreadable`])
  expect(await read()).toEqual([])
})
