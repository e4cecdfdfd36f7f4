import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { publicId } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { nameInAddress } from '../../newsletters/branded-page.tsx'
import { findMembership } from '../../newsletters/membership.ts'
import { may } from '../../permissions.ts'
import {
  type addRecommendation as adding,
  type Recommendation,
  type RecommendedBy,
  recommendationLimits,
} from './contract.ts'
import { countsOf, type Period } from './counts.ts'
import { keepReasons, Reasons } from './reasons.ts'

type Deps = Pick<Context, 'config' | 'now'> & { db: Kysely<DB> }
type Reading = Pick<Context, 'config' | 'now'> & { db: Db }

/** Who may recommend the newsletter `n`. */
export const policyOf = sql<RecommendedBy>`coalesce((select p.recommended_by from recommendation_policy p where p.newsletter_id = n.id), 'accepted')`

/** Whether the recommended newsletter `n` agrees to the recommendation `r`. */
export const agreed = sql<boolean>`(r.declined_at is null and case ${policyOf} when 'everybody' then true
  when 'accepted' then r.accepted_at is not null else false end)`

/** The reasons of the newest version of the recommendation `r`, whose campaign is `c`. */
export const newestReasons = sql`(select jsonb_object_agg(w.language, w.reason) from recommendation_words w
  where w.newsletter_id = r.newsletter_id and w.campaign_id = r.id and w.version = c.version)`

interface Row {
  id: string
  newsletterId: string
  name: string
  otherId: string | null
  otherName: string | null
  otherHandle: string | null
  agreed: boolean
  declined: boolean
  ended: boolean
  remoteUrl: string | null
  remoteName: string | null
  renewedAt: Date | null
  signedAt: Date | null
  readAt: Date | null
  refused: NonNullable<Recommendation['remote']>['refused']
  isDemo: boolean | null
  newName: string | null
  newKey: string | null
  key: string | null
  remoteId: string | null
  reasons: unknown
}

const archiveOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, newsletter: { id: string; handle: string | null }) =>
  `${publicUrl}/n/${nameInAddress(newsletter)}`

async function recommendationsWhere(db: Db, newsletterId: string, narrowed: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select r.id, r.newsletter_id as "newsletterId", c.name, n.id as "otherId", n.name as "otherName", n.handle as "otherHandle",
      n.id is not null and ${agreed} as agreed, n.id is not null and (r.declined_at is not null or ${policyOf} = 'nobody') as declined,
      c.withdrawn_at is not null as ended, ${newestReasons} as reasons,
      m.id as "remoteId", m.subscribe_url as "remoteUrl", m.name as "remoteName", m.renewed_at as "renewedAt", m.signed_at as "signedAt", m.read_at as "readAt", m.refused, m.is_demo as "isDemo", m.new_name as "newName", m.new_key as "newKey", m.key
    from recommendation r
    join campaign c on c.newsletter_id = r.newsletter_id and c.id = r.id
    left join newsletter n on n.id = r.to_newsletter_id and n.deleted_at is null
    left join remote_newsletter m on m.newsletter_id = r.newsletter_id and m.id = r.id
    where r.newsletter_id = ${newsletterId} and c.withdrawn_at is null ${narrowed}
    order by r.position, r.id`.execute(db)
  return rows
}

const stateOf = ({ otherId, renewedAt, isDemo, agreed, declined }: Row, now: Date): Recommendation['state'] => {
  if (renewedAt) return isDemo || renewedAt.getTime() > now.getTime() - KEPT_MS ? 'shown' : 'stale'
  if (otherId === null) return 'gone'
  if (agreed) return 'shown'
  return declined ? 'declined' : 'waiting'
}

function namedOf(config: Config, { otherId, otherName, otherHandle, remoteId, remoteName, remoteUrl }: Row) {
  if (remoteId !== null) return { id: remoteId, name: remoteName ?? '', url: remoteUrl ?? '' }
  if (otherId === null) return null
  return { id: otherId, name: otherName ?? '', url: archiveOf(config, { id: otherId, handle: otherHandle }) }
}

/** After this time without a renewal a newsletter of another server is no longer shown. */
export const KEPT_MS = recommendationLimits.remoteDays * 86_400_000

function remoteOf(row: Row): Recommendation['remote'] {
  const { remoteUrl, key, newName, newKey, remoteName, renewedAt, signedAt, readAt, refused, isDemo } = row
  return remoteUrl === null || key === null || renewedAt === null || signedAt === null || readAt === null
    ? null
    : {
        host: new URL(remoteUrl).host,
        key,
        renewedAt: renewedAt.toISOString(),
        signedAt: signedAt.toISOString(),
        readAt: readAt.toISOString(),
        refused,
        isDemo: isDemo === true,
        changed: newName === null && newKey === null ? null : { name: newName ?? remoteName ?? '', key: newKey ?? key },
      }
}

async function withCounts({ db, config, now }: Reading, rows: Row[], period: Period): Promise<Recommendation[]> {
  const counts = await countsOf(
    db,
    rows.map(({ newsletterId, id }) => ({ newsletterId, campaignId: id })),
    period,
  )
  return rows.map((row) => ({
    id: row.id,
    newsletter: namedOf(config, row),
    remote: remoteOf(row),
    name: row.otherName ?? row.name,
    state: stateOf(row, now()),
    reasons: Reasons.parse(row.reasons ?? {}),
    counts: counts({ newsletterId: row.newsletterId, campaignId: row.id }),
  }))
}

/** What a newsletter recommends, in its order, with what came of it. */
export const listOf = async ({ db, config, now }: Deps, newsletterId: string, period: Period) =>
  withCounts({ db, config, now }, await recommendationsWhere(db, newsletterId, sql``), period)

/** @throws AppError recommendation_not_found */
export async function oneOf({ db, config, now }: Reading, newsletterId: string, id: string): Promise<Recommendation> {
  const [found] = await withCounts(
    { db, config, now },
    await recommendationsWhere(db, newsletterId, sql`and r.id = ${id}`),
    {},
  )
  if (!found) throw new AppError('recommendation_not_found')
  return found
}

/** Newsletters that a person may write in, or that everybody may recommend, and that are not recommended yet. */
export async function candidatesFor(
  { db, config }: Deps,
  { newsletterId, userId }: { newsletterId: string; userId: string | null },
) {
  const { rows } = await sql<{ id: string; name: string; handle: string | null }>`
    select n.id, n.name, n.handle from newsletter n
    where n.deleted_at is null and n.id <> ${newsletterId}
      and (${policyOf} = 'everybody' or ${policyOf} <> 'nobody' and exists (
        select from member m where m.newsletter_id = n.id and m.user_id = ${userId}))
      and not exists (
        select from recommendation r join campaign c on c.newsletter_id = r.newsletter_id and c.id = r.id
        where r.newsletter_id = ${newsletterId} and r.to_newsletter_id = n.id and c.withdrawn_at is null)
    order by lower(n.name), n.id limit 100`.execute(db)
  return rows.map((row) => ({ id: row.id, name: row.name, url: archiveOf(config, row) }))
}

/** The id or handle in an address of this server, or the text itself. */
const nameIn = ({ publicUrl }: Pick<Config, 'publicUrl'>, text: string): string => {
  const path = text.startsWith(`${publicUrl}/`) ? text.slice(publicUrl.length) : text
  return /^\/(?:n|sub|subscribe)\/([\w-]{1,60})(?:[/?#].*)?$/.exec(path)?.[1] ?? path
}

async function findRecommended(db: Db, config: Config, text: string): Promise<NewsletterRow> {
  const name = nameIn(config, text)
  const found = /^[\w-]{1,60}$/.test(name)
    ? await db
        .selectFrom('newsletter')
        .selectAll()
        .where((e) => e.or([e('id', '=', name), e('handle', '=', name)]))
        .where('deleted_at', 'is', null)
        .orderBy((e) => e('id', '=', name), 'desc')
        .limit(1)
        .executeTakeFirst()
    : null
  if (!found) throw new AppError('recommended_not_found')
  return found
}

/**
 * Recommends another newsletter of this server. Where whoever asks may change its settings too, it has accepted at once; one that was removed
 * before comes back with its figures and with what the other newsletter said of it.
 *
 * @throws AppError recommended_not_found, recommends_itself, recommended_already, too_many_recommendations
 */
export function addTo(
  { db, config, now }: Deps,
  { newsletterId, userId }: { newsletterId: string; userId: string | null },
  { newsletter: text, reasons }: z.output<typeof adding.body>,
): Promise<Recommendation> {
  return db.transaction().execute(async (tx) => {
    const other = await findRecommended(tx, config, text)
    if (other.id === newsletterId) throw new AppError('recommends_itself')
    await requireRoom(tx, newsletterId, other.id)
    const membership = userId === null ? null : await findMembership(tx, other.id, userId)
    const acceptedAt = membership && may(membership.role, 'newsletter.write') ? now() : null
    const version = await insertOrRevive(tx, { newsletterId, other, acceptedAt, now: now() })
    await keepReasons(tx, version, reasons)
    return oneOf({ db: tx, config, now }, newsletterId, version.campaignId)
  })
}

/**
 * Requests at the same moment are counted one after the other.
 * @throws AppError recommended_already, too_many_recommendations
 */
export async function requireRoom(tx: Db, newsletterId: string, otherId: string | null = null): Promise<void> {
  await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
  const kept = await recommendationsWhere(tx, newsletterId, sql``)
  if (otherId !== null && kept.some((row) => row.otherId === otherId)) throw new AppError('recommended_already')
  const maximum = recommendationLimits.kept
  if (kept.length >= maximum) throw new AppError('too_many_recommendations', { params: { maximum } })
}

interface Adding {
  newsletterId: string
  other: NewsletterRow
  acceptedAt: Date | null
  now: Date
}

async function insertOrRevive(tx: Db, { newsletterId, other, acceptedAt, now }: Adding) {
  const { rows } = await sql<{ id: string; version: number }>`
    update campaign c set withdrawn_at = null, version = c.version + 1, name = ${other.name}
    from recommendation r where r.newsletter_id = ${newsletterId} and r.to_newsletter_id = ${other.id}
      and c.newsletter_id = r.newsletter_id and c.id = r.id
    returning c.id, c.version`.execute(tx)
  const id = rows[0]?.id ?? publicId(10)
  const key = { newsletter_id: newsletterId, id }
  if (!rows[0]) {
    const campaign = { ...key, kind: 'recommendation', name: other.name, starts_at: now, created_at: now } as const
    await tx.insertInto('campaign').values(campaign).execute()
    await tx
      .insertInto('recommendation')
      .values({ ...key, to_newsletter_id: other.id, position: 0 })
      .execute()
  }
  await sql`
    update recommendation r set accepted_at = coalesce(r.accepted_at, ${acceptedAt}), declined_at = case when ${acceptedAt}::timestamptz is null then r.declined_at end
    where r.newsletter_id = ${newsletterId} and r.id = ${id}`.execute(tx)
  await placeLast(tx, { newsletterId, campaignId: id })
  return { newsletterId, campaignId: id, version: rows[0]?.version ?? 1 }
}

export async function placeLast(
  tx: Db,
  { newsletterId, campaignId }: { newsletterId: string; campaignId: string },
): Promise<void> {
  await sql`
    update recommendation set position =
      1 + (select coalesce(max(position), 0) from recommendation where newsletter_id = ${newsletterId} and id <> ${campaignId})
    where newsletter_id = ${newsletterId} and id = ${campaignId}`.execute(tx)
}

/** @throws AppError recommendation_not_found */
export function changeOf(
  { db, config, now }: Deps,
  { newsletterId, campaignId }: { newsletterId: string; campaignId: string },
  reasons: Reasons,
): Promise<Recommendation> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ version: number }>`
      update campaign set version = version + 1
      where newsletter_id = ${newsletterId} and id = ${campaignId} and kind = 'recommendation' and withdrawn_at is null
      returning version`.execute(tx)
    if (!rows[0]) throw new AppError('recommendation_not_found')
    await keepReasons(tx, { newsletterId, campaignId, version: rows[0].version }, reasons)
    return oneOf({ db: tx, config, now }, newsletterId, campaignId)
  })
}

/** Those that are not named keep their order behind the others. */
export async function orderOf({ db }: Deps, newsletterId: string, ids: string[]): Promise<void> {
  await sql`
    update recommendation r set position = o.position
    from (select id, row_number() over (order by array_position(${ids}::text[], id), position, id) as position
      from recommendation where newsletter_id = ${newsletterId}) o
    where r.newsletter_id = ${newsletterId} and r.id = o.id`.execute(db)
}

/** @throws AppError recommendation_not_found */
export async function removeFrom(
  { db, now }: Deps,
  { newsletterId, campaignId }: { newsletterId: string; campaignId: string },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('campaign')
    .set({ withdrawn_at: now() })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', campaignId)
    .where('kind', '=', 'recommendation')
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('recommendation_not_found')
}
