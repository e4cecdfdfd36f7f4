import type { Logger } from 'pino'
import { GroupCommit } from '../database/group-commit.ts'
import { codeOf } from '../start-error.ts'
import type { Click } from './click.ts'

const RETRY_MS = 1_000
const PATIENCE_MS = 2_000
const BATCH = 500
/** A reader does not see so short a while, and under load a commit is for many more clicks. */
const GATHER_MS = 2

interface ClickLogOptions {
  insert(clicks: Click[]): Promise<void>
  log: Pick<Logger, 'warn' | 'error'>
  spoolLimit?: number
}

/**
 * Stores clicks so that a redirect that was answered is a click on disk.
 *
 * One insert is under way at a time. Clicks that arrive meanwhile wait together for the next (group commit). So a click costs
 * a whole commit when it is alone, and a fraction of one under load. `add` resolves when its click is committed.
 *
 * A visitor waits two seconds at most. While the database is away, `add` resolves at once. Up to `spoolLimit` clicks are kept
 * and tried again every second. Beyond that the oldest are dropped, counted in `dropped` and logged.
 */
export class ClickLog {
  readonly #commit: GroupCommit<Click, undefined>
  readonly #insert: ClickLogOptions['insert']
  readonly #log: ClickLogOptions['log']
  readonly #spoolLimit: number
  #spool: Click[] = []
  #away = false
  #retry: NodeJS.Timeout | null = null
  dropped = 0

  constructor({ insert, log, spoolLimit = 100_000 }: ClickLogOptions) {
    this.#insert = insert
    this.#log = log
    this.#spoolLimit = spoolLimit
    this.#commit = new GroupCommit((clicks) => this.#write(clicks), {
      limit: BATCH,
      gatherMs: GATHER_MS,
    })
  }

  /** The number of clicks that are only in memory. */
  get waiting(): number {
    return this.#spool.length
  }

  add(click: Click): Promise<undefined> | undefined {
    if (this.#away) return this.#keep([click])
    return this.#commit.add(click)
  }

  /** Tries once more to store the clicks that wait. */
  async stop(): Promise<void> {
    await this.#commit.flush()
    if (this.#retry) clearTimeout(this.#retry)
    if (this.#spool.length > 0) await this.#tryAgain()
    if (this.#retry) clearTimeout(this.#retry)
    if (this.#spool.length > 0) this.#log.error({ clicks: this.#spool.length }, 'clicks were not stored before the end')
  }

  async #write(clicks: Click[]): Promise<undefined[]> {
    const answers = clicks.map(() => undefined)
    if (this.#away) {
      this.#keep(clicks)
      return answers
    }
    const patience = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#away = true
      patience.resolve()
    }, PATIENCE_MS)
    const stored = this.#store(clicks).finally(() => clearTimeout(timer))
    await Promise.race([stored, patience.promise])
    return answers
  }

  async #store(clicks: Click[]): Promise<void> {
    try {
      await this.#insert(clicks)
      if (this.#away) this.#return()
    } catch (error) {
      this.#refused(clicks, error)
    }
  }

  #refused(clicks: Click[], error: unknown): void {
    if (isOwnFault(error)) {
      this.dropped += clicks.length
      this.#log.error({ err: error, clicks: clicks.length }, 'the database refused clicks as wrong; they are not kept')
      return
    }
    if (!this.#away) this.#log.warn({ err: error }, 'clicks cannot be stored and wait in memory')
    this.#away = true
    this.#keep(clicks)
    this.#retry ??= setTimeout(() => void this.#tryAgain(), RETRY_MS).unref()
  }

  #keep(clicks: Click[]): undefined {
    for (const click of clicks) this.#spool.push(click)
    // A tenth is dropped at a time, because removing from the front of a long array copies the rest.
    if (this.#spool.length <= this.#spoolLimit) return
    const excess = Math.max(this.#spool.length - this.#spoolLimit, Math.ceil(this.#spoolLimit / 10))
    this.#spool.splice(0, excess)
    this.dropped += excess
    this.#log.error({ dropped: this.dropped }, 'too many clicks wait for the database; the oldest were dropped')
  }

  async #tryAgain(): Promise<void> {
    this.#retry = null
    const batch = this.#spool.splice(0, BATCH)
    await this.#store(batch)
  }

  #return(): void {
    if (this.#spool.length > 0) {
      void this.#tryAgain()
      return
    }
    this.#away = false
    this.#log.warn('clicks are stored again')
  }
}

/** Whether PostgreSQL will never accept a click (SQLSTATE classes 22 and 23). Such a click would block all that follow it. */
function isOwnFault(error: unknown): boolean {
  const code = codeOf(error)
  return typeof code === 'string' && /^2[23]...$/.test(code)
}
