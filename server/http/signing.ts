import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Signs short texts for addresses in mails. They need no row in the database and do not expire by accident. Each purpose has
 * a key of its own, derived from the instance's secret, so a signature for one purpose is not valid for another.
 */
export class Signer {
  readonly #keys = new Map<string, Buffer>()

  constructor(private readonly secret: string) {}

  /** Returns `value.signature`. The value stays readable. The signature has 128 bits of HMAC-SHA-256, in base64url. */
  sign(purpose: string, value: string): string {
    return `${value}.${this.#mac(purpose, value)}`
  }

  /** Returns the value when its signature is valid, else null. */
  open(purpose: string, token: string): string | null {
    const at = token.lastIndexOf('.')
    if (at < 1 || token.length > 500) return null
    const value = token.slice(0, at)
    const given = Buffer.from(token.slice(at + 1))
    const expected = Buffer.from(this.#mac(purpose, value))
    return given.length === expected.length && timingSafeEqual(given, expected) ? value : null
  }

  /** The whole HMAC-SHA-256. A caller that needs fewer bits cuts it. */
  mac(purpose: string, value: string | Buffer): Buffer {
    return createHmac('sha256', this.#key(purpose)).update(value).digest()
  }

  #mac(purpose: string, value: string): string {
    return this.mac(purpose, value).subarray(0, 16).toString('base64url')
  }

  #key(purpose: string): Buffer {
    let key = this.#keys.get(purpose)
    if (!key) {
      key = createHmac('sha256', this.secret).update(`tirage ${purpose}`).digest()
      this.#keys.set(purpose, key)
    }
    return key
  }
}

/** The SHA-256 of a random token, which is stored in place of the token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
