import type { Context } from '../context.ts'
import { Poller } from '../jobs/poller.ts'
import { enrol, findDueWelcomes } from './enrol.ts'

const PAUSE_MS = 1_000

/** Adds those who came to the sendings of welcomes. Any number of processes may each have one on the same database. */
export class Enroller {
  readonly #poller: Poller

  constructor(private readonly context: Pick<Context, 'db' | 'log'>) {
    const failure = 'newcomers could not be welcomed'
    this.#poller = new Poller(context.log, { poll: () => this.drain(), pauseMs: PAUSE_MS, failure })
  }

  start(): void {
    this.#poller.start()
  }

  /** Resolves when what is under way is committed. */
  stop(): Promise<void> {
    return this.#poller.stop()
  }

  /** Enrols all that have come by now. */
  async drain(): Promise<void> {
    const { db } = this.context
    for (const welcome of await findDueWelcomes(db)) {
      while (!this.#poller.signal.aborted && (await enrol(db, welcome)));
    }
  }
}
