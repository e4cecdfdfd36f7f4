import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { line } from '../../../http/endpoint.ts'
import type { Signer } from '../../../http/signing.ts'

export const MEDIA_TYPE = 'application/jose+json'
export const DOCUMENT_DAYS = 14
const DAY_S = 86_400
const MAX_DEPTH = 4
const TYPE = 'tirage-newsletter'

const Bytes = (length: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .length(length)
const PublicKey = Bytes(43)

const Flattened = z.strictObject({
  payload: z.string().regex(/^[\w-]+$/),
  protected: z.string().regex(/^[\w-]+$/),
  signature: Bytes(86),
})
const Header = z.strictObject({
  alg: z.literal('EdDSA'),
  typ: z.literal(TYPE),
  jwk: z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: PublicKey }),
})
const Name = z.string().regex(/^[\w-]{1,60}$/)
const Payload = z.object({
  /** Its own address. */
  url: z.string().max(500),
  id: Name,
  handle: Name.nullable(),
  name: line(120),
  description: z.union([z.literal(''), line(500)]),
  language: z.string().regex(/^[a-z]{2,3}(-[\w-]{1,20})?$/),
  subscribe: z.string().max(500),
  iat: z.int(),
  exp: z.int(),
})

/** What a newsletter says of itself to other servers. Its times are seconds since 1970. */
export type NewsletterDocument = z.infer<typeof Payload>

/** A document whose signature, times and addresses are right, with the key that signed it. */
export interface ProvenDocument extends NewsletterDocument {
  key: string
}

/** A newsletter of a server, as an address names it: by its id or handle. */
export interface RemoteAddress {
  /** Origin and path of the server, without a slash at the end. */
  base: string
  name: string
}

const PATH =
  /^(.*?)\/(?:(?:n|sub|subscribe)\/([\w-]{1,60})(?:\/.*)?|\.well-known\/tirage\/newsletters\/([\w-]{1,60})\.json)$/

/** The newsletter whose subscribe page, archive or document an address leads to; null for any other address. */
export function readRemoteAddress(text: string): RemoteAddress | null {
  const address = text.includes('://') ? text : `https://${text}`
  if (!URL.canParse(address)) return null
  const { protocol, username, password, origin, pathname } = new URL(address)
  if (!/^https?:$/.test(protocol) || username || password) return null
  const [, path = '', byPage, byDocument] = PATH.exec(pathname.replace(/(.)\/$/, '$1')) ?? []
  const name = byPage ?? byDocument
  return name === undefined ? null : { base: `${origin}${path}`, name }
}

export const documentAddress = ({ base, name }: RemoteAddress): string =>
  `${base}/.well-known/tirage/newsletters/${name}.json`
export const subscribeAddress = ({ base, name }: RemoteAddress): string => `${base}/subscribe/${name}`

/** The DER of an Ed25519 private key, before its 32 bytes (RFC 8410 section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Signs a document with the key of its newsletter, which follows from the secret of the instance.
 * @returns a flattened JWS (RFC 7515 section 7.2.2) with EdDSA (RFC 8037)
 */
export function signDocument(signer: Signer, document: NewsletterDocument): string {
  const seed = signer.mac('newsletter document', document.id)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const head = encoded({ alg: 'EdDSA', typ: TYPE, jwk: { kty: 'OKP', crv: 'Ed25519', x } })
  const payload = encoded(document)
  const signature = sign(null, Buffer.from(`${head}.${payload}`), key).toString('base64url')
  return JSON.stringify({ payload, protected: head, signature })
}

export type Unread = 'remote_invalid' | 'remote_ahead' | 'remote_over'

/**
 * Reads a document that an address answered, or says why it does not count: it must be signed, speak for that very address, and not be over. The
 * clock of its server may be ahead of ours by as long as a document holds; beyond that `remote_ahead`.
 */
export function readDocument(
  text: string,
  { asked, now }: { asked: RemoteAddress; now: Date },
): ProvenDocument | Unread {
  const flattened = Flattened.safeParse(parsed(text)).data
  const header = Header.safeParse(flattened && decoded(flattened.protected)).data
  const document = Payload.safeParse(flattened && decoded(flattened.payload)).data
  if (!flattened || !header || !document) return 'remote_invalid'
  const signed = Buffer.from(`${flattened.protected}.${flattened.payload}`)
  if (!isSigned(signed, flattened.signature, header.jwk.x)) return 'remote_invalid'
  const { id, handle, url, subscribe, iat, exp } = document
  const seconds = now.getTime() / 1000
  const speaks = asked.name === id || asked.name === handle
  const own = { base: asked.base, name: id }
  const isOwn = url === documentAddress(own) && subscribe === subscribeAddress(own)
  if (!speaks || !isOwn || exp - iat > DOCUMENT_DAYS * DAY_S) return 'remote_invalid'
  if (iat > seconds + DOCUMENT_DAYS * DAY_S) return 'remote_ahead'
  return exp > seconds ? { ...document, key: header.jwk.x } : 'remote_over'
}

function isSigned(signed: Buffer, signature: string, x: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, signed, key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/** When a document was signed, by the clock of its server. */
export const signedAt = ({ iat }: Pick<NewsletterDocument, 'iat'>): Date => new Date(iat * 1000)

/** Since when a document is known to hold that is newer than all before: when it was signed, and never later than now. */
export const holdsSince = (document: Pick<NewsletterDocument, 'iat'>, now: Date): Date =>
  new Date(Math.min(signedAt(document).getTime(), now.getTime()))

const decoded = (text: string): unknown => parsed(Buffer.from(text, 'base64url').toString('utf8'))

/** The value of a JSON text; undefined for one that is none, or nested deeper than any of ours. */
function parsed(text: string): unknown {
  let depth = 0
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    if (depth > MAX_DEPTH) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
