import { timingSafeEqual } from 'node:crypto'
import type { Signer } from '../http/signing.ts'

interface Copy {
  publicationId: string
  subscriberId: string
}

const MARK_BYTES = 6

/**
 * Stands behind both ids in a Message-ID: 48 bits of HMAC in hex. The ids alone are in every link of a mail, and people
 * pass links on; only who has the mail itself may complain of it.
 */
export const messageMark = (signer: Signer, { publicationId, subscriberId }: Copy): string =>
  signer.mac('message id', `${publicationId}.${subscriberId}`).toString('hex', 0, MARK_BYTES)

/** The copy that a Message-ID `<publication.subscriber.mark@domain>` names, or null; `mark` is yet to be checked. */
export function readMessageId(text: string): (Copy & { mark: string }) | null {
  const found = /^<?([1-9A-Za-z]{1,20})\.([0-9a-f-]{36})(?:\.([0-9a-f]{12}))?@/i.exec(text)
  if (!found) return null
  const [, publicationId = '', subscriberId = '', mark = ''] = found
  return { publicationId, subscriberId: subscriberId.toLowerCase(), mark: mark.toLowerCase() }
}

/** Whether we wrote this Message-ID. */
export function isOurs(signer: Signer, messageId: string): boolean {
  const copy = readMessageId(messageId)
  if (!copy) return false
  const [given, expected] = [Buffer.from(copy.mark), Buffer.from(messageMark(signer, copy))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
