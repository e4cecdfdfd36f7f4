import { type Kysely, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { nameInAddress } from '../../newsletters/branded-page.tsx'
import type { RecommendedBy, Recommender } from './contract.ts'
import { countsOf, type Period } from './counts.ts'
import { Reasons } from './reasons.ts'
import { agreed, newestReasons, policyOf } from './recommendations.ts'

type Deps = Pick<Context, 'config' | 'now'> & { db: Kysely<DB> }

interface Row {
  id: string
  fromId: string
  name: string
  handle: string | null
  state: Recommender['state']
  reasons: unknown
}

/** Who may recommend a newsletter. */
export async function recommendedByOf({ db }: Pick<Deps, 'db'>, newsletterId: string): Promise<RecommendedBy> {
  const query = sql<{
    policy: RecommendedBy
  }>`select ${policyOf} as policy from newsletter n where n.id = ${newsletterId}`
  return (await query.execute(db)).rows[0]?.policy ?? 'accepted'
}

/** Who recommends a newsletter, or did with somebody to show for it; the newest first. */
export async function recommendersOf(
  { db, config }: Deps,
  newsletterId: string,
  period: Period,
): Promise<Recommender[]> {
  const { rows } = await sql<Row>`
    select r.id, f.id as "fromId", f.name, f.handle, ${newestReasons} as reasons,
      case when c.withdrawn_at is not null or f.deleted_at is not null then 'ended' when ${agreed} then 'shown'
        when r.declined_at is not null or ${policyOf} = 'nobody' then 'declined' else 'waiting' end as state
    from recommendation r
    join campaign c on c.newsletter_id = r.newsletter_id and c.id = r.id
    join newsletter f on f.id = r.newsletter_id
    join newsletter n on n.id = r.to_newsletter_id
    where r.to_newsletter_id = ${newsletterId}
    order by c.withdrawn_at is not null, c.created_at desc, r.id limit 500`.execute(db)
  const counts = await countsOf(
    db,
    rows.map(({ fromId, id }) => ({ newsletterId: fromId, campaignId: id })),
    period,
  )
  return rows
    .map(({ id, fromId, name, handle, state, reasons }) => ({
      id,
      newsletter: { id: fromId, name, url: `${config.publicUrl}/n/${nameInAddress({ id: fromId, handle })}` },
      state,
      reasons: Reasons.parse(reasons ?? {}),
      counts: counts({ newsletterId: fromId, campaignId: id }),
    }))
    .filter(({ state, counts: { shown, chosen } }) => state !== 'ended' || shown > 0 || chosen > 0)
}

export async function setPolicy({ db }: Deps, newsletterId: string, recommendedBy: RecommendedBy): Promise<void> {
  await db
    .insertInto('recommendation_policy')
    .values({ newsletter_id: newsletterId, recommended_by: recommendedBy })
    .onConflict((conflict) => conflict.column('newsletter_id').doUpdateSet({ recommended_by: recommendedBy }))
    .execute()
}

/** @throws AppError recommendation_not_found */
export async function answer(
  { db, now }: Deps,
  newsletterId: string,
  { campaignId, accepted }: { campaignId: string; accepted: boolean },
): Promise<void> {
  const at = now()
  const { numUpdatedRows } = await db
    .updateTable('recommendation')
    .set(accepted ? { accepted_at: at, declined_at: null } : { accepted_at: null, declined_at: at })
    .where('to_newsletter_id', '=', newsletterId)
    .where('id', '=', campaignId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('recommendation_not_found')
}
