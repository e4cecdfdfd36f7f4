import { hash, sign } from 'node:crypto'
import type { SigningKey } from './signing-key.ts'

/** A signature but for what depends on the body: `field` up to its hash, `signed` (the bytes that are signed) likewise. */
export interface Draft {
  key: SigningKey
  field: string
  signed: string
}

/** What a reader sees or a mail program acts on (RFC 6376 section 5.4, RFC 8058 section 4). */
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
/** Named once more than they are there, so that none can be added on the way (RFC 6376 section 8.15). */
const SEALED = new Set([
  'From',
  'Subject',
  'Reply-To',
  'Content-Type',
  'To',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
])
/** A relay may add these where there is none: nothing hangs on their absence. */
const ADDABLE = new Set(['List-Unsubscribe', 'List-Unsubscribe-Post'])

/**
 * The signatures of a message whose header is this text, ended by CRLF: canonicalisation relaxed for the header, simple
 * for the body (RFC 6376 section 3.4; docs/decisions/dkim.md).
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

/** What follows the body's hash, in the field and in the bytes that are signed. */
export const AFTER_HASH = { field: ';\r\n b=', signed: '; b=' } as const

/** Of the bytes that follow the header's empty line, which end with exactly one CRLF or are none. */
export const bodyHash = (body: Buffer): string => hash('sha256', body, 'base64')

export const BODY_HASH_LENGTH = 44

/**
 * In the thread pool: RSA takes 250 µs of a core, Ed25519, which signs the hash (RFC 8463 section 3), 30, and the event
 * loop less than 10 for either.
 */
export function signBytes({ algorithm, privateKey }: SigningKey, bytes: Buffer): Promise<Buffer> {
  const [digest, signed] = algorithm === 'rsa-sha256' ? ['sha256', bytes] : [null, hash('sha256', bytes, 'buffer')]
  return new Promise((resolve, reject) => {
    sign(digest, signed, privateKey, (error, signature) => (error ? reject(error) : resolve(signature)))
  })
}

const LINE = 72

/** The value of `b=` on its lines, the CRLF that ends the field with it. */
export function signatureLines(signature: Buffer): string {
  const letters = signature.toString('base64')
  let lines = letters.slice(0, LINE)
  for (let at = LINE; at < letters.length; at += LINE) lines += `\r\n ${letters.slice(at, at + LINE)}`
  return `${lines}\r\n`
}

/** In bytes, the same for all signatures of one key. */
export function signatureLinesLength({ algorithm, privateKey }: SigningKey): number {
  const bits = algorithm === 'ed25519-sha256' ? 512 : (privateKey.asymmetricKeyDetails?.modulusLength ?? 2048)
  const letters = Math.ceil(bits / 24) * 4
  return letters + Math.floor((letters - 1) / LINE) * 3 + 2
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

/** RFC 6376 section 5.4.2: of fields with one name the last is the first to be signed. */
function relaxedFields(fields: HeaderField[], names: string[]): string {
  const left = Map.groupBy(fields, ({ name }) => name)
  return names
    .flatMap((name) => left.get(name.toLowerCase())?.pop() ?? [])
    .map(({ line }) => `${relaxed(line)}\r\n`)
    .join('')
}

/** RFC 6376 section 3.4.2, without the line end. White space is space and tab: other bytes may be a letter's in UTF-8. */
function relaxed(line: string): string {
  const colon = line.indexOf(':')
  const value = line
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/^ | $/g, '')
  return `${line.slice(0, colon).trim().toLowerCase()}:${value}`
}

/** `DKIM-Signature` up to the hash of the body, which is to follow `bh=`. */
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
