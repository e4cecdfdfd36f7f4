import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { AppError, type ErrorCode } from '../errors.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
  await room.addSubscribers(['reader@example.org'])
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => room?.stop())

async function scheduled(): Promise<string> {
  const { id } = await room.draft()
  const at = new Date(Date.now() + 60_000).toISOString()
  const answer = await room.send(id, { at })
  expect(answer.statusCode, answer.body).toBe(200)
  return id
}

/** Its time has come, or that of the next try. `attempts`: how often it was tried. */
async function due(id: string, attempts?: number): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now(), attempts = coalesce(${attempts ?? null}::integer, attempts)
    where key = ${`start:${id}`}`.execute(room.context.db)
  await room.work()
}

/** How long the queue waits before it tries the publication again. */
async function minutesToNextTry(id: string): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`select extract(epoch from run_at - now())::float / 60 as minutes
    from graphile_worker._private_jobs where key = ${`start:${id}`}`.execute(room.context.db)
  return rows[0]?.minutes ?? 0
}

/** The layout of every mail fails so. */
const failing = (code: ErrorCode) => vi.spyOn(room.context.threads, 'run').mockRejectedValue(new AppError(code))

test.each(['busy', 'rendering_failed'] as const)(
  'what is refused with %s at its time is tried again, and goes out',
  async (code) => {
    const id = await scheduled()
    failing(code)
    await due(id)
    // Its owner is told why it is late.
    expect(await room.state(id)).toEqual({ status: 'scheduled', stopped_by: code })
    vi.restoreAllMocks()
    await due(id)
    expect(await room.state(id)).toMatchObject({ status: 'sent', stopped_by: null })
  },
)

test.each([
  ['busy', 7],
  ['rendering_failed', 4],
] as const)(
  'what is refused with %s once more after %i tries is a draft again, with the reason',
  async (code, tried) => {
    const id = await scheduled()
    failing(code)
    await due(id, tried - 1)
    expect(await room.state(id)).toMatchObject({ status: 'scheduled' })
    await due(id, tried)
    expect(await room.state(id)).toEqual({ status: 'draft', stopped_by: code })
  },
)

test('what is wrong with the publication is not tried again', async () => {
  const id = await scheduled()
  failing('no_title')
  await due(id)
  expect(await room.state(id)).toEqual({ status: 'draft', stopped_by: 'no_title' })
})

test('what did not leave at its time is told by mail to who may send it, once and with the reason', async () => {
  const editor = await room.asMember(room.newsletterId, 'editor')
  const analyst = await room.asMember(room.newsletterId, 'analyst')
  const proven = [editor.email, analyst.email]
  await room.context.db.updateTable('user').set({ email_verified: true }).where('email', 'in', proven).execute()
  const id = await scheduled()
  failing('sender_unproven')
  await due(id)
  vi.restoreAllMocks()
  await room.work()
  const { rows } = (await room.owner.call('GET', `${room.path}/outbox`)).json<{ rows: { id: string; to: string }[] }>()
  const mails = await Promise.all(
    rows.map(async (row) => (await room.owner.call('GET', `${room.path}/outbox/${row.id}`)).json()),
  )
  const sent = mails.filter(({ text }) => text.includes(`/publish/create/${id}`))
  expect(sent.map(({ to }) => to).toSorted()).toEqual([editor.email, room.owner.email].toSorted())
  expect(sent[0].text.replaceAll(/\s+/g, ' ')).toContain('The sender or reply address was not proven.')
})

test('what could not go out is found, however many drafts were edited after it', async () => {
  const id = await scheduled()
  failing('no_title')
  await due(id)
  vi.restoreAllMocks()
  const { id: later } = await room.draft()
  const listed = async (missed: boolean) => {
    const answer = await room.owner.call('GET', `${room.path}/publications?missed=${missed}`)
    return answer.json<{ rows: { id: string }[] }>().rows.map((row) => row.id)
  }
  const missed = await listed(true)
  expect(missed).toContain(id)
  expect(missed).not.toContain(later)
  expect(await listed(false)).toContain(later)
  expect(await listed(false)).not.toContain(id)
})

test('the tries of what is late end within an hour', async () => {
  const id = await scheduled()
  failing('busy')
  let minutes = 0
  for (let tried = 0; (await room.state(id)).status === 'scheduled'; tried++) {
    if (tried > 0) minutes += await minutesToNextTry(id)
    await due(id, tried)
  }
  expect(minutes).toBeGreaterThan(10)
  expect(minutes).toBeLessThan(60)
})

test('a fault that nobody foresaw makes it late too, and then a draft with the reason', async () => {
  const id = await scheduled()
  vi.spyOn(room.context.threads, 'run').mockRejectedValue(new Error('a fault'))
  await due(id)
  expect(await room.state(id)).toEqual({ status: 'scheduled', stopped_by: 'internal' })
  await due(id, 7)
  expect(await room.state(id)).toEqual({ status: 'draft', stopped_by: 'internal' })
})

test('what is late can be put off, and is late no more', async () => {
  const id = await scheduled()
  failing('busy')
  await due(id)
  vi.restoreAllMocks()
  await room.send(id, { at: new Date(Date.now() + 60_000).toISOString() })
  expect(await room.state(id)).toEqual({ status: 'scheduled', stopped_by: null })
})
