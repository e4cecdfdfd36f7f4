interface Weighted {
  id: string
  weight: number
}

/**
 * Divides messages by weight, whatever the size of the turns (stride scheduling): each relay stands at the number of
 * messages it was given divided by its weight, and the one that is least far is next. Who could take none for a while
 * goes on where the others are, and makes up for nothing.
 */
export class Balancer {
  readonly #passed = new Map<string, number>()
  #floor = 0

  /** In the order in which they should be asked; those of weight 0 come last. */
  order<T extends Weighted>(candidates: readonly T[]): T[] {
    const rank = (one: T) => (one.weight === 0 ? Number.POSITIVE_INFINITY : this.#standing(one.id))
    return candidates
      .map((one) => [rank(one), one] as const)
      .sort(byRankThenId)
      .map(([, one]) => one)
  }

  /** Says that it was given so many; negative when it gave some back. */
  gave({ id, weight }: Weighted, messages: number): void {
    if (weight === 0) return
    const standing = this.#standing(id)
    if (messages > 0) this.#floor = Math.max(this.#floor, standing)
    this.#passed.set(id, standing + messages / weight)
  }

  #standing = (id: string): number => Math.max(this.#passed.get(id) ?? 0, this.#floor)
}

const byRankThenId = ([a, one]: readonly [number, Weighted], [b, other]: readonly [number, Weighted]): number =>
  a === b ? (one.id < other.id ? -1 : 1) : a - b
