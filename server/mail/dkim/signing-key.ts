import type { KeyObject } from 'node:crypto'

/** A key that signs mail from addresses of `domain`; its record is at `<selector>._domainkey.<domain>`. */
export interface SigningKey {
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  privateKey: KeyObject
}
