import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/queue.ts'
import { keepEntitlements } from '../change.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    keep_entitlements: { newsletterId: string }
  }
}

const BATCH = 500

/** Works out anew what everybody with a subscription may read. Done again from the beginning, it comes to the same. */
export const keepEntitlementsJob =
  ({ db }: Context): Job<'keep_entitlements'> =>
  async ({ newsletterId }) => {
    let last = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const ids = await db.transaction().execute(async (tx) => {
        const holders = tx
          .selectFrom('subscription')
          .select('subscriber_id')
          .distinct()
          .where('newsletter_id', '=', newsletterId)
          .where('subscriber_id', '>', last)
          .orderBy('subscriber_id')
          .limit(BATCH)
        // Locked as `storeSubscription` locks them, and read after that, so that neither works with what the other has changed.
        const rows = await tx
          .selectFrom('subscriber')
          .select('id')
          .where('newsletter_id', '=', newsletterId)
          .where('id', 'in', holders)
          .orderBy('id')
          .forNoKeyUpdate()
          .execute()
        const newsletter = await tx
          .selectFrom('newsletter')
          .select(['id', 'grace_days'])
          .where('id', '=', newsletterId)
          .executeTakeFirst()
        const found = rows.map(({ id }) => id)
        if (!newsletter) return []
        if (found.length > 0) await keepEntitlements(tx, newsletter, found)
        return found
      })
      const next = ids.at(-1)
      if (!next) return
      last = next
    }
  }
