import {
  AFTER_HASH,
  BODY_HASH_LENGTH,
  bodyHash,
  draftSignatures,
  signatureLines,
  signatureLinesLength,
  signBytes,
} from '../dkim/sign.ts'
import type { SigningKey } from '../dkim/signing-key.ts'
import { type Field, headerBlock } from './fields.ts'
import type { MailBody } from './mail-body.ts'
import { cut, type Placeholders } from './segments.ts'
import { Template, templateBytes } from './template.ts'

/** A message that is written once for many recipients. */
export interface MailParts {
  /** Without Content-Type. They may contain marks of placeholders. */
  fields: Field[]
  body: MailBody
}

/** The bytes in front of every message that its signature will take. */
interface SignatureSpace {
  key: SigningKey
  field: Buffer
  length: number
  signed: Template
}

/** Enough for the messages that are sent at the same time. */
const MAX_FREE_BUFFERS = 64
/** A buffer can then be used again for a recipient with a longer name. */
const SPARE_BYTES = 512

/**
 * A message that is ready for any number of recipients: bytes with placeholders between them, and space for each signature
 * in front.
 */
export class CompiledMail<Recipient> {
  readonly #signatureSpaces: SignatureSpace[]
  readonly #signaturesSize: number
  readonly #header: Template
  readonly #body: Template
  readonly #freeBuffers: ArrayBuffer[] = []

  constructor(
    private readonly placeholders: Placeholders<Recipient>,
    written: MailParts,
    { keys, at }: { keys: SigningKey[]; at: Date },
  ) {
    const header = headerOf(written)
    const templateOf = (text: string) => new Template(templateBytes(cut(text, placeholders.marks)))
    this.#header = templateOf(`${header}\r\n`)
    this.#body = new Template(written.body.template)
    this.#signatureSpaces = draftSignatures(header, keys, at).map(({ key, field, signed }) => ({
      key,
      field: Buffer.from(field, 'latin1'),
      length: field.length + BODY_HASH_LENGTH + AFTER_HASH.field.length + signatureLinesLength(key),
      signed: templateOf(signed),
    }))
    this.#signaturesSize = this.#signatureSpaces.reduce((size, { length }) => size + length, 0)
  }

  /** The whole message for one recipient; a promise when it is signed. */
  rawFor(recipient: Recipient): Buffer | Promise<Buffer> {
    const values = this.placeholders.valuesFor(recipient)
    const raw = this.#buffer(this.#signaturesSize + this.#header.size(values) + this.#body.size(values))
    const bodyAt = this.#header.write(raw, this.#signaturesSize, values)
    this.#body.write(raw, bodyAt, values)
    return this.#signatureSpaces.length === 0 ? raw : this.#sign(raw, bodyAt, values)
  }

  /** Takes back the buffer of a message that was sent. The next message is written into it. */
  reuse(raw: Buffer): void {
    const { buffer } = raw
    if (buffer instanceof ArrayBuffer && this.#freeBuffers.length < MAX_FREE_BUFFERS) this.#freeBuffers.push(buffer)
  }

  /** Node frees memory outside the heap late. New buffers for thousands of messages a second would occupy 100 MB. */
  #buffer(size: number): Buffer {
    const free = this.#freeBuffers.pop()
    return free && free.byteLength >= size
      ? Buffer.from(free, 0, size)
      : Buffer.from(new ArrayBuffer(size + SPARE_BYTES), 0, size)
  }

  async #sign(raw: Buffer, bodyAt: number, values: string[]): Promise<Buffer> {
    const hashed = bodyHash(raw.subarray(bodyAt))
    const signatures = await Promise.all(
      this.#signatureSpaces.map(async (space) => ({
        space,
        hashed,
        signature: await signBytes(space.key, signedBytes(space, hashed, values)),
      })),
    )
    let at = 0
    for (const signature of signatures) {
      writeSignature(raw, at, signature)
      at += signature.space.length
    }
    return raw
  }
}

function signedBytes({ signed }: SignatureSpace, hashed: string, values: string[]): Buffer {
  const bytes = Buffer.allocUnsafe(signed.size(values) + BODY_HASH_LENGTH + AFTER_HASH.signed.length)
  bytes.write(hashed + AFTER_HASH.signed, signed.write(bytes, 0, values), 'latin1')
  return bytes
}

interface Signature {
  space: SignatureSpace
  hashed: string
  signature: Buffer
}

function writeSignature(raw: Buffer, at: number, { space: { field }, hashed, signature }: Signature): void {
  raw.set(field, at)
  raw.write(hashed + AFTER_HASH.field + signatureLines(signature), at + field.length, 'latin1')
}

const headerOf = ({ fields, body: { boundary } }: MailParts): string =>
  headerBlock([
    ...fields,
    ['MIME-Version', '1.0'],
    ['Content-Type', `multipart/alternative;\r\n boundary="${boundary}"`],
  ])
