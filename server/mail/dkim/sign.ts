import { hash, sign } from 'node:crypto'
import type { SigningKey } from './signing-key.ts'

/** A signature without the parts that depend on the body: the field and the signed bytes, both up to the body's hash. */
export interface Draft {
  key: SigningKey
  field: string
  signed: string
}

/** Fields that people see or that mail programs act on (RFC 6376 section 5.4, RFC 8058 section 4). */
const SIGNED = [
  'From',
  'Subject',
  'Reply-To',
  'Date',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'Auto-Submitted',
  'Precedence',
  'Feedback-ID',
  'List-Id',
  'List-Unsubscribe-Post',
  'To',
  'Message-ID',
  'List-Unsubscribe',
]
/** Named once more than they occur, so that a server in between cannot add another one (RFC 6376 section 8.15). */
const SEALED = new Set([
  'From',
  'Subject',
  'Reply-To',
  'Content-Type',
  'To',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
])
/** A relay may add these when there are none: their absence means nothing. */
const ADDABLE = new Set(['List-Unsubscribe', 'List-Unsubscribe-Post'])

/**
 * Prepares the signatures of a message with this header, whose last line ends with CRLF. Canonicalisation is relaxed for
 * the header and simple for the body (RFC 6376 section 3.4; docs/decisions/dkim.md).
 */
export function draftSignatures(header: string, keys: SigningKey[], at: Date): Draft[] {
  if (keys.length === 0) return []
  const fields = readFields(header)
  const names = signedNames(fields)
  const signed = relaxedFields(fields, names)
  return keys.map((key) => {
    const field = signatureField(key, names, at)
    return { key, field, signed: signed + relaxed(field) }
  })
}

/** The text after the body's hash, in the field and in the signed bytes. */
export const AFTER_HASH = { field: ';\r\n b=', signed: '; b=' } as const

/** @param body the bytes after the header's empty line: they end with exactly one CRLF, or there are none */
export const bodyHash = (body: Buffer): string => hash('sha256', body, 'base64')

export const BODY_HASH_LENGTH = 44

/**
 * Signs in the thread pool, where RSA takes 250 µs and Ed25519 30 µs. Both take less than 10 µs of the event loop. Ed25519
 * signs the hash of the bytes (RFC 8463 section 3).
 */
export function signBytes({ algorithm, privateKey }: SigningKey, bytes: Buffer): Promise<Buffer> {
  const [digest, signed] = algorithm === 'rsa-sha256' ? ['sha256', bytes] : [null, hash('sha256', bytes, 'buffer')]
  return new Promise((resolve, reject) => {
    sign(digest, signed, privateKey, (error, signature) => (error ? reject(error) : resolve(signature)))
  })
}

const LINE = 72

/** The value of `b=`, folded, with the CRLF that ends the field. */
export function signatureLines(signature: Buffer): string {
  const base64 = signature.toString('base64')
  let lines = base64.slice(0, LINE)
  for (let at = LINE; at < base64.length; at += LINE) lines += `\r\n ${base64.slice(at, at + LINE)}`
  return `${lines}\r\n`
}

/** In bytes. All signatures of one key have the same length. */
export function signatureLinesLength({ algorithm, privateKey }: SigningKey): number {
  const bits = algorithm === 'ed25519-sha256' ? 512 : (privateKey.asymmetricKeyDetails?.modulusLength ?? 2048)
  const base64Length = Math.ceil(bits / 24) * 4
  return base64Length + Math.floor((base64Length - 1) / LINE) * 3 + 2
}

interface HeaderField {
  /** In lower case. */
  name: string
  line: string
}

const readFields = (header: string): HeaderField[] =>
  (header.match(/^[^ \t\r\n:]+[ \t]*:.*\r\n(?:[ \t].*\r\n)*/gm) ?? []).map((line) => ({
    name: line.slice(0, line.indexOf(':')).trim().toLowerCase(),
    line,
  }))

const signedNames = (fields: HeaderField[]): string[] =>
  SIGNED.flatMap((name) => {
    const present = fields.filter((field) => field.name === name.toLowerCase()).length
    const sealed = SEALED.has(name) && !(present === 0 && ADDABLE.has(name))
    return Array.from({ length: present + (sealed ? 1 : 0) }, () => name)
  })

/** Of several fields with one name, the last is signed first (RFC 6376 section 5.4.2). */
function relaxedFields(fields: HeaderField[], names: string[]): string {
  const left = Map.groupBy(fields, ({ name }) => name)
  return names
    .flatMap((name) => left.get(name.toLowerCase())?.pop() ?? [])
    .map(({ line }) => `${relaxed(line)}\r\n`)
    .join('')
}

/** RFC 6376 section 3.4.2, without the line end. Only space and tab are white space: UTF-8 letters use other bytes. */
function relaxed(line: string): string {
  const colon = line.indexOf(':')
  const value = line
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/^ | $/g, '')
  return `${line.slice(0, colon).trim().toLowerCase()}:${value}`
}

/** The field `DKIM-Signature` up to `bh=`, which the hash of the body will follow. */
function signatureField({ algorithm, domain, selector }: SigningKey, names: string[], at: Date): string {
  const time = Math.floor(at.getTime() / 1000)
  return [
    `DKIM-Signature: v=1; a=${algorithm}; c=relaxed/simple;`,
    `d=${domain}; s=${selector};`,
    `t=${time};`,
    `h=${foldedNames(names)};`,
    'bh=',
  ].join('\r\n ')
}

function foldedNames(names: string[]): string {
  const lines: string[] = []
  for (const name of names) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + name.length <= LINE) lines[lines.length - 1] = `${line}:${name}`
    else lines.push(name)
  }
  return lines.join(':\r\n ')
}
