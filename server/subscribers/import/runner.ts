import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { Poller } from '../../jobs/poller.ts'
import { checkFile, restage } from './check.ts'
import { importLimits } from './contract.ts'
import { FileParts } from './file-parts.ts'
import { addPeople, finishImport } from './merge.ts'
import { RefusedFile } from './sheet.ts'
import { dropStaging, dropStrayStagings, isStaged } from './staging.ts'
import { takeBack } from './take-back.ts'
import { type ImportRecord, type ImportWork, keyOf, MovedOn, moveOn } from './work.ts'

const POLL_MS = 5_000
/** Imports at the same time in one process. The others wait. */
const AT_ONCE = 2
/** After a failure that is nobody's wish, such as a storage that is away. */
const FAILED_MS = 30_000
/** How often tables are looked for that no import needs any more. */
const STRAYS_MS = 3_600_000

/** The first of the two keys of an advisory lock, which are two integers. The second is of the newsletter. */
const LOCK = 34_000

/** States in which an import waits for its owner. */
const waiting = ['uploading', 'uploaded', 'checked'] as const
const over = ['done', 'cancelled', 'refused', 'taken_back'] as const

/**
 * Carries imports on, step by step. Any number of processes may each have one on the same database: a lock of the newsletter, which ends
 * with its connection, lets one of them work. A process that was killed leaves each step so that the next one goes on with it.
 */
export class ImportRunner {
  readonly #running = new Map<string, Promise<void>>()
  readonly #failed = new Map<string, number>()
  readonly #poller: Poller
  readonly #files: FileParts
  #lookAgainAt = 0

  /** @param newsletterId whose imports alone it works on; null for all */
  constructor(
    private readonly context: Pick<Context, 'db' | 'pool' | 'config' | 'listener' | 'signer' | 'now' | 'log'>,
    private readonly newsletterId: string | null = null,
  ) {
    this.#files = new FileParts(context.config)
    const failure = 'an import could not go on'
    this.#poller = new Poller(context.log, { poll: () => this.#poll(), pauseMs: POLL_MS, failure })
  }

  start(): void {
    this.#poller.wakeOn(this.context.listener, 'import')
    this.#poller.start()
  }

  /** Begins nothing new. Resolves when what is under way has reached a point at which another process can go on. */
  async stop(): Promise<void> {
    await this.#poller.stop()
    await Promise.all(this.#running.values())
  }

  /** Does what is to be done now. */
  async drain(): Promise<void> {
    while ((await this.#poll()) > 0) await Promise.all(this.#running.values())
  }

  /** Begins what can be begun. @returns how many imports are worked on */
  async #poll(): Promise<number> {
    if (performance.now() > this.#lookAgainAt) {
      this.#lookAgainAt = performance.now() + STRAYS_MS
      await dropStrayStagings(this.context.db)
    }
    for (const record of await this.#find()) {
      const { newsletter_id: newsletterId } = record
      if (this.#running.size >= AT_ONCE) break
      if (this.#running.has(newsletterId) || (this.#failed.get(newsletterId) ?? 0) > performance.now()) continue
      const done = this.#serve(record)
        .catch((error: unknown) => {
          this.#failed.set(newsletterId, performance.now() + FAILED_MS)
          this.#poller.report(error)
        })
        .finally(() => {
          this.#running.delete(newsletterId)
          this.#poller.wake()
        })
      this.#running.set(newsletterId, done)
    }
    return this.#running.size
  }

  /** Imports that are not over, whose time is over, or whose file is still kept. */
  async #find(): Promise<ImportRecord[]> {
    const { rows } = await sql<ImportRecord>`
      select * from import
      where (${this.newsletterId}::text is null or newsletter_id = ${this.newsletterId}) and (parts > 0 or state in ('uploading', 'cancelling', 'taking_back'))
        and (state <> all(${[...waiting]}) or changed_at < now() - ${importLimits.openHours} * interval '1 hour')
      order by changed_at limit 100`.execute(this.context.db)
    return rows
  }

  /** One step of an import, unless another process works for the newsletter. */
  async #serve(record: ImportRecord): Promise<void> {
    const client = await this.context.pool.connect()
    let broken = true
    try {
      const { rows } = await client.query<{ locked: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as locked',
        [LOCK, record.newsletter_id],
      )
      if (rows[0]?.locked) {
        await this.#step(
          { context: this.context, db: this.context.db, client, files: this.#files, signal: this.#poller.signal },
          record,
        )
        await client.query('select pg_advisory_unlock($1, hashtext($2))', [LOCK, record.newsletter_id])
      } else {
        // Not again at once.
        this.#failed.set(record.newsletter_id, performance.now() + POLL_MS)
      }
      broken = false
    } finally {
      client.release(broken)
    }
  }

  async #step(work: ImportWork, found: ImportRecord): Promise<void> {
    const { db } = work
    // It may have gone on since it was found.
    const record = await db
      .selectFrom('import')
      .selectAll()
      .where('newsletter_id', '=', found.newsletter_id)
      .where('id', '=', found.id)
      .executeTakeFirst()
    if (!record) return
    try {
      await this.#carryOn(work, record)
    } catch (error) {
      if (error instanceof RefusedFile) await this.#refuse(work, record, error)
      else if (!(error instanceof MovedOn)) throw error
    }
  }

  async #carryOn(work: ImportWork, record: ImportRecord): Promise<void> {
    const { db } = work
    switch (record.state) {
      case 'checking':
        return checkFile(work, record)
      case 'importing':
      case 'finishing':
        if (!(await isStaged(db, record.id))) await restage(work, record)
        return record.state === 'importing' ? addPeople(work, record) : finishImport(work, record)
      case 'cancelling':
        return takeBack(work, record, 'cancelled')
      case 'taking_back':
        return takeBack(work, record, 'taken_back')
      default:
        if (!over.some((state) => state === record.state))
          await moveOn(db, record, { from: [...waiting], set: { state: 'cancelled' } })
        return this.#clearAway(work, record)
    }
  }

  /** The owner can choose other columns, or another file. */
  async #refuse({ db }: ImportWork, record: ImportRecord, { code, line }: RefusedFile): Promise<void> {
    const refusal = JSON.stringify({ code, line })
    await moveOn(db, record, { from: ['checking'], set: { state: 'uploaded', refusal } }).catch((error: unknown) => {
      if (!(error instanceof MovedOn)) throw error
    })
  }

  /** Neither the file nor its rows are kept when an import is over. */
  async #clearAway({ db, files }: ImportWork, record: ImportRecord): Promise<void> {
    await dropStaging(db, record.id)
    await files.remove(keyOf(record), record.parts)
    await db
      .updateTable('import')
      .set({ parts: 0 })
      .where('newsletter_id', '=', record.newsletter_id)
      .where('id', '=', record.id)
      .execute()
  }
}
