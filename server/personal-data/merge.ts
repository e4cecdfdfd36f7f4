import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/types.ts'
import { heldOfUsers } from './register.ts'

/** Gives what a guest made to an account, in one transaction. Where both have something, the stronger right stays. */
export async function mergeGuest(db: Kysely<DB>, guestId: string, userId: string): Promise<void> {
  if (guestId === userId) return
  await db.transaction().execute(async (tx) => {
    for (const { table, person, merge } of heldOfUsers) {
      if (typeof merge === 'function') await merge(tx, guestId, userId)
      if (merge === 'move') {
        const column = sql.ref(person)
        await sql`update ${sql.table(table)} set ${column} = ${userId} where ${column} = ${guestId}`.execute(tx)
      }
    }
  })
}
