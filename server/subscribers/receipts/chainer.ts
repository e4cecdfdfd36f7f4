import type { Context } from '../../context.ts'
import { Poller } from '../../jobs/poller.ts'
import { chainReceipts, findUnchained } from './chain.ts'

/** Receipts wait for so long at most while nothing hinders: many share a batch, and nobody who subscribes waits for it. */
const PAUSE_MS = 2_000

/** Adds consent receipts to the chains of their newsletters. Any number of processes may each have one on the same database. */
export class ReceiptChainer {
  readonly #poller: Poller

  constructor(private readonly context: Pick<Context, 'db' | 'signer' | 'now' | 'log'>) {
    const failure = 'consent receipts could not be chained'
    this.#poller = new Poller(context.log, { poll: () => this.drain(), pauseMs: PAUSE_MS, failure })
  }

  start(): void {
    this.#poller.start()
  }

  /** Resolves when the batch under way is committed. */
  stop(): Promise<void> {
    return this.#poller.stop()
  }

  /** Adds all that wait now. */
  async drain(): Promise<void> {
    const { signal } = this.#poller
    for (const newsletterId of await findUnchained(this.context.db)) {
      if (signal.aborted) return
      await chainReceipts(this.context, newsletterId, () => signal.aborted)
    }
  }
}
