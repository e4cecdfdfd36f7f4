import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The number of the half minute in which a moment lies (RFC 6238 section 4.2). */
export const stepAt = (at: Date): number => Math.floor(at.getTime() / (STEP_SECONDS * 1000))

/** The code of six digits for one step: HOTP with HMAC-SHA-1 (RFC 4226 section 5.3). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * The step whose code this is: the present one, the one before or the one after, for clocks that differ (RFC 6238 section 5.2). A step
 * up to `usedStep` does not count again. Null when the code is of none of them.
 */
export function matchingStep(
  secret: Buffer,
  code: string,
  { at, usedStep }: { at: Date; usedStep: number },
): number | null {
  const given = Buffer.from(code)
  if (given.length !== DIGITS) return null
  const present = stepAt(at)
  const steps = [present, present - 1, present + 1].filter((step) => step > usedStep)
  return steps.find((step) => timingSafeEqual(given, Buffer.from(codeAt(secret, step)))) ?? null
}

/** Base32 without padding (RFC 4648 section 6), as authenticator apps take a secret. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The address that a QR code carries into an authenticator app. */
export function totpAddress({ secret, account, issuer }: { secret: Buffer; account: string; issuer: string }): string {
  const query = new URLSearchParams({ secret: base32(secret), issuer, algorithm: 'SHA1', digits: '6', period: '30' })
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}
