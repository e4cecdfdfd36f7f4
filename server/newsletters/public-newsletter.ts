import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'

interface Known {
  rows: LRUCache<string, NewsletterRow>
  /** Raised by every change, so that an answer read before a change is not kept after it. */
  version: number
}

/** Nothing else is worth a look in the database, which would not even take some of it. */
const ADDRESS = /^[\w-]{1,60}$/

const caches = new WeakMap<object, Known>()

/** Keeps newsletters in memory for public pages; forgets one when any process changes it, all when a change may be missed. */
export function cachePublicNewsletters({ db, listener }: Pick<Context, 'db' | 'listener'>): void {
  const known: Known = { rows: new LRUCache({ max: 5_000, ttl: 60_000 }), version: 0 }
  caches.set(db, known)
  listener.on(
    'newsletter',
    (id) => forgetPublicNewsletter(db, id),
    () => {
      known.version++
      known.rows.clear()
    },
  )
}

/** Other processes are told by the database; the one that made the change need not wait for that. */
export function forgetPublicNewsletter(db: Db, id: string): void {
  const known = caches.get(db)
  if (!known) return
  known.version++
  for (const [name, row] of known.rows.entries()) if (row.id === id) known.rows.delete(name)
}

/** The newsletter that a public address names, by id or by handle; null when there is none or it was deleted. */
export async function findPublicNewsletter(db: Db, idOrHandle: string): Promise<NewsletterRow | null> {
  if (!ADDRESS.test(idOrHandle)) return null
  const known = caches.get(db)
  const kept = known?.rows.get(idOrHandle)
  if (kept) return kept
  const version = known?.version
  const row = await db
    .selectFrom('newsletter')
    .selectAll()
    .where((e) => e.or([e('id', '=', idOrHandle), e('handle', '=', idOrHandle)]))
    .where('deleted_at', 'is', null)
    // Somebody's handle may look like another's id: the id was there first.
    .orderBy((e) => e('id', '=', idOrHandle), 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row && known && known.version === version) known.rows.set(idOrHandle, row)
  return row ?? null
}
