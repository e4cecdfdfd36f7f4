import { createPublicKey } from 'node:crypto'

export type Algorithm = 'rsa-sha256' | 'ed25519-sha256'

/** The value of the tag `k` (RFC 6376 section 3.6.1, RFC 8463 section 3). */
const keyType: Record<Algorithm, string> = { 'rsa-sha256': 'rsa', 'ed25519-sha256': 'ed25519' }

export const recordName = ({ selector, domain }: { selector: string; domain: string }): string =>
  `${selector}._domainkey.${domain}`

/** The text of the record with which receivers check the signatures of this key (RFC 6376 section 3.6.1). */
export const recordText = ({ algorithm, publicKey }: { algorithm: Algorithm; publicKey: string }): string =>
  `v=DKIM1; k=${keyType[algorithm]}; p=${publicKey}`

/** The value of the tag `p`: base64 of the whole SubjectPublicKeyInfo for RSA, of the bare 32 bytes for Ed25519. */
export function publicKeyText(algorithm: Algorithm, spki: Buffer): string {
  if (algorithm === 'rsa-sha256') return spki.toString('base64')
  const { x } = createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  return Buffer.from(x ?? '', 'base64url').toString('base64')
}

/** The size of an RSA key in bits; null for Ed25519, which has one size. */
export function keyBits({ algorithm, publicKey }: { algorithm: Algorithm; publicKey: string }): number | null {
  if (algorithm !== 'rsa-sha256') return null
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  return key.asymmetricKeyDetails?.modulusLength ?? null
}

export type KeyMatch = 'same' | 'other' | 'revoked' | 'unreadable'

/** Compares the text of a TXT record with a key; `same` also needs it to allow SHA-256 and mail. */
export function matchRecord(text: string, key: { algorithm: Algorithm; publicKey: string }): KeyMatch {
  const tags = readTags(text)
  const version = tags?.get('v')
  const published = tags?.get('p')?.replaceAll(/\s/g, '')
  if (!tags || published === undefined || (version !== undefined && version !== 'DKIM1')) return 'unreadable'
  if (published === '') return 'revoked'
  const fits =
    published === key.publicKey &&
    (tags.get('k') ?? 'rsa') === keyType[key.algorithm] &&
    allows(tags.get('h'), 'sha256') &&
    allows(tags.get('s'), 'email', '*')
  return fits ? 'same' : 'other'
}

const allows = (list: string | undefined, ...wanted: string[]): boolean =>
  list === undefined || list.split(':').some((each) => wanted.includes(each.trim().toLowerCase()))

/** Parses a tag list (RFC 6376 section 3.2); null when the text is not one. A tag that comes twice makes it invalid. */
export function readTags(text: string): Map<string, string> | null {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const [, name, value] = part.match(/^\s*([a-z]\w*)\s*=(.*)$/is) ?? []
    if (name === undefined || value === undefined || tags.has(name)) return null
    tags.set(name, value.trim())
  }
  return tags
}
