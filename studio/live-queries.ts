import type { Query, QueryClient } from '@tanstack/react-query'

/** A sending changes many times a second, and nobody reads faster. */
const GATHER_MS = 500
/** Together with the half second above it makes the two seconds within which what is called live is right. */
const DUE_MS = 1_500
/** After an answer that failed, and after which the query itself tries no more. */
const RETRY_MS = 5_000

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

/** What is being deleted, by its id in the keys of queries. */
const deleted = new Set<unknown>()

/**
 * Asks no more for what is deleted, from before its deletion on: the news of it may come before its answer, and the page that shows it is still there.
 *
 * @throws what `act` throws; then it is asked for as before
 */
export async function whileDeleting(id: string, act: () => Promise<unknown>): Promise<void> {
  deleted.add(id)
  try {
    await act()
  } catch (refusal) {
    deleted.delete(id)
    throw refusal
  }
}

/**
 * Fetches again what is on screen and may have changed. The message `subscribers` is about every query whose key begins with
 * [newsletterId, 'subscribers'], and so on; every message is about `dashboard`. The newsletters themselves hold the number of
 * subscribers in the side bar.
 *
 * A query has one fetch at a time. What changes while it runs may be missing in its answer, so it is fetched once more after it. To cancel
 * it instead would leave a page without any answer for as long as changes come faster than answers.
 *
 * An answer that is not there in time, or that failed, makes what is shown late, until there is one.
 */
export class LiveQueries {
  /** What changed while it was fetched, by the hash of its query: when the answer that has the change becomes late. */
  readonly #again = new Map<string, number>()
  /** What was asked for and has no answer yet, by the hash of its query: when it becomes late, or is tried once more. */
  readonly #due = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #late = new Set<string>()
  readonly #unsubscribe: () => void
  #changed = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly queries: QueryClient,
    private readonly newsletterId: string,
    private readonly onLate: (isLate: boolean) => void,
  ) {
    this.#unsubscribe = queries.getQueryCache().subscribe((event) => {
      const { type, query } = event
      if (!this.#due.has(query.queryHash) && !this.#again.has(query.queryHash)) return
      // A page that is left waits for nothing.
      if (type === 'removed' || (type === 'observerRemoved' && !query.isActive())) this.#settle(query)
      else if (type === 'updated' && isAnswer(event.action.type) && query.state.fetchStatus === 'idle')
        this.#answered(query)
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
    for (const timer of this.#due.values()) clearTimeout(timer)
  }

  #forget(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#changed = new Set()
  }

  /** Those that no page shows are fetched when a page does. */
  #refresh(predicate: (query: Query) => boolean): void {
    for (const query of this.queries.getQueryCache().findAll({ predicate })) {
      if (query.queryKey.some((part) => deleted.has(part))) continue
      if (!this.#due.has(query.queryHash)) this.#expect(query)
      if (query.state.fetchStatus === 'idle') this.#fetch(query)
      else if (!this.#again.has(query.queryHash)) this.#again.set(query.queryHash, Date.now() + DUE_MS)
    }
  }

  #fetch({ queryKey }: Query): void {
    void this.queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })
  }

  #expect(query: Query, withinMs = DUE_MS): void {
    if (!query.isActive()) return
    const { queryHash } = query
    this.#after(withinMs, queryHash, () => {
      this.#late.add(queryHash)
      this.onLate(true)
    })
  }

  #answered(query: Query): void {
    const { queryHash, state } = query
    if (state.status === 'error' && query.isActive()) {
      this.#again.delete(queryHash)
      this.#late.add(queryHash)
      this.onLate(true)
      this.#after(RETRY_MS, queryHash, () => this.#fetch(query))
      return
    }
    const dueAgain = this.#again.get(queryHash)
    this.#again.delete(queryHash)
    this.#settle(query)
    if (dueAgain === undefined) return
    this.#expect(query, dueAgain - Date.now())
    // The fetch that has just ended tidies up first.
    queueMicrotask(() => this.#fetch(query))
  }

  #settle({ queryHash }: Query): void {
    clearTimeout(this.#due.get(queryHash))
    this.#due.delete(queryHash)
    if (this.#late.delete(queryHash) && this.#late.size === 0) this.onLate(false)
  }

  #after(ms: number, queryHash: string, act: () => void): void {
    clearTimeout(this.#due.get(queryHash))
    this.#due.set(queryHash, setTimeout(act, ms))
  }
}

const isAnswer = (action: string) => action === 'success' || action === 'error'

const isNumber = (key: unknown, changed: ReadonlySet<string>) => key === 'newsletters' && changed.has('subscribers')
