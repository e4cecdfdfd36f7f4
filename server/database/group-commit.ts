/**
 * Writes items together that arrive at the same time. While one write is under way, new items wait for the next. So an item
 * costs a whole commit when it is alone, and a fraction of one under load. `add` resolves when its item is on disk.
 *
 * A write that fails rejects every `add` of its batch.
 */
export class GroupCommit<Item, Result = void> {
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = []
  readonly #writing = new Set<PromiseWithResolvers<void>>()

  /**
   * `write` gets at most `limit` items and returns one result for each, in their order. With two `lanes` a second write may
   * begin while the first waits for the disk, so that a client that asks again at once does not wait for two writes.
   */
  constructor(
    private readonly write: (items: Item[]) => Promise<Result[]>,
    private readonly limit = 1_000,
    private readonly lanes = 1,
  ) {}

  add(item: Item): Promise<Result> {
    const committed = new Promise<Result>((resolve, reject) => this.#waiting.push({ item, resolve, reject }))
    if (this.#writing.size < this.lanes) void this.#drain()
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
      const batch = this.#waiting.splice(0, this.limit)
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
