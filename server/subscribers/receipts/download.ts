import { pipeline, Readable } from 'node:stream'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { csvLines, csvText } from '../../database/csv.ts'
import { readInTime } from '../../database/read-in-time.ts'
import type { Language } from '../../languages.ts'
import type { SubscriberKey } from '../change.ts'
import { personOf, type ReceiptFacts, startOfChain } from './leaf.ts'
import { type StoredReceipt, storedReceipt } from './stored.ts'

const PAGE = 500

/** A receipt with its place in the chain, or the place of one whose subscriber was erased. Hashes are hexadecimal. */
export type DownloadedReceipt = {
  newsletter: string
  /** Null: it waits for a few seconds to be chained. */
  position: number | null
  previous: string | null
  leaf: string | null
  hash: string | null
  salt: string | null
} & { [Field in Exclude<keyof ReceiptFacts, 'newsletter'>]: string | null }

/** The last checkpoint: whoever keeps it outside can show later that the chain was the same up to there. */
export interface DownloadedHead {
  position: number
  hash: string
  at: string
}

interface Selected {
  position: number | null
  previous: Buffer | null
  leaf: Buffer | null
  hash: Buffer | null
}

const columns = sql`r.position, p.hash as previous, r.leaf, r.hash, ${storedReceipt}`
const before = sql`left join receipt_chain p on p.newsletter_id = r.newsletter_id and p.position = r.position - 1`

/** The receipts of one subscriber, oldest first, with what verifies them: for members and for the subscriber alike. */
export async function receiptsOf(
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
): Promise<{ head: DownloadedHead | null; receipts: DownloadedReceipt[] }> {
  const { rows } = await sql<Selected & StoredReceipt>`
    select ${columns} from consent c
    left join receipt_chain r on r.newsletter_id = c.newsletter_id and r.receipt_id = c.id ${before}
    where c.newsletter_id = ${newsletterId} and c.subscriber_id = ${subscriberId} order by c.id`.execute(db)
  return { head: await findHead(db, newsletterId), receipts: rows.map((row) => downloaded(newsletterId, row)) }
}

/**
 * The whole chain of a newsletter as JSON lines, in its order. Those of erased subscribers are there without the person. The last line
 * is the head. A million receipts take no more memory than a page of 500, and no connection is held meanwhile.
 */
export const streamJsonLines = (db: Db, newsletterId: string): Readable =>
  stream(async function* () {
    const head = await findHead(db, newsletterId)
    for await (const page of pagesOf(db, newsletterId, head)) yield page.map(jsonLine).join('')
    yield jsonLine({ head })
  })

/** The same as CSV, without the head. */
export const streamCsv = (db: Db, newsletterId: string, sheet?: Language): Readable =>
  stream(async function* () {
    const head = await findHead(db, newsletterId)
    yield csvText([csvColumns], sheet)
    for await (const page of pagesOf(db, newsletterId, head))
      yield csvLines(
        page.map((row) => csvColumns.map((column) => row[column])),
        sheet,
      )
  })

const stream = (lines: () => AsyncGenerator<string>): Readable =>
  pipeline(Readable.from(lines(), { objectMode: false }), readInTime(), () => {})

async function findHead(db: Db, newsletterId: string): Promise<DownloadedHead | null> {
  const row = await db
    .selectFrom('receipt_checkpoint')
    .select(['position', 'hash', 'at'])
    .where('newsletter_id', '=', newsletterId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { position: row.position, hash: row.hash.toString('hex'), at: row.at.toISOString() } : null
}

/** The places up to a head, in their order. */
async function* pagesOf(db: Db, newsletterId: string, head: DownloadedHead | null) {
  let last = 0
  while (last < (head?.position ?? 0)) {
    const upTo = sql<SqlBool>`r.position > ${last} and r.position <= ${head?.position ?? 0}`
    const page = await selectPage(db, newsletterId, upTo)
    const end = page.at(-1)?.position
    if (typeof end !== 'number') return
    last = end
    yield page
  }
}

async function selectPage(db: Db, newsletterId: string, where: RawBuilder<SqlBool>): Promise<DownloadedReceipt[]> {
  const { rows } = await sql<Selected & StoredReceipt>`
    select ${columns} from (
      select * from receipt_chain r where r.newsletter_id = ${newsletterId} and ${where} order by r.position limit ${PAGE}
    ) r
    left join consent c on c.newsletter_id = r.newsletter_id and c.id = r.receipt_id ${before}
    order by r.position`.execute(db)
  return rows.map((row) => downloaded(newsletterId, row))
}

function downloaded(newsletterId: string, row: Selected & StoredReceipt): DownloadedReceipt {
  const { position, previous, leaf, hash, subscriberId, salt, newsletter: _, ...facts } = row
  const hex = (value: Buffer | null) => value?.toString('hex') ?? null
  return {
    newsletter: newsletterId,
    position,
    previous: position === 1 ? hex(startOfChain(newsletterId)) : hex(previous),
    leaf: hex(leaf),
    hash: hex(hash),
    salt,
    person: subscriberId && salt ? personOf(Buffer.from(salt, 'hex'), subscriberId) : null,
    ...facts,
  }
}

/** Some readers of lines take these two for the end of one. */
const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`

const csvColumns = [
  'position',
  'at',
  'act',
  'words',
  'wordsVersion',
  'language',
  'purpose',
  'beneficiary',
  'beneficiaryId',
  'means',
  'proof',
  'network',
  'newsletter',
  'receipt',
  'person',
  'salt',
  'previous',
  'leaf',
  'hash',
] as const satisfies readonly (keyof DownloadedReceipt)[]
