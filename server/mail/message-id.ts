import { timingSafeEqual } from 'node:crypto'
import type { Signer } from '../http/signing.ts'

interface MessageKey {
  publicationId: string
  subscriberId: string
}

const MAC_BYTES = 6

/**
 * The last part of a Message-ID: 48 bits of an HMAC over both ids, in hex. The ids alone are in every link of a mail, and
 * people pass links on. Only a person who has the mail itself may complain about it.
 */
export const messageIdMac = (signer: Signer, { publicationId, subscriberId }: MessageKey): string =>
  signer.mac('message id', `${publicationId}.${subscriberId}`).toString('hex', 0, MAC_BYTES)

/** Reads a Message-ID `<publication.subscriber.mac@domain>`; null for any other form. Does not check `mac`. */
export function readMessageId(text: string): (MessageKey & { mac: string }) | null {
  const found = /^<?([1-9A-Za-z]{1,20})\.([0-9a-f-]{36})(?:\.([0-9a-f]{12}))?@/i.exec(text)
  if (!found) return null
  const [, publicationId = '', subscriberId = '', mac = ''] = found
  return { publicationId, subscriberId: subscriberId.toLowerCase(), mac: mac.toLowerCase() }
}

/** Whether this server made the Message-ID. */
export function isOurs(signer: Signer, messageId: string): boolean {
  const key = readMessageId(messageId)
  if (!key) return false
  const [given, expected] = [Buffer.from(key.mac), Buffer.from(messageIdMac(signer, key))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
