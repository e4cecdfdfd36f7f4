import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv, hkdfSync } from 'node:crypto'

/**
 * Ids as one block of AES-256, with a key for each purpose, derived from the instance's secret. A permutation of all UUIDs: the same for
 * the same id, unique without a check and turned back without a query. Whoever does not have the secret learns nothing from one, and cannot make another.
 */
export class IdCipher {
  readonly #cipher: Cipheriv
  readonly #decipher: Decipheriv

  constructor(secret: string, purpose: string) {
    const key = Buffer.from(hkdfSync('sha256', secret, 'tirage', purpose, 32))
    // ECB is the bare block cipher: one block at a time, without state between them.
    this.#cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
    this.#decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  }

  /** @param id a UUID @returns 32 hexadecimal digits */
  encrypt(id: string): string {
    return this.#cipher.update(id.replaceAll('-', ''), 'hex', 'hex')
  }

  /** The UUID of 32 hexadecimal digits. Any 32 have one, which need not be anybody's. */
  decrypt(digits: string): string {
    return dashed(this.#decipher.update(digits, 'hex', 'hex'))
  }
}

/** 32 hexadecimal digits in the form of a UUID. */
export const dashed = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
