import { randomBytes, randomInt } from 'node:crypto'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Random base58 text for public addresses. 10 characters are 58 bits, and short enough to be read aloud. */
export function publicId(length = 10): string {
  let id = ''
  for (let i = 0; i < length; i++) id += BASE58[randomInt(58)]
  return id
}

/**
 * A UUIDv7 (RFC 9562 section 5.7). Its 48 bits of milliseconds keep rows in the order of insertion. Its 74 random bits
 * cannot be guessed.
 */
export function uuidv7(at = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

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
