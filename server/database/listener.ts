import type pg from 'pg'
import type { Logger } from 'pino'

const RETRY_MS = 1_000

/** Receives notifications on one connection, and connects again when it is lost. Caches are cleared then, because some may have been missed. */
export class Listener {
  readonly #handlers = new Map<string, Set<(payload: string) => void>>()
  readonly #onGap = new Set<() => void>()
  readonly #onLost = new Set<() => void>()
  #client: pg.PoolClient | null = null
  #stopped = false
  #reconnecting = false
  #retry: NodeJS.Timeout | null = null
  #listening: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Logger,
  ) {}

  /** Calls `handler` for each payload on `channel`, and `gap` when some may have been missed. Returns a function that ends it. */
  on(channel: string, handler: (payload: string) => void, gap?: () => void): () => void {
    const handlers = this.#handlers.get(channel) ?? new Set()
    this.#handlers.set(channel, handlers.add(handler))
    if (gap) this.#onGap.add(gap)
    if (this.#client && handlers.size === 1) this.#listen(this.#client, channel).then(gap, () => {})
    return () => {
      handlers.delete(handler)
      if (gap) this.#onGap.delete(gap)
    }
  }

  /** Calls `handler` when the connection is lost. From then on notifications are missed, until `gap` is called. */
  onLost(handler: () => void): void {
    this.#onLost.add(handler)
  }

  /** Connects and listens on every channel that has a handler. From then on it connects again by itself. */
  async start(): Promise<void> {
    const client = await this.pool.connect()
    if (this.#stopped) return client.release(true)
    this.#client = client
    const lost = () => {
      if (!this.#letGo(client)) return
      for (const handler of this.#onLost) handler()
      this.#reconnect()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ channel, payload }) => {
      for (const handler of this.#handlers.get(channel) ?? []) handler(payload ?? '')
    })
    try {
      for (const channel of this.#handlers.keys()) await this.#listen(client, channel)
    } catch (error) {
      this.#letGo(client)
      throw error
    }
    for (const gap of this.#onGap) gap()
  }

  stop(): void {
    this.#stopped = true
    if (this.#retry) clearTimeout(this.#retry)
    if (this.#client) this.#letGo(this.#client)
  }

  /** One statement after another, because the driver will refuse two at once. When one fails the connection is lost, and the next one listens on all. */
  #listen(client: pg.PoolClient, channel: string): Promise<unknown> {
    this.#listening = this.#listening.catch(() => {}).then(() => client.query(`listen ${channel}`))
    return this.#listening
  }

  /** Releases the client once, even when several events report that it is broken. */
  #letGo(client: pg.PoolClient): boolean {
    if (this.#client !== client) return false
    this.#client = null
    client.release(true)
    return true
  }

  #reconnect(): void {
    if (this.#stopped || this.#reconnecting) return
    this.#reconnecting = true
    this.log.warn('lost the connection that listens for changes; connecting again')
    const attempt = async () => {
      try {
        await this.start()
      } catch {
        if (!this.#stopped) this.#retry = setTimeout(attempt, RETRY_MS)
        return
      }
      this.#reconnecting = false
      if (!this.#client) this.#reconnect()
    }
    void attempt()
  }
}
