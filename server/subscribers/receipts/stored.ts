import { sql } from 'kysely'
import { personOf, type ReceiptFacts } from './leaf.ts'

/** A receipt as `receiptFacts` selects it. */
export interface StoredReceipt extends Omit<ReceiptFacts, 'person'> {
  subscriberId: string
  /** 32 hexadecimal digits. */
  salt: string
}

/** Columns of the consent receipt `c`, named as `StoredReceipt` has them. */
export const storedReceipt = sql`
  c.newsletter_id as "newsletter", c.id as "receipt", c.subscriber_id as "subscriberId", c.act, c.purpose,
  coalesce(c.beneficiary_id, c.newsletter_id) as "beneficiaryId", c.beneficiary_name as "beneficiary",
  c.wording as "words", c.wording_version as "wordsVersion", c.language, c.means, c.proof, c.network,
  to_char(c.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "at", replace(c.salt::text, '-', '') as "salt"`

/** What a stored receipt is hashed from. */
export function factsOf({ subscriberId, salt, ...facts }: StoredReceipt): { salt: Buffer; facts: ReceiptFacts } {
  const bytes = Buffer.from(salt, 'hex')
  return { salt: bytes, facts: { ...facts, person: personOf(bytes, subscriberId) } }
}
