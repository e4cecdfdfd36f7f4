import type pg from 'pg'
import type { Logger } from 'pino'

/** What one process hears of the others: LISTEN on one connection, kept alive; caches must be cleared after a gap. */
export class Listener {
  readonly #handlers = new Map<string, Set<(payload: string) => void>>()
  readonly #onGap = new Set<() => void>()
  #client: pg.PoolClient | null = null
  #stopped = false
  #retry: NodeJS.Timeout | null = null

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Logger,
  ) {}

  /** Calls `handler` for each payload on `channel`, and `gap` whenever payloads may have been missed. Returns its end. */
  on(channel: string, handler: (payload: string) => void, gap?: () => void): () => void {
    const handlers = this.#handlers.get(channel) ?? new Set()
    this.#handlers.set(channel, handlers.add(handler))
    if (gap) this.#onGap.add(gap)
    return () => {
      handlers.delete(handler)
      if (gap) this.#onGap.delete(gap)
    }
  }

  /** Connects and listens on every channel that has a handler. */
  async start(): Promise<void> {
    const client = await this.pool.connect()
    if (this.#stopped) return client.release(true)
    this.#client = client
    client.on('error', () => this.#reconnect())
    client.on('end', () => this.#reconnect())
    client.on('notification', ({ channel, payload }) => {
      for (const handler of this.#handlers.get(channel) ?? []) handler(payload ?? '')
    })
    for (const channel of this.#handlers.keys()) await client.query(`listen ${channel}`)
    for (const gap of this.#onGap) gap()
  }

  stop(): void {
    this.#stopped = true
    if (this.#retry) clearTimeout(this.#retry)
    this.#client?.release(true)
    this.#client = null
  }

  #reconnect(): void {
    if (this.#stopped || !this.#client) return
    this.#client.release(true)
    this.#client = null
    this.log.warn('lost the connection that listens for changes; connecting again')
    const attempt = () =>
      this.start().catch(() => {
        if (!this.#stopped) this.#retry = setTimeout(attempt, 1_000)
      })
    void attempt()
  }
}
