import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { eraseSubscribers } from '../../personal-data/erase.ts'
import { checkFile, readImport } from '../../testing/import-file.ts'
import { lockWaiters } from '../../testing/lock-waiters.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { MoveLinks } from '../own-page/move-links.ts'
import { verifyChain } from '../receipts/verify.ts'
import { ImportRunner } from './runner.ts'

let server: TestNewsletter
let id: string

beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  await sql`truncate subscriber, erased_address, import cascade`.execute(server.context.db)
  ;[id = ''] = await server.addSubscribers(['ada@example.org'])
})

const file = 'email,tags\nfirst@example.org,a\nada@example.org,a\nlast@example.org,a\n'

/** An import of the file that waits for a process. */
async function startFile(): Promise<string> {
  const { id: importId, counts } = await checkFile(server, file)
  expect(counts).toMatchObject({ added: 2, here: 1 })
  expect((await server.owner.call('POST', `${server.path}/imports/${importId}/start`, {})).statusCode).toBe(200)
  return importId
}

const addPeople = () => new ImportRunner(server.context).drain()

const someWait = (count: number) =>
  vi.waitFor(
    async () => {
      expect(await lockWaiters(server.context.db)).toBe(count)
    },
    { timeout: 10_000 },
  )

/** Nobody else than these is here, and each of the two others of the file with one receipt. */
async function expectOnly(addresses: string[]): Promise<void> {
  const { db, signer } = server.context
  const rows = await db.selectFrom('subscriber').select('email').orderBy('email').execute()
  expect(rows.map(({ email }) => email)).toEqual(addresses)
  const receipts = await db.selectFrom('consent').select('id').where('means', '=', 'import').execute()
  expect(receipts).toHaveLength(2)
  expect((await verifyChain(db, signer, server.newsletterId)).faults).toBe(0)
}

test('who is erased at the moment in which a file with their address is added does not come back', async () => {
  const { db, signer, now } = server.context
  const { newsletterId } = server
  const importId = await startFile()
  const running = await db.transaction().execute(async (tx) => {
    expect(await eraseSubscribers(tx, { signer, now }, { newsletterId, subscriberIds: [id] })).toBe(1)
    const adding = addPeople()
    // The batch saw nobody erased, and waits for what becomes of the address.
    await someWait(1)
    return { adding }
  })
  await running.adding
  await expectOnly(['first@example.org', 'last@example.org'])
  // Their row of the file is erased with them.
  expect(await readImport(server, importId)).toMatchObject({ state: 'done', counts: { rows: 2, added: 2, here: 0 } })
})

test('nor does an address from which somebody moves at that moment', async () => {
  const { config, db, signer, now } = server.context
  const importId = await startFile()
  const subscriber = await db.selectFrom('subscriber').selectAll().executeTakeFirstOrThrow()
  const token = new MoveLinks(config.secret, signer).make(subscriber, { kind: 'to', to: 'ada@example.net', now: now() })
  const running = await db.transaction().execute(async (tx) => {
    await sql`lock table erased_address in share mode`.execute(tx)
    const moving = server.inject({ method: 'POST', url: `/move/${token}` })
    // They have the new address, and the one before is about to be remembered.
    await someWait(1)
    const adding = addPeople()
    await someWait(2)
    return { moving, adding }
  })
  expect((await running.moving).statusCode).toBe(200)
  await running.adding
  await expectOnly(['ada@example.net', 'first@example.org', 'last@example.org'])
  expect(await readImport(server, importId)).toMatchObject({
    state: 'done',
    counts: { rows: 3, added: 2, here: 0, leftOut: 1 },
    report: [{ line: 3, reason: 'erased_before' }],
  })
})
