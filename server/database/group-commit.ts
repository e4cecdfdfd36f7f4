/**
 * Writes what arrives at the same time together: one write is in flight, and everything that arrives meanwhile waits for
 * the next. So a row costs a commit when it is alone and a fraction of one under load, and whoever awaits `add` knows
 * that it is on disk.
 *
 * A write that fails rejects every `add` of its batch.
 */
export class GroupCommit<Item, Result = void> {
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = []
  readonly #writing = new Set<PromiseWithResolvers<void>>()

  /**
   * `write` gets at most `limit` items and answers one result for each, in their order. With two `lanes` a second write
   * may begin while the first waits for the disk: those who were answered and ask again then do not wait for two.
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

  /** Resolves once nothing waits. */
  async flush(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all([...this.#writing].map(({ promise }) => promise))
  }

  async #drain(): Promise<void> {
    const lane = Promise.withResolvers<void>()
    this.#writing.add(lane)
    // Yields once, so that requests read from sockets in the same turn share the first write too.
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
    // In the same turn as the check above: an item that is added in between would find the lane taken and wait for ever.
    this.#writing.delete(lane)
    lane.resolve()
  }
}
