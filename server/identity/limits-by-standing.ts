import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { type Standing, standingOfNewsletter } from './standing.ts'

/** How many somebody may have in all, and make within an hour. */
interface Most {
  inAll: number
  anHour: number
}

/** What people make and keep, by the standing of its owner. docs/operating.md has the same table; a test compares them. */
export const limitsByStanding = {
  newsletters: {
    guest: { inAll: 3, anHour: 3 },
    unproven: { inAll: 20, anHour: 20 },
    proven: { inAll: 200, anHour: 30 },
  },
  /** Of each newsletter, as the following. Deleted ones count while they can be restored. */
  publications: {
    guest: { inAll: 30, anHour: 20 },
    unproven: { inAll: 1_000, anHour: 300 },
    proven: { inAll: 20_000, anHour: 600 },
  },
  /** Those of publications are not counted. */
  links: {
    guest: { inAll: 50, anHour: 20 },
    unproven: { inAll: 1_000, anHour: 600 },
    proven: { inAll: 100_000, anHour: 600 },
  },
  apiKeys: {
    guest: { inAll: 2, anHour: 5 },
    unproven: { inAll: 20, anHour: 40 },
    proven: { inAll: 100, anHour: 60 },
  },
  /** Those that are open. Guests cannot invite. */
  invitations: {
    guest: { inAll: 0, anHour: 0 },
    unproven: { inAll: 10, anHour: 10 },
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
  if (owned.lately >= most.anHour)
    throw new AppError('too_many_requests', { params: { seconds: 3600 }, limitOf: standing })
}

type OfNewsletter = Exclude<keyof typeof limitsByStanding, 'newsletters'>

/** Which rows count, and what is said when there are too many. */
const counted = {
  publications: {
    code: 'too_many_publications',
    rows: sql`(select newsletter_id, created_at from publication
      union all select newsletter_id, created_at from deleted_publication)`,
  },
  links: {
    code: 'too_many_links',
    rows: sql`(select newsletter_id, created_at from short_link where publication_id is null)`,
  },
  apiKeys: { code: 'too_many_api_keys', rows: sql`api_key` },
  invitations: {
    code: 'too_many_invitations',
    rows: sql`(select newsletter_id, created_at from invitation where accepted_at is null and expires_at > now())`,
  },
} as const satisfies Record<OfNewsletter, unknown>

/**
 * Refuses one more thing of a newsletter beyond what its owners' standing allows. Until the transaction ends, others who make such a thing
 * in this newsletter wait.
 *
 * @throws AppError too_many_publications, too_many_links, too_many_api_keys, too_many_invitations, too_many_requests
 */
export async function requireRoomInNewsletter(tx: Db, newsletterId: string, kind: OfNewsletter): Promise<void> {
  const standing = await standingOfNewsletter(tx, newsletterId)
  const most = limitsByStanding[kind][standing]
  const { code, rows } = counted[kind]
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${newsletterId}`}, 0))`.execute(tx)
  const found = await sql<{ inAll: number; lately: number }>`
    select count(*)::integer as "inAll",
      (count(*) filter (where created_at > now() - interval '1 hour'))::integer as lately
    from ${rows} made where newsletter_id = ${newsletterId}`.execute(tx)
  const { inAll = 0, lately = 0 } = found.rows[0] ?? {}
  if (inAll >= most.inAll) throw new AppError(code, { params: { maximum: most.inAll }, limitOf: standing })
  if (lately >= most.anHour) throw new AppError('too_many_requests', { params: { seconds: 3600 }, limitOf: standing })
}
