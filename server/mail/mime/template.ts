import type { Segments } from './segments.ts'

/** A text whose fixed parts are bytes already; filling it is copying them and writing the values between. */
export class Template {
  readonly #fixed: Buffer[]
  readonly #slots: number[]
  readonly #fixedSize: number

  /** `pieces` hold wire text: ASCII, and values of one byte a character. */
  constructor(pieces: Segments<never>) {
    const fixed = ['']
    const slots: number[] = []
    for (const piece of pieces) {
      if (typeof piece === 'string') fixed[fixed.length - 1] += piece
      else {
        slots.push(piece.index)
        fixed.push('')
      }
    }
    this.#fixed = fixed.map((text) => Buffer.from(text, 'latin1'))
    this.#slots = slots
    this.#fixedSize = this.#fixed.reduce((size, { length }) => size + length, 0)
  }

  /** In bytes. */
  size(values: string[]): number {
    let size = this.#fixedSize
    for (const slot of this.#slots) size += (values[slot] as string).length
    return size
  }

  /** Writes itself at `at` and returns where it ends. */
  write(target: Buffer, at: number, values: string[]): number {
    const fixed = this.#fixed
    const slots = this.#slots
    let end = at
    for (let i = 0; i < fixed.length; i += 1) {
      const bytes = fixed[i] as Buffer
      target.set(bytes, end)
      end += bytes.length
      const slot = slots[i]
      if (slot !== undefined) end += target.write(values[slot] as string, end, 'latin1')
    }
    return end
  }
}
