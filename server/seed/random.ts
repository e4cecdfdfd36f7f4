/** Random numbers that are the same for the same seed (mulberry32), so that every demo of a size looks the same. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }

  /** An exponentially distributed time: mostly short, sometimes long. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean
  }

  base58(length: number): string {
    const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
    return Array.from({ length }, () => letters[this.below(58)]).join('')
  }

  /** A UUIDv7 of the moment `at` (milliseconds), RFC 9562 section 5.7. */
  uuid(at: number): string {
    const time = Math.floor(at).toString(16).padStart(12, '0')
    const hex = (digits: number) =>
      this.below(16 ** digits)
        .toString(16)
        .padStart(digits, '0')
    const variant = '89ab'[this.below(4)]
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
  }
}
