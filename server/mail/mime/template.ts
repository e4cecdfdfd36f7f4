import type { Segments } from './segments.ts'

/** A text whose fixed parts are bytes: plain data, which a thread can answer. */
export interface TemplateBytes {
  /** All fixed parts, one after the other. */
  fixed: Uint8Array
  /** Where a value is written between two of them, and the index of its placeholder. */
  slots: { at: number; placeholder: number }[]
}

/** @param segments wire text: ASCII, and values of one byte a character */
export function templateBytes(segments: Segments): TemplateBytes {
  let text = ''
  const slots: TemplateBytes['slots'] = []
  for (const segment of segments) {
    if (typeof segment === 'string') text += segment
    else slots.push({ at: text.length, placeholder: segment.index })
  }
  // Memory of its own: what shares a pool would be copied to another thread with all of it.
  const fixed = new Uint8Array(text.length)
  Buffer.from(fixed.buffer).write(text, 'latin1')
  return { fixed, slots }
}

/** Fixed bytes, and the index of the placeholder that follows them; null at the end. */
interface Part {
  bytes: Uint8Array
  placeholder: number | null
}

/** Fills a text. Filling it copies its fixed parts and writes the values between them. */
export class Template {
  readonly #parts: Part[]
  readonly #fixedSize: number

  constructor({ fixed, slots }: TemplateBytes) {
    let begin = 0
    this.#parts = [...slots, { at: fixed.length, placeholder: null }].map(({ at, placeholder }) => {
      const bytes = fixed.subarray(begin, at)
      begin = at
      return { bytes, placeholder }
    })
    this.#fixedSize = fixed.length
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
