interface Weighted {
  id: string
  weight: number
}

/**
 * Divides messages among relays by weight, whatever the size of the grants (stride scheduling). The position of a relay is
 * the number of messages that it got, divided by its weight; the relay with the lowest position is next. A relay that
 * could take none for a while continues at the position of the others, and does not catch up.
 */
export class Balancer {
  readonly #positions = new Map<string, number>()
  #floor = 0

  /** The order in which they should be asked. Those of weight 0 come last. */
  order<T extends Weighted>(candidates: readonly T[]): T[] {
    const rank = (one: T) => (one.weight === 0 ? Number.POSITIVE_INFINITY : this.#position(one.id))
    return candidates
      .map((one) => [rank(one), one] as const)
      .sort(byRankThenId)
      .map(([, one]) => one)
  }

  /** Counts messages that a relay got; a negative number when it returned some. */
  count({ id, weight }: Weighted, messages: number): void {
    if (weight === 0) return
    const position = this.#position(id)
    if (messages > 0) this.#floor = Math.max(this.#floor, position)
    this.#positions.set(id, position + messages / weight)
  }

  #position = (id: string): number => Math.max(this.#positions.get(id) ?? 0, this.#floor)
}

const byRankThenId = ([a, one]: readonly [number, Weighted], [b, other]: readonly [number, Weighted]): number =>
  a === b ? (one.id < other.id ? -1 : 1) : a - b
