import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { examine } from '../../doctor.ts'
import { Signer } from '../../http/signing.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { translator } from '../../translator.ts'
import { receiptOf } from '../consent.ts'
import { requestSubscriptions } from '../request.ts'
import { chainReceipts } from './chain.ts'
import { ReceiptChainer } from './chainer.ts'
import { nextHash, startOfChain } from './leaf.ts'
import { verifyChain } from './verify.ts'

let server: TestNewsletter
let newsletterId: string
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  newsletterId = await addNewsletter(server.context.db, server.owner.userId)
})

let people = 0
/** Requests to subscribe, each with a receipt. */
function ask(count: number, at: Date | ((order: number) => Date) = new Date()): Promise<void> {
  const receipt = receiptOf('yes', {
    newsletter: { name: 'Low Water' },
    language: 'en',
    means: 'page',
    network: '192.0.2.0/24',
  })
  const requests = Array.from({ length: count }, (_, order) => {
    const email = `p${++people}@example.org`
    return {
      newsletterId,
      email,
      normalised: email,
      name: null,
      language: 'en' as const,
      at: at instanceof Date ? at : at(order),
      receipt,
      confirms: true,
    }
  })
  return requestSubscriptions(server.context.db, server.context.signer, requests)
}

const chain = () => chainReceipts(server.context, newsletterId)
const verify = () => verifyChain(server.context.db, server.context.signer, newsletterId)
const run = (statement: string) => sql.raw(statement.replaceAll('$n', `'${newsletterId}'`)).execute(server.context.db)
const receiptAt = async (position: number) => {
  const { db } = server.context
  const query = db.selectFrom('receipt_chain').select('receipt_id').where('newsletter_id', '=', newsletterId)
  return (await query.where('position', '=', position).executeTakeFirstOrThrow()).receipt_id
}
const faults = async () => (await verify()).named.map(({ kind, position }) => [kind, position])
const doctor = async () => {
  const { config, pool } = server.context
  const findings = await examine(
    { DATA_DIR: config.dataDir, DATABASE_URL: pool.options.connectionString },
    translator('en'),
  )
  return findings.filter(
    ({ about, finding, state }) => about === 'receipts' && (state !== 'bad' || finding.includes(newsletterId)),
  )
}

test('receipts wait, are chained in the order of their time, and doctor finds them whole', async () => {
  await ask(3)
  expect(await verify()).toMatchObject({ receipts: 0, waiting: 3, faults: 0 })
  await chain()
  await ask(2)
  await new ReceiptChainer(server.context).drain()
  expect(await verify()).toEqual({ newsletterId, receipts: 5, erased: 0, waiting: 0, faults: 0, named: [] })
  const { rows } = await sql<{ ordered: boolean }>`
    select bool_and(position = place) as ordered from (
      select position, row_number() over (order by receipt_id) as place from receipt_chain
      where newsletter_id = ${newsletterId}) r`.execute(server.context.db)
  expect(rows).toEqual([{ ordered: true }])
  expect(await doctor()).toMatchObject([{ state: 'good', finding: expect.stringContaining('whole and in order: 5,') }])
})

const third = `(select receipt_id from receipt_chain where newsletter_id = $n and position = 3)`
const cut = `delete from consent where id in (select receipt_id from receipt_chain where newsletter_id = $n and position > 4);
  delete from receipt_chain where newsletter_id = $n and position > 4`

describe('tampering', () => {
  // Two of the statements exchange unique values.
  beforeAll(() => run('drop index receipt_chain_receipt'))
  afterAll(() => run('create unique index receipt_chain_receipt on receipt_chain (newsletter_id, receipt_id)'))

  test.each<[string, string, [string, number | null][]]>([
    ['words are altered', `update consent set wording = 'Yes.' where id = ${third}`, [['altered', 3]]],
    [
      'a time is altered by a microsecond',
      `update consent set at = at + interval '1 microsecond' where id = ${third}`,
      [['altered', 3]],
    ],
    [
      'a receipt is given to somebody else',
      `update consent set subscriber_id =
    (select s.id from subscriber s where s.newsletter_id = $n and s.id <> consent.subscriber_id limit 1) where id = ${third}`,
      [['altered', 3]],
    ],
    ['a receipt is removed', `delete from consent where id = ${third}`, [['removed', 3]]],
    [
      'a receipt is removed with its place',
      `delete from consent where id = ${third};
    delete from receipt_chain where newsletter_id = $n and position = 3`,
      [['place_missing', 3]],
    ],
    [
      'the places after a removed one move up',
      `delete from consent where id = ${third};
    delete from receipt_chain where newsletter_id = $n and position = 3;
    update receipt_chain set position = position - 1 where newsletter_id = $n and position > 3`,
      [
        ['broken', 3],
        ['checkpoint', 3],
        ['end_missing', 6],
      ],
    ],
    [
      'a removal passes for an erasure',
      `delete from consent where id = ${third};
    update receipt_chain set receipt_id = null, erasure = leaf where newsletter_id = $n and position = 3`,
      [['removed', 3]],
    ],
    [
      'receipts change places',
      `update receipt_chain r set receipt_id = o.receipt_id from
    (select 7 - position as position, receipt_id from receipt_chain where newsletter_id = $n and position in (3, 4)) o
    where r.newsletter_id = $n and r.position = o.position`,
      [
        ['altered', 3],
        ['altered', 4],
      ],
    ],
    [
      'receipts change places with their leaves',
      `update receipt_chain r set receipt_id = o.receipt_id, leaf = o.leaf from
    (select 7 - position as position, receipt_id, leaf from receipt_chain where newsletter_id = $n and position in (3, 4)) o
    where r.newsletter_id = $n and r.position = o.position`,
      [
        ['broken', 3],
        ['broken', 4],
      ],
    ],
    ['the end is cut off', cut, [['end_missing', 6]]],
    [
      'a checkpoint is put back',
      `update receipt_checkpoint set at = at - interval '1 day' where newsletter_id = $n and position = 3`,
      [['checkpoint', 3]],
    ],
  ])('doctor finds and names it when %s', async (_, tampering, found) => {
    await ask(3)
    await chain()
    await ask(3)
    await chain()
    const receipt = await receiptAt(3)
    expect((await verify()).faults).toBe(0)
    for (const statement of tampering.split(';\n')) await run(statement)
    expect(await faults()).toEqual(found)
    const said = await doctor()
    expect(said.map(({ state }) => state)).toEqual(found.map(() => 'bad'))
    expect(said[0]?.finding).toContain(`(${newsletterId})`)
    if (['altered', 'removed'].includes(found[0]?.[0] ?? '') && receipt && !tampering.includes('erasure'))
      expect(said[0]?.finding).toContain(found[0]?.[0] === 'altered' ? ((await receiptAt(3)) ?? '') : receipt)
    await run('delete from newsletter where id = $n')
  })
})

/** What somebody does who has the database and this program, but not the secret. */
test('a chain that was rebuilt without the secret is found, and so is an end that was added', async () => {
  const { db } = server.context
  await ask(6)
  await chain()
  const rows = await db
    .selectFrom('receipt_chain')
    .select(['position', 'leaf'])
    .where('newsletter_id', '=', newsletterId)
    .where('position', '<>', 3)
    .orderBy('position')
    .execute()
  await run(`delete from consent where id = ${third}`)
  await run('delete from receipt_chain where newsletter_id = $n and position = 3')
  let hash = startOfChain(newsletterId)
  for (const [at, { position, leaf }] of rows.entries()) {
    hash = nextHash(hash, leaf)
    await sql`update receipt_chain set position = ${at + 1}, hash = ${hash}
      where newsletter_id = ${newsletterId} and position = ${position}`.execute(db)
  }
  expect(await faults()).toEqual([['end_missing', 6]])
  await sql`update receipt_checkpoint set position = 5, hash = ${hash} where newsletter_id = ${newsletterId}`.execute(
    db,
  )
  expect(await faults()).toEqual([['checkpoint', 5]])
  await run('delete from receipt_checkpoint where newsletter_id = $n')
  expect(await faults()).toEqual([['end_added', 1]])
  await run('delete from newsletter where id = $n')
})

test('a receipt that is dated before a moment at which none waited was put in later', async () => {
  const now = Date.now()
  await ask(2)
  await chain()
  await ask(1, new Date(now - 30 * 60_000))
  expect((await verify()).faults).toBe(0)
  await ask(1, new Date(now - 2 * 3_600_000))
  expect(await faults()).toEqual([['put_in_later', null]])
  await chain()
  expect(await faults()).toEqual([['put_in_later', 3]])
  expect((await doctor())[0]?.finding).toContain(await receiptAt(3))
  await run('delete from newsletter where id = $n')
})

test('years of receipts that wait for their first chain are chained in their order, and none counts as put in later', async () => {
  const { db, signer } = server.context
  const dayMs = 24 * 3_600_000
  const start = Date.now() - 700 * dayMs
  await ask(650, (day) => new Date(start + day * dayMs))
  await ask(500, new Date(start + 650 * dayMs))
  await chainReceipts({ db, signer, now: () => new Date() }, newsletterId)
  expect(await verify()).toMatchObject({ receipts: 1_150, faults: 0 })
  // The last batch says that none was left, however many there were before it.
  const checkpoints = db.selectFrom('receipt_checkpoint').select('drained').orderBy('position')
  const drained = (await checkpoints.where('newsletter_id', '=', newsletterId).execute()).map((row) => row.drained)
  expect(drained).toEqual([false, false, true])
})

test('a receipt that was written past the program is in no chain', async () => {
  await ask(2)
  await chain()
  const id = uuidv7()
  await run('alter table consent disable trigger await_chaining')
  await run(`insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means)
    select newsletter_id, '${id}', id, 'given', 'Yes', '2026-11', 'en', 'page' from subscriber where newsletter_id = $n limit 1`)
  await run('alter table consent enable trigger await_chaining')
  expect((await verify()).named).toEqual([{ kind: 'never_chained', position: null, receipt: id }])
  await run('delete from newsletter where id = $n')
})

test('several processes chain at once while people subscribe: every receipt once, without a gap', async () => {
  const asking = async () => {
    for (let round = 0; round < 30; round++) await ask(40)
  }
  const done = Promise.all([asking(), asking()])
  let going = true
  void done.finally(() => {
    going = false
  })
  const chaining = async () => {
    while (going) await chain()
  }
  await Promise.all([chaining(), chaining(), chaining(), done])
  await chain()
  expect(await verify()).toMatchObject({ receipts: 2_400, waiting: 0, faults: 0 })
})

test('a process that ends between two batches, or within one, leaves whole batches, and another goes on', async () => {
  const { db, signer, now } = server.context
  await ask(1_200)
  let calls = 0
  class DyingSigner extends Signer {
    override mac(purpose: string, value: string): Buffer {
      if (++calls === 2) throw new Error('killed')
      return signer.mac(purpose, value)
    }
  }
  await expect(chainReceipts({ db, signer: new DyingSigner('x'), now }, newsletterId)).rejects.toThrow('killed')
  expect(await verify()).toMatchObject({ receipts: 500, waiting: 700, faults: 0 })
  await chainReceipts(server.context, newsletterId, () => true)
  expect(await verify()).toMatchObject({ receipts: 1_000, waiting: 200, faults: 0 })
  await chain()
  expect(await verify()).toMatchObject({ receipts: 1_200, waiting: 0, faults: 0 })
})

test('an erased subscriber leaves hashes without the person, those of receipts that waited too, and the chain holds', async () => {
  const { db } = server.context
  await ask(3)
  await chain()
  await ask(2)
  const rows = await db
    .selectFrom('subscriber')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .orderBy('id')
    .execute()
  const erase = (id: string | undefined) =>
    server.owner.call(
      'DELETE',
      `/api/newsletters/${newsletterId}/subscribers/${server.context.shownIds.show(id ?? '')}`,
    )
  const chaining = chain()
  for (const { id } of rows.slice(1, 4)) expect((await erase(id)).statusCode).toBe(200)
  await chaining
  await chain()
  expect(await verify()).toMatchObject({ receipts: 5, erased: 3, waiting: 0, faults: 0 })
  const { rows: left } = await sql<{ n: number }>`
    select count(*)::integer as n from consent where newsletter_id = ${newsletterId}`.execute(db)
  expect(left).toEqual([{ n: 2 }])
  // Whoever has the secret of another instance, or none, cannot say that it was an erasure.
  expect((await verifyChain(db, new Signer('another'), newsletterId)).named.map(({ kind }) => kind)).toContain(
    'removed',
  )
  await erase(rows[0]?.id)
  expect(await verify()).toMatchObject({ erased: 4, faults: 0 })
})

test('a receipt that goes before it was chained waits no more', async () => {
  await ask(3)
  await run('delete from subscriber where id in (select id from subscriber where newsletter_id = $n limit 1)')
  expect(await verify()).toMatchObject({ receipts: 0, waiting: 2 })
  await run('delete from newsletter where id = $n')
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from unchained_receipt`.execute(
    server.context.db,
  )
  expect(rows).toEqual([{ n: 0 }])
})
