import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Signer } from '../http/signing.ts'

/** Identifies a delivery: one publication to one subscriber. */
export interface DeliveryKey {
  newsletterId: string
  publicationId: string
  subscriberId: string
}

type Domain = Pick<Config, 'bounceDomain'>

interface Purpose {
  prefix: string
  name: string
}

const bounces: Purpose = { prefix: 'b-', name: 'return path' }
const unsubscribes: Purpose = { prefix: 'u-', name: 'leave by mail' }

/**
 * The address to which a bounce of this delivery is sent (VERP). It is `b-` and 61 characters that contain the delivery
 * and 48 bits of an HMAC, so that nobody can report a delivery that was never sent. It is base32 in lower case, because
 * servers may change the case. It has 63 octets before the @, one less than RFC 5321 section 4.5.3.1.1 allows.
 *
 * @returns null when BOUNCE_DOMAIN is not set
 */
export const returnPath = (config: Domain, signer: Signer, delivery: DeliveryKey): string | null =>
  addressOf(bounces, { config, signer }, delivery)

/** The delivery that a bounce is about, whatever the case of its address; null for an address that we did not make. */
export const readReturnPath = (config: Domain, signer: Signer, address: string): DeliveryKey | null =>
  readAddress(bounces, { config, signer }, address)

/** The address that ends a subscription by mail (RFC 2369 section 3.2), in the same form as the return path. */
export const unsubscribeMailbox = (config: Domain, signer: Signer, delivery: DeliveryKey): string | null =>
  addressOf(unsubscribes, { config, signer }, delivery)

export const readUnsubscribeMailbox = (config: Domain, signer: Signer, address: string): DeliveryKey | null =>
  readAddress(unsubscribes, { config, signer }, address)

interface Keys {
  config: Domain
  signer: Signer
}

const KEY_BYTES = 32
const MAC_BYTES = 6

function addressOf({ prefix, name }: Purpose, { config: { bounceDomain }, signer }: Keys, delivery: DeliveryKey) {
  if (bounceDomain === null) return null
  const bytes = Buffer.allocUnsafe(KEY_BYTES + MAC_BYTES)
  if (!writeId(bytes, 0, delivery.newsletterId) || !writeId(bytes, 8, delivery.publicationId)) return null
  if (bytes.write(delivery.subscriberId.replaceAll('-', ''), 16, 'hex') !== 16) return null
  signer.mac(name, bytes.subarray(0, KEY_BYTES)).copy(bytes, KEY_BYTES, 0, MAC_BYTES)
  return `${prefix}${base32(bytes)}@${bounceDomain}`
}

/** Makes the address again and compares. One that differs in more than its case is not ours. */
function readAddress(purpose: Purpose, { config, signer }: Keys, address: string): DeliveryKey | null {
  const given = address.toLowerCase()
  const local = given.slice(0, given.lastIndexOf('@'))
  if (config.bounceDomain === null || !local.startsWith(purpose.prefix)) return null
  const bytes = fromBase32(local.slice(purpose.prefix.length))
  if (bytes?.length !== KEY_BYTES + MAC_BYTES) return null
  const delivery = {
    newsletterId: readId(bytes, 0),
    publicationId: readId(bytes, 8),
    subscriberId: bytes.toString('hex', 16, KEY_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  }
  const ours = addressOf(purpose, { config, signer }, delivery)
  return ours !== null && same(ours, given) ? delivery : null
}

function same(ours: string, given: string): boolean {
  const [a, b] = [Buffer.from(ours), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const digits = new Map([...BASE58].map((sign, value) => [sign.charCodeAt(0), value]))
const HALF = 5
/** 58^5 is less than 2^30, so each half of a public id fits into four bytes. */
const HALF_VALUES = 58 ** HALF

/** Writes a public id of ten characters. @returns false for any other text */
function writeId(bytes: Buffer, at: number, id: string): boolean {
  if (id.length !== 2 * HALF) return false
  for (let half = 0; half < 2; half += 1) {
    let value = 0
    for (let i = 0; i < HALF; i += 1) {
      const digit = digits.get(id.charCodeAt(half * HALF + i))
      if (digit === undefined) return false
      value = value * 58 + digit
    }
    bytes.writeUInt32BE(value, at + half * 4)
  }
  return true
}

const readId = (bytes: Buffer, at: number): string => readHalf(bytes, at) + readHalf(bytes, at + 4)

function readHalf(bytes: Buffer, at: number): string {
  let value = bytes.readUInt32BE(at) % HALF_VALUES
  let text = ''
  for (let i = 0; i < HALF; i += 1) {
    text = BASE58[value % 58] + text
    value = Math.floor(value / 58)
  }
  return text
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const codes = Buffer.from(BASE32)

/** RFC 4648 section 6 in lower case, without padding. */
function base32(bytes: Buffer): string {
  const text = Buffer.allocUnsafe(Math.ceil((bytes.length * 8) / 5))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < bytes.length; i += 1) {
    held = ((held << 8) | (bytes[i] as number)) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text[at++] = codes[(held >> (bits - 5)) & 31] as number
  }
  if (bits > 0) text[at] = codes[(held << (5 - bits)) & 31] as number
  return text.toString('latin1')
}

function fromBase32(text: string): Buffer | null {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8))
  let bits = 0
  let held = 0
  let at = 0
  for (const sign of text) {
    const value = BASE32.indexOf(sign)
    if (value < 0) return null
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >> bits) & 0xff
  }
  return bytes
}
