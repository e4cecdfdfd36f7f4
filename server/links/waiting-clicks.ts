import type { Logger } from 'pino'
import type { Db } from '../database/client.ts'
import { moveWaitingClicks } from './store-clicks.ts'

/** What comes meanwhile is counted together: the longer, the cheaper each, and the later an owner sees it. */
const PAUSE_MS = 450
/** When nothing came for so long, there is nothing to wait for. */
const QUIET_MS = 50

interface WaitingClicksOptions {
  db: Db
  log: Pick<Logger, 'warn'>
  counted(newsletterIds: string[]): void
}

/** Has clicks counted that were put down under load, a moment after they came. Any number of processes do so beside each other. */
export class WaitingClicks {
  #timer: NodeJS.Timeout | null = null
  #firstCame = 0
  #move: Promise<void> | null = null
  #cameMeanwhile = false
  #stopped = false

  constructor(private readonly options: WaitingClicksOptions) {}

  /** Whether clicks that waited are being counted. */
  get counts(): boolean {
    return this.#move !== null
  }

  /** Says that clicks wait. */
  came(): void {
    this.#cameMeanwhile = true
    if (this.#stopped || this.#move) return
    if (!this.#timer) {
      this.#firstCame = performance.now()
      this.#timer = setTimeout(() => this.#start(), QUIET_MS).unref()
    } else if (performance.now() - this.#firstCame < PAUSE_MS) this.#timer.refresh()
  }

  /** Resolves when nothing is under way. What still waits is counted within a minute by a worker (`judge_click_patterns`). */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#move
  }

  #start(): void {
    this.#timer = null
    this.#cameMeanwhile = false
    this.#move = this.#moveAll().finally(() => {
      this.#move = null
      if (this.#cameMeanwhile) this.came()
    })
  }

  async #moveAll(): Promise<void> {
    const { db, log, counted } = this.options
    try {
      for (let more = true; more && !this.#stopped; ) {
        const moved = await moveWaitingClicks(db)
        counted(moved.newsletterIds)
        more = moved.more
      }
    } catch (error) {
      log.warn({ err: error }, 'clicks that wait could not be counted yet')
    }
  }
}
