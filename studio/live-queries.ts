import type { Query, QueryClient } from '@tanstack/react-query'

/** A sending changes many times a second, and nobody reads faster. */
const GATHER_MS = 500

/** What a live message can be about: the second part of the keys of queries that are shown as live. */
const kinds: ReadonlySet<unknown> = new Set([
  'subscribers',
  'deliveries',
  'publications',
  'clicks',
  'imports',
  'bulk',
  'outbox',
  'dashboard',
])

/**
 * Fetches again what is on screen and may have changed. The message `subscribers` is about every query whose key begins with
 * [newsletterId, 'subscribers'], and so on; every message is about `dashboard`. The newsletters themselves hold the number of
 * subscribers in the side bar.
 *
 * A query has one fetch at a time. What changes while it runs may be missing in its answer, so it is fetched once more after it. To cancel
 * it instead would leave a page without any answer for as long as changes come faster than answers.
 */
export class LiveQueries {
  readonly #again = new Set<string>()
  readonly #unsubscribe: () => void
  #changed = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly queries: QueryClient,
    private readonly newsletterId: string,
  ) {
    this.#unsubscribe = queries.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.state.fetchStatus !== 'idle' || !this.#again.delete(query.queryHash)) return
      // The fetch that has just ended tidies up first.
      queueMicrotask(() => this.#fetch(query))
    })
  }

  /** Something of this kind changed. What comes within half a second is answered by one fetch. */
  changed(kind: string): void {
    this.#changed.add(kind)
    this.#timer ??= setTimeout(() => {
      const changed = this.#changed
      this.#forget()
      this.#refresh(({ queryKey: [of, kind] }) =>
        of === this.newsletterId ? kind === 'dashboard' || changed.has(String(kind)) : isNumber(of, changed),
      )
    }, GATHER_MS)
  }

  /** Anything may have changed while nobody listened. */
  missed(): void {
    this.#forget()
    this.#refresh(({ queryKey: [of, kind] }) =>
      of === this.newsletterId ? kinds.has(kind) : isNumber(of, new Set(['subscribers'])),
    )
  }

  stop(): void {
    this.#forget()
    this.#unsubscribe()
  }

  #forget(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#changed = new Set()
  }

  #refresh(predicate: (query: Query) => boolean): void {
    for (const query of this.queries.getQueryCache().findAll({ predicate })) {
      if (query.state.fetchStatus === 'idle') this.#fetch(query)
      else this.#again.add(query.queryHash)
    }
  }

  /** One that no page shows is fetched when a page does. */
  #fetch({ queryKey }: Query): void {
    void this.queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })
  }
}

const isNumber = (key: unknown, changed: ReadonlySet<string>) => key === 'newsletters' && changed.has('subscribers')
