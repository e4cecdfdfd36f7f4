import { type Kysely, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { DB } from '../../database/types.ts'
import type { Signer } from '../../http/signing.ts'
import { leafOf, nextHash, startOfChain } from './leaf.ts'
import { factsOf, type StoredReceipt, storedReceipt } from './stored.ts'

/** Few enough that hashing them holds up nobody else in this process. */
const BATCH = 500

/** The first of the two keys of an advisory lock, which are two integers. The second is of the newsletter. */
const LOCK = 31_000

export interface Chaining {
  db: Kysely<DB>
  signer: Signer
  now: () => Date
}

/** The last receipt of a chain. */
interface Head {
  /** 0 when there is none. */
  position: number
  hash: Buffer
}

export interface Checkpoint extends Head {
  newsletterId: string
  at: Date
  drained: boolean
}

/** The hash of a checkpoint with the instance's key: whoever has the database alone cannot make one. */
export const checkpointMac = (signer: Signer, { newsletterId, position, hash, at, drained }: Checkpoint): Buffer =>
  signer.mac(
    'receipt checkpoint',
    JSON.stringify([newsletterId, position, hash.toString('hex'), at.toISOString(), drained]),
  )

/** The keyed hash of a place in the chain whose receipt was erased. */
export const erasureMac = (
  signer: Signer,
  newsletterId: string,
  { position, leaf }: { position: number; leaf: Buffer },
) => signer.mac('receipt erasure', JSON.stringify([newsletterId, position, leaf.toString('hex')]))

/** The newsletters with receipts that wait, found without reading all that wait. */
export async function findUnchained(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive found as (
      select min(newsletter_id) as id from unchained_receipt
      union all
      select (select min(u.newsletter_id) from unchained_receipt u where u.newsletter_id > found.id)
      from found where found.id is not null
    )
    select id from found where id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Adds receipts of a newsletter that wait to its chain, in the order of their ids, each batch in a transaction of its own: a
 * process that is killed leaves a whole batch or nothing of it. One process at a time does it, and others wait.
 *
 * @param until stops after a batch when it says so
 */
export async function chainReceipts(
  { db, signer, now }: Chaining,
  newsletterId: string,
  until: () => boolean = () => false,
): Promise<void> {
  let after = BEGINNING
  for (;;) {
    const next = await db.transaction().execute(async (tx) => {
      await lockChain(tx, newsletterId)
      await byIndex(tx)
      const waiting = await selectWaiting(tx, newsletterId, after)
      const isLast = waiting.length < BATCH
      // One with a smaller id may have come meanwhile.
      const drained = isLast && !(await waitsBefore(tx, newsletterId, after))
      await append(tx, waiting, { newsletterId, signer, at: now(), drained })
      if (drained) return null
      return isLast ? BEGINNING : (waiting.at(-1)?.receipt ?? BEGINNING)
    })
    if (next === null || until()) return
    after = next
  }
}

/** Before the id of any receipt. */
const BEGINNING = '00000000-0000-0000-0000-000000000000'

/** Holds the chain of a newsletter until the transaction ends. */
async function lockChain(tx: Db, newsletterId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${newsletterId}))`.execute(tx)
}

/**
 * Leaves PostgreSQL one way for the rest of the transaction: each row by an index. The statistics of what waits are those of before an
 * import, and by them it would read and sort all that waits for each batch.
 */
const byIndex = (tx: Db) =>
  sql`select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_hashjoin',
    'enable_mergejoin']) as s (name)`.execute(tx)

/**
 * The first that wait after the receipt `after`. Those before it were chained a moment ago, and the index still has their places: who
 * begins behind them does not go through these again.
 */
async function selectWaiting(tx: Db, newsletterId: string, after: string) {
  const { rows } = await sql<StoredReceipt>`
    select ${storedReceipt} from (
      select newsletter_id, receipt_id from unchained_receipt
      where newsletter_id = ${newsletterId} and receipt_id > ${after}::uuid order by receipt_id limit ${BATCH}
    ) u
    cross join lateral (
      select * from consent where newsletter_id = u.newsletter_id and id = u.receipt_id limit 1
    ) c
    order by u.receipt_id`.execute(tx)
  return rows
}

async function waitsBefore(tx: Db, newsletterId: string, receipt: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (
      select from unchained_receipt where newsletter_id = ${newsletterId} and receipt_id <= ${receipt}::uuid
    ) as waits`.execute(tx)
  return rows[0]?.waits ?? false
}

/** Those of subscribers. */
async function selectWaitingOf(tx: Db, newsletterId: string, subscriberIds: string[]) {
  const { rows } = await sql<StoredReceipt>`
    select ${storedReceipt} from consent c
    where c.newsletter_id = ${newsletterId} and c.subscriber_id = any(${subscriberIds}::uuid[])
      and exists (select from unchained_receipt u where u.newsletter_id = c.newsletter_id and u.receipt_id = c.id)
    order by c.id limit ${BATCH}`.execute(tx)
  return rows
}

async function findHead(db: Db, newsletterId: string): Promise<Head> {
  const row = await db
    .selectFrom('receipt_chain')
    .select(['position', 'hash'])
    .where('newsletter_id', '=', newsletterId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? { position: 0, hash: startOfChain(newsletterId) }
}

interface Batch {
  newsletterId: string
  signer: Signer
  at: Date
  drained: boolean
}

async function append(tx: Db, receipts: StoredReceipt[], { newsletterId, signer, at, drained }: Batch): Promise<void> {
  if (receipts.length === 0) return
  const head = await findHead(tx, newsletterId)
  const links: { position: number; receipt: string; leaf: Buffer; hash: Buffer }[] = []
  for (const receipt of receipts) {
    const { salt, facts } = factsOf(receipt)
    const leaf = leafOf(salt, facts)
    head.position += 1
    head.hash = nextHash(head.hash, leaf)
    links.push({ position: head.position, receipt: facts.receipt, leaf, hash: head.hash })
  }
  const mac = checkpointMac(signer, { newsletterId, ...head, at, drained })
  await sql`
    with chained as (
      insert into receipt_chain (newsletter_id, position, receipt_id, leaf, hash)
      select ${newsletterId}, position, receipt_id, decode(leaf, 'hex'), decode(hash, 'hex') from unnest(
        ${links.map(({ position }) => position)}::bigint[], ${links.map(({ receipt }) => receipt)}::uuid[],
        ${links.map(({ leaf }) => leaf.toString('hex'))}::text[], ${links.map(({ hash }) => hash.toString('hex'))}::text[]
      ) as l (position, receipt_id, leaf, hash)
      returning receipt_id
    ),
    checkpoint as (
      insert into receipt_checkpoint (newsletter_id, position, hash, at, drained, mac)
      values (${newsletterId}, ${head.position}, ${head.hash}, ${at}, ${drained}, ${mac})
    )
    delete from unchained_receipt u using chained c
    where u.newsletter_id = ${newsletterId} and u.receipt_id = c.receipt_id`.execute(tx)
}

/**
 * Marks the receipts of subscribers as erased, those that wait too, before they are deleted. Their leaves stay, so that the
 * chain still fits together.
 */
export async function markErased(
  tx: Db,
  { signer, now }: Omit<Chaining, 'db'>,
  { newsletterId, subscriberIds }: { newsletterId: string; subscriberIds: string[] },
): Promise<void> {
  await lockChain(tx, newsletterId)
  let waiting: StoredReceipt[]
  do {
    waiting = await selectWaitingOf(tx, newsletterId, subscriberIds)
    await append(tx, waiting, { newsletterId, signer, at: now(), drained: false })
  } while (waiting.length === BATCH)
  const { rows } = await sql<{ position: number; leaf: Buffer }>`
    select r.position, r.leaf from receipt_chain r
    join consent c on c.newsletter_id = r.newsletter_id and c.id = r.receipt_id
    where c.newsletter_id = ${newsletterId} and c.subscriber_id = any(${subscriberIds}::uuid[])`.execute(tx)
  await sql`
    update receipt_chain r set receipt_id = null, erasure = decode(e.mac, 'hex') from unnest(
      ${rows.map(({ position }) => position)}::bigint[],
      ${rows.map((row) => erasureMac(signer, newsletterId, row).toString('hex'))}::text[]) as e (position, mac)
    where r.newsletter_id = ${newsletterId} and r.position = e.position`.execute(tx)
}
