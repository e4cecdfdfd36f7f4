import { randomBytes } from 'node:crypto'

/** A part of a text that is different for each recipient. */
interface Placeholder {
  index: number
  /** In bytes, when every value has the same width and is ASCII; null otherwise. */
  width: number | null
}

/** A text, cut at its placeholders. */
export type Segments = (string | Placeholder)[]

/** What marks look like, and the widths of their placeholders in the order of the indexes: plain data, which a thread can be given. */
export interface Marks {
  nonce: string
  widths: (number | null)[]
}

/** Makes marks that stand for placeholders in a text and that no author can guess, and cuts texts at them. */
export class Placeholders<Recipient> {
  /** Those made so far. */
  readonly marks: Marks = { nonce: randomBytes(8).toString('hex'), widths: [] }
  readonly #byName = new Map<string, string>()
  readonly #values: ((recipient: Recipient) => string)[] = []

  /**
   * Returns a text that stands for a value, and that escaping and line wrapping do not change. One name has one mark.
   *
   * @param value the recipient's value as it goes on the wire: one byte a character
   */
  mark(name: string, value: (recipient: Recipient) => string, width: number | null = null): string {
    let mark = this.#byName.get(name)
    if (!mark) {
      mark = `mark${this.marks.nonce}x${this.#values.length}x`
      this.marks.widths.push(width)
      this.#values.push(value)
      this.#byName.set(name, mark)
    }
    return mark
  }

  /** One recipient's values, in the order of the placeholders' indexes. */
  valuesFor(recipient: Recipient): string[] {
    return this.#values.map((value) => value(recipient))
  }
}

/** Cuts a text at its marks. */
export function cut(text: string, { nonce, widths }: Marks): Segments {
  const parts = text.split(new RegExp(`mark${nonce}x(\\d+)x`))
  return parts.flatMap((part, position) => {
    if (position % 2 === 0) return part
    const width = widths[Number(part)]
    return width === undefined ? [] : { index: Number(part), width }
  })
}

/** Joins texts that follow one another, and drops empty ones. */
export function joined(segments: Segments): Segments {
  const joinedSegments: Segments = []
  for (const segment of segments) {
    const last = joinedSegments.at(-1)
    if (typeof segment === 'string' && typeof last === 'string')
      joinedSegments[joinedSegments.length - 1] = last + segment
    else if (segment !== '') joinedSegments.push(segment)
  }
  return joinedSegments
}
