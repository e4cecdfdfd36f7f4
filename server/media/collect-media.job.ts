import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/queue.ts'
import { fileNameIn } from './files.ts'
import { keyPrefix, openStorage } from './open-storage.ts'
import { deleteRows } from './remove.ts'
import type { Storage, StoredFile } from './storage.ts'
import { UNUSED_DAYS } from './upload-limits.ts'
import { noteUnused } from './uses.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    collect_media: Record<string, unknown>
  }
}

const HOUR_MS = 3_600_000
const UNUSED_MS = UNUSED_DAYS * 24 * HOUR_MS
/** Longer than any upload takes. */
const UNFINISHED_MS = HOUR_MS
/** In one run; the next ones go on. */
const MOST_IMAGES = 1_000
const MOST_FILES = 1_000
const ASKED_TOGETHER = 500

/**
 * Runs daily. Removes images whose upload was never finished, those that nothing has used for 30 days, and files of ours that have had
 * no row for as long: a backup that is restored within that time finds its files.
 */
export function collectMediaJob({ db, config, log, now }: Context): Job<'collect_media'> {
  return async () => {
    await removeUnfinished(db, new Date(now().getTime() - UNFINISHED_MS))
    const images = await removeUnused(db, now())
    const files = await removeStrays(await openStorage(config), { db, config, before: now().getTime() - UNUSED_MS })
    if (images + files > 0) log.info({ images, files }, 'unused media were removed')
  }
}

async function removeUnfinished(db: Db, before: Date): Promise<void> {
  const rows = await db
    .selectFrom('media')
    .select(['newsletter_id', 'id'])
    .where('stored_at', 'is', null)
    .where('created_at', '<', before)
    .limit(MOST_IMAGES)
    .execute()
  await deleteAll(db, rows)
}

async function removeUnused(db: Db, now: Date): Promise<number> {
  const newsletters = await db.selectFrom('media').select('newsletter_id').distinct().execute()
  for (const { newsletter_id } of newsletters) await noteUnused(db, newsletter_id, now)
  const rows = await db
    .selectFrom('media')
    .select(['newsletter_id', 'id'])
    .where('unused_since', '<', new Date(now.getTime() - UNUSED_MS))
    .limit(MOST_IMAGES)
    .execute()
  await deleteAll(db, rows)
  return rows.length
}

async function deleteAll(db: Db, rows: { newsletter_id: string; id: string }[]): Promise<void> {
  for (const [newsletterId, of] of Map.groupBy(rows, ({ newsletter_id }) => newsletter_id)) {
    const ids = of.map(({ id }) => id)
    await db.transaction().execute((tx) => deleteRows(tx, newsletterId, ids))
  }
}

type Search = Pick<Context, 'db' | 'config'> & { before: number }

/** Files that no row names. What we did not write is left alone, and at most a thousand go in one run. */
async function removeStrays(storage: Storage, search: Search): Promise<number> {
  let removed = 0
  for await (const files of inGroups(storage.list(keyPrefix(search.config)), ASKED_TOGETHER)) {
    for (const key of await straysAmong(files, search)) {
      if (removed >= MOST_FILES) return removed
      await storage.remove(key)
      removed += 1
    }
  }
  return removed
}

async function straysAmong(files: StoredFile[], { db, config, before }: Search): Promise<string[]> {
  const old = files.flatMap(({ key, writtenAt }) => {
    const name = writtenAt.getTime() < before ? fileNameIn(config, key) : null
    return name ? [{ key, ...name }] : []
  })
  const ids = old.flatMap(({ mediaId }) => mediaId ?? [])
  const known = ids.length > 0 ? await db.selectFrom('media').select('id').where('id', 'in', ids).execute() : []
  const kept = new Set(known.map(({ id }) => id))
  return old.filter(({ mediaId }) => mediaId === null || !kept.has(mediaId)).map(({ key }) => key)
}

async function* inGroups<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = []
  for await (const each of all) {
    group.push(each)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
