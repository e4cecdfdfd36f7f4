import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/away.ts'
import type { Listener } from '../database/listener.ts'

interface Polling {
  poll(): Promise<unknown>
  /** The longest time from one poll to the next, in milliseconds. */
  pauseMs: number
  /** What the log says when a poll fails. */
  failure: string
}

/** Polls again and again: at once when it is woken, and otherwise after a pause. A poll that fails is logged, and the next one follows. */
export class Poller {
  readonly #stop = new AbortController()
  /** Aborted when it stops. */
  readonly signal = this.#stop.signal
  #woken = Promise.withResolvers<void>()
  #loop: Promise<void> = Promise.resolve()
  #unlisten: () => void = () => {}

  constructor(
    private readonly log: Context['log'],
    private readonly polling: Polling,
  ) {}

  start(): void {
    this.#loop = this.#keepPolling()
  }

  /** Wakes it at each notification on `channel`, and when some may have been missed. */
  wakeOn(listener: Listener, channel: string): void {
    this.#unlisten = listener.on(channel, this.wake, this.wake)
  }

  readonly wake = (): void => this.#woken.resolve()

  /** Resolves when the poll that is under way has ended. */
  async stop(): Promise<void> {
    this.#unlisten()
    this.#stop.abort()
    this.wake()
    await this.#loop
  }

  /** Not while the database is away: that is logged once, where it is noticed. */
  readonly report = (error: unknown): void => {
    if (!isDatabaseAway(error)) this.log.error({ err: error }, this.polling.failure)
  }

  async #keepPolling(): Promise<void> {
    while (!this.signal.aborted) {
      this.#woken = Promise.withResolvers()
      try {
        await this.polling.poll()
      } catch (error) {
        this.report(error)
      }
      const waited = new AbortController()
      await Promise.race([
        this.#woken.promise,
        sleep(this.polling.pauseMs, undefined, { signal: waited.signal }).catch(() => {}),
      ])
      waited.abort()
    }
  }
}
