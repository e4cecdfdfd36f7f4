import { randomBytes } from 'node:crypto'

/** What is each recipient's own: as it stands on the wire, one byte a character. */
export interface Placeholder<Reader> {
  index: number
  /** In bytes, where it is the same for everybody and plain ASCII; else null. */
  width: number | null
  value(reader: Reader): string
}

/** A text cut at its slots. */
export type Segments<Reader> = (string | Placeholder<Reader>)[]

/** Marks for what differs, which no author can guess, and the cutting of a text at them. */
export class Placeholders<Reader> {
  readonly #nonce = randomBytes(8).toString('hex')
  readonly #marks = new Map<string, string>()
  readonly #slots: Placeholder<Reader>[] = []

  /** Text that stands for a value, and survives escaping and wrapping. What has the same name is worked out once. */
  mark(name: string, value: (reader: Reader) => string, width: number | null = null): string {
    let mark = this.#marks.get(name)
    if (!mark) {
      const index = this.#slots.length
      mark = `slot${this.#nonce}x${index}x`
      this.#slots.push({ index, width, value })
      this.#marks.set(name, mark)
    }
    return mark
  }

  cut(text: string): Segments<Reader> {
    const parts = text.split(new RegExp(`slot${this.#nonce}x(\\d+)x`))
    return parts.map((part, position) =>
      position % 2 === 0 ? part : (this.#slots[Number(part)] as Placeholder<Reader>),
    )
  }

  /** One reader's values, in the order of the slots' indexes. */
  valuesFor(reader: Reader): string[] {
    return this.#slots.map((slot) => slot.value(reader))
  }
}

/** Text beside text becomes one; nothing is left of empty text. */
export function joined<Reader>(pieces: Segments<Reader>): Segments<Reader> {
  const all: Segments<Reader> = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece
    else if (piece !== '') all.push(piece)
  }
  return all
}
