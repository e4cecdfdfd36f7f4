import { randomBytes } from 'node:crypto'

/** A part of a text that is different for each recipient. */
export interface Placeholder<Recipient> {
  index: number
  /** In bytes, when every value has the same width and is ASCII; null otherwise. */
  width: number | null
  /** The recipient's value as it goes on the wire: one byte a character. */
  value(recipient: Recipient): string
}

/** A text, cut at its placeholders. */
export type Segments<Recipient> = (string | Placeholder<Recipient>)[]

/** Makes marks that stand for placeholders in a text and that no author can guess, and cuts texts at them. */
export class Placeholders<Recipient> {
  readonly #nonce = randomBytes(8).toString('hex')
  readonly #marks = new Map<string, string>()
  readonly #placeholders: Placeholder<Recipient>[] = []

  /** Returns a text that stands for a value, and that escaping and line wrapping do not change. One name has one mark. */
  mark(name: string, value: (recipient: Recipient) => string, width: number | null = null): string {
    let mark = this.#marks.get(name)
    if (!mark) {
      const index = this.#placeholders.length
      mark = `mark${this.#nonce}x${index}x`
      this.#placeholders.push({ index, width, value })
      this.#marks.set(name, mark)
    }
    return mark
  }

  cut(text: string): Segments<Recipient> {
    const parts = text.split(new RegExp(`mark${this.#nonce}x(\\d+)x`))
    return parts.flatMap((part, position) => (position % 2 === 0 ? part : (this.#placeholders[Number(part)] ?? [])))
  }

  /** One recipient's values, in the order of the placeholders' indexes. */
  valuesFor(recipient: Recipient): string[] {
    return this.#placeholders.map((placeholder) => placeholder.value(recipient))
  }
}

/** Joins texts that follow one another, and drops empty ones. */
export function joined<Recipient>(segments: Segments<Recipient>): Segments<Recipient> {
  const joinedSegments: Segments<Recipient> = []
  for (const segment of segments) {
    const last = joinedSegments.at(-1)
    if (typeof segment === 'string' && typeof last === 'string')
      joinedSegments[joinedSegments.length - 1] = last + segment
    else if (segment !== '') joinedSegments.push(segment)
  }
  return joinedSegments
}
