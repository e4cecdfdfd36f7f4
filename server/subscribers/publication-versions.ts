import { LRUCache } from 'lru-cache'

/**
 * A number for each newsletter that grows whenever its publications change. Pages that show publications are cached
 * under it. The newsletters that changed last have a number of their own. All others share one, which grows when a
 * newsletter joins them, so that no page of an earlier change is found again.
 */
export class PublicationVersions {
  readonly #own: LRUCache<string, number>
  #shared = 0
  #last = 0

  /** @param limit how many newsletters have a number of their own */
  constructor(limit = 5_000) {
    this.#own = new LRUCache({
      max: limit,
      dispose: (version, _newsletterId, reason) => {
        if (reason === 'evict') this.#shared = Math.max(this.#shared, version)
      },
    })
  }

  of(newsletterId: string): number {
    return this.#own.get(newsletterId) ?? this.#shared
  }

  /** Notes a change of a newsletter's publications. */
  advance(newsletterId: string): void {
    this.#last += 1
    this.#own.set(newsletterId, this.#last)
  }
}
