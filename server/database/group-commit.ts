/** So many items in one write are load. */
const MANY = 16

interface GroupCommitOptions {
  /** Of one write. */
  limit?: number
  /** Writes under way at the same time. With two, a client that asks again at once does not wait for two writes. */
  lanes?: number
  /**
   * Under load, a write waits at most so long for as many items as are likely to come, as `commit_delay` of PostgreSQL does. It begins as soon
   * as they are there.
   */
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
  /** In writes that are under way. */
  #underWay = 0
  /** The lane that waits for more, how many it wants, and how to wake it. */
  #gathering: { until: number; enough: () => void } | null = null

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
    if (this.#gathering) {
      if (this.#waiting.length >= this.#gathering.until) this.#gathering.enough()
    } else if (this.#writing.size < this.#lanes) void this.#drain()
    return committed
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
      const batch = this.#waiting.splice(0, this.#limit)
      this.#underWay += batch.length
      try {
        const results = await this.write(batch.map(({ item }) => item))
        batch.forEach(({ resolve }, i) => {
          resolve(results[i] as Result)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      this.#underWay -= batch.length
      await this.#gather(batch.length)
    }
    // This must follow the check above in the same turn. Else an item could be added in between and wait for ever.
    this.#writing.delete(lane)
    lane.resolve()
  }

  /** Whoever was just answered is likely to ask again. Each lane waits for its share of all who do. */
  async #gather(answered: number): Promise<void> {
    if (this.#gatherMs === 0 || answered < MANY || this.#gathering) return
    const until = Math.min(this.#limit, Math.ceil((answered + this.#waiting.length + this.#underWay) / this.#lanes))
    if (this.#waiting.length >= until) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#gatherMs)
      const enough = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#gathering = { until, enough }
    })
    this.#gathering = null
  }
}
