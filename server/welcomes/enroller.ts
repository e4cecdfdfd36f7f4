import type { Context } from '../context.ts'
import { Poller } from '../jobs/poller.ts'
import { enrol, findDueWelcomes, type Look, newLook } from './enrol.ts'
import { forgetNext } from './forget.ts'
import { writePassedOver } from './pass-over.ts'

const PAUSE_MS = 1_000

/** Writes who is passed over by welcomes, and adds those who came to their sendings. Any number of processes may each have one on the same database. */
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

  /** Prepares the welcomes that are not yet, enrols all that have come by now, and forgets deleted segments. */
  async drain(): Promise<void> {
    const { db } = this.context
    const { signal } = this.#poller
    while (!signal.aborted && (await writePassedOver(db)));
    for (const welcome of await findDueWelcomes(db)) {
      for (let look: Look | null = newLook(); look && !signal.aborted; ) look = await enrol(db, welcome, look)
    }
    while (!signal.aborted && (await forgetNext(db)));
  }
}
