import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Random base58 text for public addresses. 10 characters are 58 bits, and short enough to be read aloud. */
export function publicId(length = 10): string {
  let id = ''
  for (let i = 0; i < length; i++) id += BASE58[randomInt(58)]
  return id
}

/** The same for the same text, and like `publicId` otherwise: for the one row of a kind that another row has. */
export function derivedId(text: string, length = 10): string {
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
  let id = ''
  for (; id.length < length; rest /= 58n) id += BASE58[Number(rest % 58n)]
  return id
}

/**
 * A UUIDv7 (RFC 9562 section 5.7). Its 48 bits of milliseconds keep rows in the order of insertion. Its 74 random bits
 * cannot be guessed.
 */
export function uuidv7(at = Date.now()): string {
  const hex = Math.floor(at).toString(16).padStart(12, '0')
  // Node draws random bytes for many UUIDv4 at once, of which all but the beginning is as in a UUIDv7.
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`
}

/** When a UUIDv7 was made. */
export const madeAt = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL accepts `text` as a uuid. */
export const isUuid = (text: string): boolean => UUID.test(text)

const TEST = '7e570000-0000-8000-8000-'

/**
 * The id of the recipient of a test mail, who is no subscriber. A UUIDv8 (RFC 9562 section 5.8), so it is never the id of a
 * row. Each is different, because some mail programs show only one mail of the same Message-ID.
 */
export const testRecipientId = (): string => TEST + randomBytes(6).toString('hex')

export const isTestRecipient = (id: string): boolean => isUuid(id) && id.toLowerCase().startsWith(TEST)
