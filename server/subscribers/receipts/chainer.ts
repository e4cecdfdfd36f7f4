import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { isDatabaseAway } from '../../database/away.ts'
import { chainReceipts, findUnchained } from './chain.ts'

/** Receipts wait for so long at most while nothing hinders: many share a batch, and nobody who subscribes waits for it. */
const PAUSE_MS = 2_000

/** Adds consent receipts to the chains of their newsletters. Any number of processes may each have one on the same database. */
export class ReceiptChainer {
  readonly #stop = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor(private readonly context: Pick<Context, 'db' | 'signer' | 'now' | 'log'>) {}

  start(): void {
    this.#loop = this.#keepChaining()
  }

  /** Resolves when the batch under way is committed. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#loop
  }

  /** Adds all that wait now. */
  async drain(): Promise<void> {
    const { signal } = this.#stop
    for (const newsletterId of await findUnchained(this.context.db)) {
      if (signal.aborted) return
      await chainReceipts(this.context, newsletterId, () => signal.aborted)
    }
  }

  async #keepChaining(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        await this.drain()
      } catch (error) {
        if (!isDatabaseAway(error)) this.context.log.error({ err: error }, 'consent receipts could not be chained')
      }
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }
}
