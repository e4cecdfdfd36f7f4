import { setTimeout as delay } from 'node:timers/promises'

/** So many items in one write are load. */
const MANY = 16

interface GroupCommitOptions {
  /** Of one write. */
  limit?: number
  /** Writes under way at the same time. With two, a client that asks again at once does not wait for two writes. */
  lanes?: number
  /** Under load, a write of less than half of the last one waits so long for more, as `commit_delay` of PostgreSQL does. */
  gatherMs?: number
}

/**
 * Writes items together that arrive at the same time. While one write is under way, new items wait for the next. So an item
 * costs a whole commit when it is alone, and a fraction of one under load. `add` resolves when its item is on disk.
 *
 * A write that fails rejects every `add` of its batch.
 */
export class GroupCommit<Item, Result = void> {
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = []
  readonly #writing = new Set<PromiseWithResolvers<void>>()
  readonly #limit: number
  readonly #lanes: number
  readonly #gatherMs: number
  #lastLength = 0

  /** `write` returns one result for each item, in their order. */
  constructor(
    private readonly write: (items: Item[]) => Promise<Result[]>,
    { limit = 1_000, lanes = 1, gatherMs = 0 }: GroupCommitOptions = {},
  ) {
    this.#limit = limit
    this.#lanes = lanes
    this.#gatherMs = gatherMs
  }

  add(item: Item): Promise<Result> {
    const committed = new Promise<Result>((resolve, reject) => this.#waiting.push({ item, resolve, reject }))
    if (this.#writing.size < this.#lanes) void this.#drain()
    return committed
  }

  #isWorthWaiting(): boolean {
    return this.#gatherMs > 0 && this.#lastLength >= MANY && this.#waiting.length < this.#lastLength / 2
  }

  /** Resolves when nothing waits any more. */
  async flush(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all([...this.#writing].map(({ promise }) => promise))
  }

  async #drain(): Promise<void> {
    const lane = Promise.withResolvers<void>()
    this.#writing.add(lane)
    // Waits for one turn of the event loop, so that requests of the same turn share the first write.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      if (this.#isWorthWaiting()) await delay(this.#gatherMs)
      const batch = this.#waiting.splice(0, this.#limit)
      // Another lane has taken all meanwhile.
      if (batch.length === 0) break
      this.#lastLength = batch.length
      try {
        const results = await this.write(batch.map(({ item }) => item))
        batch.forEach(({ resolve }, i) => {
          resolve(results[i] as Result)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    // This must follow the check above in the same turn. Else an item could be added in between and wait for ever.
    this.#writing.delete(lane)
    lane.resolve()
  }
}
