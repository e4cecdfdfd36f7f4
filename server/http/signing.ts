import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Signs short texts for addresses in mails, so that they need no row and never expire by accident. Each purpose has a
 * key of its own, derived from the instance's secret; a signature made for one purpose is worth nothing for another.
 */
export class Signer {
  readonly #keys = new Map<string, Buffer>()

  constructor(private readonly secret: string) {}

  /** `value.signature`: the value stays readable; 128 bits of HMAC-SHA-256 in base64url. */
  sign(purpose: string, value: string): string {
    return `${value}.${this.#mac(purpose, value)}`
  }

  /** The value whose signature holds, or null. */
  open(purpose: string, token: string): string | null {
    const at = token.lastIndexOf('.')
    if (at < 1 || token.length > 500) return null
    const value = token.slice(0, at)
    const given = Buffer.from(token.slice(at + 1))
    const expected = Buffer.from(this.#mac(purpose, value))
    return given.length === expected.length && timingSafeEqual(given, expected) ? value : null
  }

  /** HMAC-SHA-256 of what is signed once a message; whoever needs less of it cuts it. */
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

/** What is kept of a random token: its SHA-256. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
