import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { containing } from '../database/containing.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import { enqueue } from '../jobs/queue.ts'
import { endWelcomeOf } from '../welcomes/end.ts'
import { holdWelcomeOf } from '../welcomes/enrol.ts'
import { forgetWelcomed } from '../welcomes/forget.ts'
import { passOver } from '../welcomes/pass-over.ts'
import { behaviourKept, conditionsIn } from './condition.ts'
import type { Segment as SegmentShape, updateSegment } from './contract.ts'
import { lockKinds } from './fields.ts'
import { type Condition, Filter } from './filter/contract.ts'
import { namedOnce, requireRoom } from './room.ts'
import { requireTags } from './tags.ts'
import { requireUnused } from './uses.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    segment_deleted: { newsletterId: string; segmentId: number }
  }
}

type Segment = z.infer<typeof SegmentShape>
interface SegmentKey {
  newsletterId: string
  segmentId: number
}

const columns = ['id', 'name', 'filter', 'created_at', 'changed_at'] as const
interface Row {
  id: number
  name: string
  filter: unknown
  created_at: Date
  changed_at: Date
}

const shown = ({ id, name, filter, created_at, changed_at }: Row): Segment => ({
  id,
  name,
  filter: Filter.parse(filter),
  createdAt: created_at.toISOString(),
  changedAt: changed_at.toISOString(),
})

/** By name. */
export async function listSegments(db: Db, newsletterId: string): Promise<Segment[]> {
  const query = db.selectFrom('segment').select(columns).where('newsletter_id', '=', newsletterId)
  return (await query.orderBy(sql`lower(name)`).orderBy('id').execute()).map(shown)
}

/** The newest first. */
export const findSegmentsByName = (
  db: Db,
  newsletterId: string,
  { search, limit }: { search: string; limit: number },
) =>
  db
    .selectFrom('segment')
    .select(['id', 'name'])
    .where('newsletter_id', '=', newsletterId)
    .where(sql<boolean>`name ~* ${containing(search)}`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** With `lock` it stays until the transaction ends. @throws AppError segment_not_found */
export async function findSegment(db: Db, { newsletterId, segmentId }: SegmentKey, lock?: 'lock'): Promise<Segment> {
  const row = await db
    .selectFrom('segment')
    .select(columns)
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', segmentId)
    .$if(lock === 'lock', (query) => query.forKeyShare())
    .executeTakeFirst()
  if (!row) throw new AppError('segment_not_found')
  return shown(row)
}

/** @throws AppError name_taken, too_many_segments, or that a part of the filter is not found */
export const addSegment = (
  db: Kysely<DB>,
  newsletterId: string,
  { name, filter }: { name: string; filter: Filter },
): Promise<Segment> =>
  db.transaction().execute(async (tx) => {
    await requireRoom(tx, newsletterId, 'segment')
    await requireParts(tx, newsletterId, filter)
    const values = { newsletter_id: newsletterId, name, filter: JSON.stringify(filter) }
    const insert = tx.insertInto('segment').values(values).returning(columns)
    return shown(await namedOnce(insert.executeTakeFirstOrThrow(), () => 'name'))
  })

/** @throws AppError segment_not_found, name_taken, or that a part of the filter is not found */
export const changeSegment = (
  db: Kysely<DB>,
  { newsletterId, segmentId }: SegmentKey,
  { name, filter }: z.output<typeof updateSegment.body>,
): Promise<Segment> =>
  db.transaction().execute(async (tx) => {
    if (filter) await requireParts(tx, newsletterId, filter)
    const isWelcomed = filter !== undefined && (await holdWelcomeOf(tx, { newsletterId, segmentId }))
    const update = tx
      .updateTable('segment')
      .set({
        ...(name !== undefined && { name }),
        ...(filter && { filter: JSON.stringify(filter) }),
        changed_at: sql`case when (name, filter) is distinct from
          (${name ?? sql.ref('name')}, ${filter ? sql`${JSON.stringify(filter)}::jsonb` : sql.ref('filter')}) then now() else changed_at end`,
      })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', segmentId)
      .returning(columns)
    const row = await namedOnce(update.executeTakeFirst(), () => 'name')
    if (!row) throw new AppError('segment_not_found')
    // Who fits the new conditions at once has not joined.
    if (isWelcomed) await passOver(tx, { newsletterId, segmentId, filter })
    return shown(row)
  })

/** @returns its name. @throws AppError segment_not_found, in_use */
export const deleteSegment = (
  db: Kysely<DB>,
  { newsletterId, segmentId }: SegmentKey,
  evenIfUsed: boolean,
): Promise<string> =>
  db.transaction().execute(async (tx) => {
    // Who builds something on it meanwhile waits, and finds it gone.
    const query = tx.selectFrom('segment').select('name').where('newsletter_id', '=', newsletterId)
    const found = await query.where('id', '=', segmentId).forUpdate().executeTakeFirst()
    if (!found) throw new AppError('segment_not_found')
    await requireUnused(tx, { newsletterId, what: { segment: segmentId }, evenIfUsed })
    await endWelcomeOf(tx, { newsletterId, segmentId })
    await forgetWelcomed(tx, { newsletterId, segmentId })
    await tx.deleteFrom('segment').where('newsletter_id', '=', newsletterId).where('id', '=', segmentId).execute()
    await enqueue(tx, 'segment_deleted', { newsletterId, segmentId })
    return found.name
  })

/**
 * Refuses a filter that names what the newsletter does not have. Tags and fields stay until the transaction ends.
 * @throws AppError behaviour_not_kept, tag_not_found, plan_not_found, field_not_found, publication_not_found, link_not_found,
 * campaign_not_found
 */
async function requireParts(tx: Db, newsletterId: string, filter: Filter): Promise<void> {
  const conditions = conditionsIn(filter)
  await requireKept(tx, newsletterId, conditions)
  const named = <T extends string | number>(of: (condition: Condition) => T | null) => [
    ...new Set(conditions.map(of).filter((one) => one !== null)),
  ]
  await requireTags(
    tx,
    newsletterId,
    named((one) => (one.on === 'tag' ? one.tag : null)),
  )
  const plans = named((one) => (one.on === 'plan' && one.plan !== 'any' ? one.plan : null))
  if ((await countKnown(tx, newsletterId, { table: 'plan', ids: plans })) < plans.length)
    throw new AppError('plan_not_found')
  const kinds = await lockKinds(tx, newsletterId)
  const strange = conditions.some((one) => one.on === 'field' && kinds.get(one.field)?.kind !== one.kind)
  if (strange) throw new AppError('field_not_found')
  const publications = named((one) => ('publication' in one ? one.publication : null))
  if ((await countKnown(tx, newsletterId, { table: 'publication', ids: publications })) < publications.length)
    throw new AppError('publication_not_found')
  const links = named((one) => (one.on === 'link' ? one.link : null))
  if ((await countKnown(tx, newsletterId, { table: 'short_link', ids: links })) < links.length)
    throw new AppError('link_not_found')
  const campaigns = named((one) => (one.on === 'campaign' ? one.campaign : null))
  if ((await countKnown(tx, newsletterId, { table: 'opt_in_campaign', ids: campaigns })) < campaigns.length)
    throw new AppError('campaign_not_found')
}

async function requireKept(tx: Db, newsletterId: string, conditions: Condition[]): Promise<void> {
  const newsletter = await tx
    .selectFrom('newsletter')
    .select(['click_privacy', 'open_privacy'])
    .where('id', '=', newsletterId)
    .executeTakeFirstOrThrow()
  const columns = conditions.map(({ on }) => behaviourKept.get(on))
  if (columns.some((column) => column && newsletter[column] !== 'person')) throw new AppError('behaviour_not_kept')
}

async function countKnown(
  db: Db,
  newsletterId: string,
  { table, ids }: { table: 'publication' | 'short_link' | 'plan' | 'opt_in_campaign'; ids: (string | number)[] },
): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where newsletter_id = ${newsletterId} and id = any(${ids})`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
