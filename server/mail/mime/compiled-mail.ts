import { randomBytes } from 'node:crypto'
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
import { quotedPrintable } from './quoted-printable.ts'
import type { Placeholders, Segments } from './segments.ts'
import { Template } from './template.ts'

/** A message as it is written once for many readers; every part may have marks of `slots` in it. */
export interface Written {
  /** Without Content-Type. */
  fields: Field[]
  text: string
  html: string
  boundary: string
}

/** Ends no part by accident: `=_` never comes in quoted-printable (RFC 2045 section 6.7). */
export const newBoundary = (): string => `=_tirage_${randomBytes(12).toString('hex')}`

/** A signature's place in front of every message. */
interface Place {
  key: SigningKey
  field: Buffer
  length: number
  signed: Template
}

/** As many as may be under way at once, and room for a longer name than the last one's. */
const MOST_ROOMS = 64
const SPARE = 512

/** A message ready for any number of readers: bytes but for its slots, a place for each signature in front of it. */
export class CompiledMail<Reader> {
  readonly #places: Place[]
  readonly #placesSize: number
  readonly #header: Template
  readonly #body: Template
  readonly #rooms: ArrayBuffer[] = []

  constructor(
    private readonly slots: Placeholders<Reader>,
    written: Written,
    { keys, at }: { keys: SigningKey[]; at: Date },
  ) {
    const header = headerOf(written)
    this.#header = new Template([...slots.cut(header), '\r\n'])
    this.#body = new Template(bodyOf(slots, written))
    this.#places = draftSignatures(header, keys, at).map(({ key, field, signed }) => ({
      key,
      field: Buffer.from(field, 'latin1'),
      length: field.length + BODY_HASH_LENGTH + AFTER_HASH.field.length + signatureLinesLength(key),
      signed: new Template(slots.cut(signed)),
    }))
    this.#placesSize = this.#places.reduce((size, { length }) => size + length, 0)
  }

  /** The whole message of one reader; a promise where it is signed. */
  rawFor(reader: Reader): Buffer | Promise<Buffer> {
    const values = this.slots.valuesFor(reader)
    const raw = this.#room(this.#placesSize + this.#header.size(values) + this.#body.size(values))
    const bodyAt = this.#header.write(raw, this.#placesSize, values)
    this.#body.write(raw, bodyAt, values)
    return this.#places.length === 0 ? raw : this.#sign(raw, bodyAt, values)
  }

  /** Takes the bytes of a message back that nobody reads any more: the next one is written over it. */
  reuse(raw: Buffer): void {
    if (this.#rooms.length < MOST_ROOMS) this.#rooms.push(raw.buffer as ArrayBuffer)
  }

  /** Memory outside the heap is freed late: thousands of messages a second would hold a hundred megabytes of it. */
  #room(size: number): Buffer {
    const room = this.#rooms.pop()
    return room && room.byteLength >= size
      ? Buffer.from(room, 0, size)
      : Buffer.from(new ArrayBuffer(size + SPARE), 0, size)
  }

  async #sign(raw: Buffer, bodyAt: number, values: string[]): Promise<Buffer> {
    const hashed = bodyHash(raw.subarray(bodyAt))
    const signing = this.#places.map((place) => signBytes(place.key, signedBytes(place, hashed, values)))
    const signatures = await Promise.all(signing)
    let at = 0
    for (const [index, place] of this.#places.entries()) {
      put(raw, at, { place, hashed, signature: signatures[index] as Buffer })
      at += place.length
    }
    return raw
  }
}

function signedBytes({ signed }: Place, hashed: string, values: string[]): Buffer {
  const bytes = Buffer.allocUnsafe(signed.size(values) + BODY_HASH_LENGTH + AFTER_HASH.signed.length)
  bytes.write(hashed + AFTER_HASH.signed, signed.write(bytes, 0, values), 'latin1')
  return bytes
}

interface Signature {
  place: Place
  hashed: string
  signature: Buffer
}

function put(raw: Buffer, at: number, { place: { field }, hashed, signature }: Signature): void {
  raw.set(field, at)
  raw.write(hashed + AFTER_HASH.field + signatureLines(signature), at + field.length, 'latin1')
}

const headerOf = ({ fields, boundary }: Written): string =>
  headerBlock([
    ...fields,
    ['MIME-Version', '1.0'],
    ['Content-Type', `multipart/alternative;\r\n boundary="${boundary}"`],
  ])

function bodyOf<Reader>(slots: Placeholders<Reader>, { text, html, boundary }: Written): Segments<Reader> {
  const part = (type: string, content: string): Segments<Reader> => [
    `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
    ...quotedPrintable(slots.cut(content)),
    '\r\n',
  ]
  return [...part('text/plain', text), ...part('text/html', html), `--${boundary}--\r\n`]
}
