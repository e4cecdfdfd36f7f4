import { createHash } from 'node:crypto'

/** A consent receipt without the person's id. Its fields are those of the downloads (docs/receipts.md). */
export interface ReceiptFacts {
  newsletter: string
  /** A UUID. */
  receipt: string
  /** SHA-256 of the salt and the subscriber's id, in hexadecimal: no member learns the id itself (`shown-ids.ts`). */
  person: string
  act: string
  purpose: string
  /** The id of a sponsor, or of the newsletter. */
  beneficiaryId: string
  beneficiary: string | null
  words: string
  wordsVersion: string
  language: string
  means: string
  proof: string | null
  network: string | null
  /** In UTC with microseconds: `2026-11-22T09:15:00.123456Z`. */
  at: string
}

/** The order of the fields in the canonical bytes. Another order, or another field, is another format. */
const FIELDS = [
  'newsletter',
  'receipt',
  'person',
  'act',
  'purpose',
  'beneficiaryId',
  'beneficiary',
  'words',
  'wordsVersion',
  'language',
  'means',
  'proof',
  'network',
  'at',
] as const satisfies readonly (keyof ReceiptFacts)[]

const FORMAT = 'tirage receipt 1'

/**
 * A receipt as bytes, the same for the same receipt and different for any other: a JSON array of texts and nulls in canonical form
 * (RFC 8785, section 3.2.2), in UTF-8.
 */
export const canonicalBytes = (facts: ReceiptFacts): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, ...FIELDS.map((field) => facts[field])]))

const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** @param salt 16 bytes that are deleted with the receipt, so that nobody can find what an erased leaf stood for by trying */
export const leafOf = (salt: Buffer, facts: ReceiptFacts): Buffer => sha256(salt, canonicalBytes(facts))

/** @param subscriberId a UUID with its dashes */
export const personOf = (salt: Buffer, subscriberId: string): string => sha256(salt, subscriberId).toString('hex')

/** The hash before the first receipt of a newsletter, so that no chain passes for another's. */
export const startOfChain = (newsletterId: string): Buffer => sha256(`tirage receipts 1 ${newsletterId}`)

/** @param before 32 bytes @param leaf 32 bytes */
export const nextHash = (before: Buffer, leaf: Buffer): Buffer => sha256(before, leaf)
