import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { Tag as TagShape } from './contract.ts'
import { segmentLimits } from './filter/contract.ts'
import { namedOnce, requireRoom } from './room.ts'
import { requireUnused } from './uses.ts'

type Tag = z.infer<typeof TagShape>
interface TagKey {
  newsletterId: string
  tagId: number
}

/** Tags by name, each with how many subscribers have it. */
export async function listTags(db: Db, newsletterId: string, tagId: number | null = null): Promise<Tag[]> {
  const { rows } = await sql<Tag>`
    select t.id, t.name, coalesce(c.count, 0) as subscribers from tag t
    left join (
      select tag_id, count(*) as count from subscriber_tag
      where newsletter_id = ${newsletterId} and (${tagId}::integer is null or tag_id = ${tagId}) group by tag_id
    ) c on c.tag_id = t.id
    where t.newsletter_id = ${newsletterId} and (${tagId}::integer is null or t.id = ${tagId})
    order by lower(t.name), t.id`.execute(db)
  return rows
}

/** @throws AppError name_taken, too_many_tags */
export const addTag = (db: Kysely<DB>, newsletterId: string, name: string): Promise<Tag> =>
  db.transaction().execute(async (tx) => {
    await requireRoom(tx, newsletterId, 'tag')
    const insert = tx.insertInto('tag').values({ newsletter_id: newsletterId, name }).returning(['id', 'name'])
    const { id } = await namedOnce(insert.executeTakeFirstOrThrow(), () => 'name')
    return { id, name, subscribers: 0 }
  })

/** @throws AppError tag_not_found, name_taken */
export async function renameTag(db: Db, { newsletterId, tagId }: TagKey, name: string): Promise<Tag> {
  const rename = db.updateTable('tag').set({ name }).where('newsletter_id', '=', newsletterId).where('id', '=', tagId)
  await namedOnce(rename.execute(), () => 'name')
  const [tag] = await listTags(db, newsletterId, tagId)
  if (!tag) throw new AppError('tag_not_found')
  return tag
}

/** Takes the tag off everybody. @returns its name. @throws AppError tag_not_found, in_use */
export const deleteTag = (db: Kysely<DB>, { newsletterId, tagId }: TagKey, evenIfUsed: boolean): Promise<string> =>
  db.transaction().execute(async (tx) => {
    // Before looking at what is built on it: who builds something on it meanwhile waits, and finds it gone.
    const gone = await tx
      .deleteFrom('tag')
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', tagId)
      .returning('name')
      .executeTakeFirst()
    if (!gone) throw new AppError('tag_not_found')
    await requireUnused(tx, { newsletterId, what: { tag: tagId }, evenIfUsed })
    return gone.name
  })

/** Keeps tags from being deleted until the transaction ends. @throws AppError tag_not_found */
export async function requireTags(tx: Db, newsletterId: string, tagIds: number[]): Promise<void> {
  const wanted = [...new Set(tagIds)]
  if (wanted.length === 0) return
  const { rows } = await sql`
    select id from tag where newsletter_id = ${newsletterId} and id = any(${wanted}) order by id for key share`.execute(
    tx,
  )
  if (rows.length < wanted.length) throw new AppError('tag_not_found')
}

/** Gives a subscriber these tags and no others. @throws AppError tag_not_found, too_many_tags */
export async function setTags(
  tx: Db,
  { newsletterId, subscriberId }: { newsletterId: string; subscriberId: string },
  tagIds: number[],
): Promise<void> {
  const maximum = segmentLimits.tagsOfSubscriber
  if (new Set(tagIds).size > maximum) throw new AppError('too_many_tags', { params: { maximum } })
  await requireTags(tx, newsletterId, tagIds)
  await sql`
    delete from subscriber_tag where newsletter_id = ${newsletterId} and subscriber_id = ${subscriberId}
      and tag_id <> all(${tagIds}::integer[])`.execute(tx)
  await sql`
    insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
    select distinct ${newsletterId}, tag_id, ${subscriberId}::uuid from unnest(${tagIds}::integer[]) as wanted (tag_id)
    on conflict do nothing`.execute(tx)
}

/** Gives a tag to many subscribers. Who has as many as they can have stays without. @returns the ids of those who got it */
export async function giveTag(tx: Db, { newsletterId, tagId }: TagKey, subscriberIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
    select s.newsletter_id, ${tagId}, s.id from subscriber s
    where s.newsletter_id = ${newsletterId} and s.id = any(${subscriberIds}::uuid[])
      and (select count(*) from subscriber_tag t where t.newsletter_id = ${newsletterId} and t.subscriber_id = s.id)
        < ${segmentLimits.tagsOfSubscriber}
    order by s.id on conflict do nothing returning subscriber_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Takes a tag off many subscribers. @returns the ids of those who had it */
export async function takeTag(tx: Db, { newsletterId, tagId }: TagKey, subscriberIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from subscriber_tag where newsletter_id = ${newsletterId} and tag_id = ${tagId}
      and subscriber_id = any(${subscriberIds}::uuid[]) returning subscriber_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The tags of some subscribers, by name. */
export async function tagsOfMany(
  db: Db,
  newsletterId: string,
  subscriberIds: string[],
): Promise<Map<string, { id: number; name: string }[]>> {
  const { rows } = await sql<{ subscriberId: string; id: number; name: string }>`
    select st.subscriber_id as "subscriberId", t.id, t.name from subscriber_tag st
    join tag t on t.newsletter_id = st.newsletter_id and t.id = st.tag_id
    where st.newsletter_id = ${newsletterId} and st.subscriber_id = any(${subscriberIds}::uuid[])
    order by lower(t.name), t.id`.execute(db)
  return Map.groupBy(rows, ({ subscriberId }) => subscriberId)
}

/** The tags of one subscriber, by name. */
export async function tagsOf(
  db: Db,
  { newsletterId, subscriberId }: { newsletterId: string; subscriberId: string },
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select t.id, t.name from subscriber_tag st
    join tag t on t.newsletter_id = st.newsletter_id and t.id = st.tag_id
    where st.newsletter_id = ${newsletterId} and st.subscriber_id = ${subscriberId}
    order by lower(t.name), t.id`.execute(db)
  return rows
}
