import type { Segments } from './segments.ts'

/** Fixed bytes, and the index of the placeholder that follows them; null at the end. */
interface Part {
  bytes: Buffer
  placeholder: number | null
}

/** A text whose fixed parts are already bytes. Filling it copies them and writes the values between them. */
export class Template {
  readonly #parts: Part[]
  readonly #fixedSize: number

  /** @param segments wire text: ASCII, and values of one byte a character */
  constructor(segments: Segments<never>) {
    this.#parts = []
    let text = ''
    const addPart = (placeholder: number | null) => {
      this.#parts.push({ bytes: Buffer.from(text, 'latin1'), placeholder })
      text = ''
    }
    for (const segment of segments) {
      if (typeof segment === 'string') text += segment
      else addPart(segment.index)
    }
    addPart(null)
    this.#fixedSize = this.#parts.reduce((size, { bytes }) => size + bytes.length, 0)
  }

  /** In bytes. */
  size(values: string[]): number {
    let size = this.#fixedSize
    for (const { placeholder } of this.#parts) if (placeholder !== null) size += values[placeholder]?.length ?? 0
    return size
  }

  /** Writes the filled template at `at`. @returns the position after its last byte */
  write(target: Buffer, at: number, values: string[]): number {
    let end = at
    for (const { bytes, placeholder } of this.#parts) {
      target.set(bytes, end)
      end += bytes.length
      if (placeholder !== null) end += target.write(values[placeholder] ?? '', end, 'latin1')
    }
    return end
  }
}
