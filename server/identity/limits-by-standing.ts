import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Standing } from './standing.ts'

/** How many somebody may have in all, and make within an hour. */
interface Most {
  inAll: number
  anHour: number
}

/** What people make and keep, by the standing of its owner. */
const limitsByStanding = {
  newsletters: {
    guest: { inAll: 3, anHour: 3 },
    unproven: { inAll: 20, anHour: 20 },
    proven: { inAll: 200, anHour: 30 },
  },
} as const satisfies Record<string, Record<Standing, Most>>

/**
 * Refuses a newsletter beyond what its owner may have. The user's row stays locked until the transaction ends, so that requests at the
 * same moment are counted one after the other, in whatever process.
 *
 * @throws AppError too_many_newsletters, too_many_requests
 */
export async function requireRoomForNewsletter(tx: Db, userId: string, standing: Standing): Promise<void> {
  const most = limitsByStanding.newsletters[standing]
  await tx.selectFrom('user').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const owned = await tx
    .selectFrom('member')
    .innerJoin('newsletter', 'newsletter.id', 'member.newsletter_id')
    .select([
      sql<number>`count(*)::integer`.as('inAll'),
      sql<number>`(count(*) filter (where newsletter.created_at > now() - interval '1 hour'))::integer`.as('lately'),
    ])
    .where('member.user_id', '=', userId)
    .where('member.role', '=', 'owner')
    .executeTakeFirstOrThrow()
  if (owned.inAll >= most.inAll) {
    throw new AppError('too_many_newsletters', { params: { maximum: most.inAll }, limitOf: standing })
  }
  if (owned.lately >= most.anHour) throw new AppError('too_many_requests', { params: { seconds: 3600 } })
}
