import type { ExpressionBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { DB } from '../database/types.ts'
import type { NewsletterRow } from '../http/scope.ts'

/** The form of ids and handles. PostgreSQL refuses some other texts. */
const ADDRESS = /^[\w-]{1,60}$/

/**
 * The newsletters that public pages show, in memory. One is forgotten when any process changes it. All are forgotten when a
 * notification may have been missed.
 */
export class PublicNewsletters {
  readonly #db: Context['db']
  readonly #rows = new LRUCache<string, NewsletterRow>({ max: 5_000, ttl: 60_000 })
  /** Grows with every change, so that a row that was read before a change is not kept after it. */
  #version = 0

  constructor({ db, listener }: Pick<Context, 'db' | 'listener'>) {
    this.#db = db
    listener.on(
      'newsletter',
      (id) => this.forget(id),
      () => {
        this.#version++
        this.#rows.clear()
      },
    )
  }

  /** The process that makes a change calls this itself. The database notifies the others. */
  forget(newsletterId: string): void {
    this.#version++
    for (const [name, row] of this.#rows.entries()) if (row.id === newsletterId) this.#rows.delete(name)
  }

  /** The newsletter that a public address names, by id, by handle or by one that it had; null when there is none or it was deleted. */
  async find(idOrHandle: string): Promise<NewsletterRow | null> {
    if (!ADDRESS.test(idOrHandle)) return null
    const kept = this.#rows.get(idOrHandle)
    if (kept) return kept
    const version = this.#version
    const formerOf = (e: ExpressionBuilder<DB, 'newsletter'>) =>
      e.selectFrom('former_handle').select('newsletter_id').where('former_handle.handle', '=', idOrHandle)
    const row = await this.#db
      .selectFrom('newsletter')
      .selectAll()
      .where((e) => e.or([e('id', '=', idOrHandle), e('handle', '=', idOrHandle), e('id', '=', formerOf(e))]))
      .where('deleted_at', 'is', null)
      // A handle may be the same as the id of another newsletter. Then the id decides, and what a newsletter has before what one had.
      .orderBy((e) => e('id', '=', idOrHandle), 'desc')
      .orderBy((e) => e.fn.coalesce(e('handle', '=', idOrHandle), e.lit(false)), 'desc')
      .limit(1)
      .executeTakeFirst()
    if (row && this.#version === version) this.#rows.set(idOrHandle, row)
    return row ?? null
  }
}
