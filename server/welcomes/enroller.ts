import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/away.ts'
import { enrol, findDueWelcomes } from './enrol.ts'

const PAUSE_MS = 1_000

/** Adds those who came to the sendings of welcomes. Any number of processes may each have one on the same database. */
export class Enroller {
  readonly #stop = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor(private readonly context: Pick<Context, 'db' | 'log'>) {}

  start(): void {
    this.#loop = this.#keepEnrolling()
  }

  /** Resolves when what is under way is committed. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#loop
  }

  /** Enrols all that have come by now. */
  async drain(): Promise<void> {
    const { db } = this.context
    for (const welcome of await findDueWelcomes(db)) {
      while (!this.#stop.signal.aborted && (await enrol(db, welcome)));
    }
  }

  async #keepEnrolling(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        await this.drain()
      } catch (error) {
        if (!isDatabaseAway(error)) this.context.log.error({ err: error }, 'newcomers could not be welcomed')
      }
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }
}
