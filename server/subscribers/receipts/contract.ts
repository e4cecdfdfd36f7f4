import { z } from 'zod'
import { Csv, endpoint, JsonLines, Newsletter, Sheet, ShownId } from '../../http/endpoint.ts'

const text = z.string().nullable()

/** A receipt with its place in the chain (docs/receipts.md). Hashes and salts are hexadecimal. */
const DownloadedReceipt = z.object({
  newsletter: z.string(),
  position: z.int().nullable(),
  previous: text,
  leaf: text,
  hash: text,
  salt: text,
  receipt: text,
  person: text,
  act: text,
  purpose: text,
  beneficiaryId: text,
  beneficiary: text,
  words: text,
  wordsVersion: text,
  language: text,
  means: text,
  proof: text,
  network: text,
  at: text,
})

export const downloadReceipts = endpoint('GET /api/newsletters/:newsletterId/subscribers/:subscriberId/receipts', {
  permission: 'subscribers.export',
  cost: 'export',
  summary: 'One subscriber’s consent receipts, with what verifies them',
  params: Newsletter.extend({ subscriberId: ShownId }),
  reply: z.object({
    /** The last checkpoint of the newsletter’s chain. */
    head: z.object({ position: z.int(), hash: z.string(), at: z.iso.datetime() }).nullable(),
    receipts: z.array(DownloadedReceipt),
  }),
  errors: ['subscriber_not_found'],
  audit: { act: 'receipts_exported' },
})

export const exportReceiptsAsLines = endpoint('GET /api/newsletters/:newsletterId/receipts.jsonl', {
  permission: 'subscribers.export',
  cost: 'export',
  summary: 'All consent receipts in the order of their chain, as JSON lines, streamed. The last line is the head',
  params: Newsletter,
  reply: JsonLines,
  audit: { act: 'receipts_exported' },
})

export const exportReceiptsAsCsv = endpoint('GET /api/newsletters/:newsletterId/receipts.csv', {
  permission: 'subscribers.export',
  cost: 'export',
  summary: 'All consent receipts in the order of their chain, as CSV, streamed',
  params: Newsletter,
  query: Sheet,
  reply: Csv,
  audit: { act: 'receipts_exported' },
})
