import { createCipheriv, createDecipheriv, createPrivateKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts secrets that we must read again, such as relay passwords and private keys, so that a stolen database does not
 * reveal them. It uses AES-256-GCM (NIST SP 800-38D) with a random nonce. Each purpose has a key of its own, derived from the
 * instance's secret (HKDF, RFC 5869), and opens nothing that was sealed for another purpose.
 */
export class Sealer {
  readonly #secret: string
  readonly #keys = new Map<string, Buffer>()
  readonly #privateKeys = new LRUCache<string, KeyObject>({ max: 1_000 })

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Returns nonce, authentication tag and ciphertext as one buffer. */
  seal(purpose: string, text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key(purpose), nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** @throws Error when it was sealed with another secret, for another purpose, or was changed */
  open(purpose: string, sealed: Buffer): string {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#key(purpose), nonce, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([opened, decipher.final()]).toString('utf8')
  }

  /** Opens a private key that was sealed as PEM. Opening takes longer than signing, so opened keys are kept. */
  openPrivateKey(purpose: string, sealed: Buffer): KeyObject {
    const name = `${purpose} ${sealed.toString('base64')}`
    const kept = this.#privateKeys.get(name)
    if (kept) return kept
    const key = createPrivateKey(this.open(purpose, sealed))
    this.#privateKeys.set(name, key)
    return key
  }

  #key(purpose: string): Buffer {
    let key = this.#keys.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#secret, 'tirage', `seal ${purpose}`, 32))
      this.#keys.set(purpose, key)
    }
    return key
  }
}
