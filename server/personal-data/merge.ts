import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/types.ts'
import { heldOfUsers } from './register.ts'

/**
 * Gives what a guest made to an account and deletes the guest, in one transaction. Where both have something, the stronger right stays.
 * Does nothing for who is not a guest, or is not there any more.
 */
export async function mergeGuest(db: Kysely<DB>, guestId: string, userId: string): Promise<void> {
  if (guestId === userId) return
  await db.transaction().execute(async (tx) => {
    const guests = tx.selectFrom('user').select('id').where('id', '=', guestId).where('is_anonymous', '=', true)
    if (!(await guests.forUpdate().executeTakeFirst())) return
    for (const { table, person, merge } of heldOfUsers) {
      if (typeof merge === 'function') await merge(tx, guestId, userId)
      if (merge === 'move') {
        const column = sql.ref(person)
        await sql`update ${sql.table(table)} set ${column} = ${userId} where ${column} = ${guestId}`.execute(tx)
      }
    }
    await tx.deleteFrom('user').where('id', '=', guestId).execute()
  })
}
