import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { isReserved, refuseReserved } from '../http/reserved-slugs.ts'
import { wordsOf } from '../publications/slug.ts'
import { NewsletterSettings } from './contract.ts'

/** Room for a number behind it. */
const MOST = 37

/** A handle made from the name that could be taken now: `harbour`, `harbour-2`… Null when the name gives none. */
export async function suggestHandle(db: Db, name: string): Promise<string | null> {
  const base = wordsOf(name, MOST)
  const fit = [base, ...Array.from({ length: 18 }, (_, n) => `${base}-${n + 2}`)].filter(
    (handle) => NewsletterSettings.shape.handle.safeParse(handle).success && !isReserved(handle),
  )
  if (fit.length === 0) return null
  const rows = await db
    .selectFrom('newsletter')
    .select(['id', 'handle'])
    .where((e) => e.or([e('id', 'in', fit), e('handle', 'in', fit)]))
    .execute()
  const former = await db.selectFrom('former_handle').select('handle').where('handle', 'in', fit).execute()
  const taken = new Set([...rows.flatMap(({ id, handle }) => [id, handle]), ...former.map(({ handle }) => handle)])
  return fit.find((handle) => !taken.has(handle)) ?? null
}

/**
 * A handle works wherever an id does, so it must not be the id of another newsletter, nor one that leads to another newsletter still. One that
 * it has already stays.
 * @throws AppError handle_taken, slug_reserved
 */
export async function refuseHandle(db: Db, newsletterId: string, handle: string): Promise<void> {
  const own = db.selectFrom('newsletter').select('id').where('id', '=', newsletterId).where('handle', '=', handle)
  if (await own.executeTakeFirst()) return
  refuseReserved(handle, 'handle')
  const query = db.selectFrom('newsletter').select('id').where('id', '=', handle).where('id', '<>', newsletterId)
  if (await query.executeTakeFirst()) throw handleTaken()
  const former = db.selectFrom('former_handle').select('handle').where('handle', '=', handle)
  if (await former.where('newsletter_id', '<>', newsletterId).executeTakeFirst()) throw handleTaken()
}

/** How many earlier handles go on working. Those before are free again, so that nobody can keep all words for themselves. */
const FORMER_KEPT = 10

/** Lets the handle that a newsletter has go on leading to it once it has this one, in the transaction of the change. */
export async function keepFormerHandle(tx: Db, newsletterId: string, handle: string | null): Promise<void> {
  const of = tx.selectFrom('newsletter').select('handle').where('id', '=', newsletterId).forUpdate()
  const { handle: before } = await of.executeTakeFirstOrThrow()
  if (before === handle) return
  if (handle !== null)
    await tx
      .deleteFrom('former_handle')
      .where('newsletter_id', '=', newsletterId)
      .where('handle', '=', handle)
      .execute()
  if (before === null) return
  const row = { handle: before, newsletter_id: newsletterId }
  await tx
    .insertInto('former_handle')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = tx.selectFrom('former_handle').select('handle').where('newsletter_id', '=', newsletterId)
  await tx
    .deleteFrom('former_handle')
    .where('newsletter_id', '=', newsletterId)
    .where('handle', 'not in', kept.orderBy('given_up_at', 'desc').orderBy('handle').limit(FORMER_KEPT))
    .execute()
}

export const handleTaken = () => new AppError('handle_taken', { field: 'handle' })
