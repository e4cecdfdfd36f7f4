import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { proveDeliveries } from '../sending/delivery-state.ts'
import type { Click, Link } from './click.ts'

/** A link with its clicks, as the list shows it. */
export interface CountedLink extends Link {
  position: number | null
  raw: number
  human: number
  people: number
}

export async function findLink(db: Db, id: string): Promise<Link | null> {
  const row = await db
    .selectFrom('short_link')
    .select([
      'id',
      'newsletter_id as newsletterId',
      'publication_id as publicationId',
      'target',
      'expires_at as expiresAt',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Stores any number of clicks in one statement: with arrays, 5,000 clicks need the same plan and round trip as one. Anybody
 * can write another id into an address, so a subscriber is stored only when they belong to the link's own newsletter, and it keeps who
 * clicks.
 *
 * @returns the newsletters that have new clicks: none of those that count no clicks
 */
export async function insertClicks(db: Db, clicks: Click[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with stored as (
    insert into click (newsletter_id, short_link_id, publication_id, subscriber_id, at, excluded_by, device)
    select c.newsletter_id, c.short_link_id, c.publication_id,
      case when n.click_privacy = 'person' then
        (select s.id from subscriber s where s.newsletter_id = c.newsletter_id and s.id = c.subscriber_id) end,
      c.at, c.excluded_by, c.device
    from unnest(
      ${clicks.map((click) => click.newsletterId)}::text[],
      ${clicks.map((click) => click.shortLinkId)}::text[],
      ${clicks.map((click) => click.publicationId)}::text[],
      ${clicks.map((click) => click.subscriberId)}::uuid[],
      ${clicks.map((click) => click.at)}::timestamptz[],
      ${clicks.map((click) => click.excludedBy)}::text[],
      ${clicks.map((click) => click.device)}::text[]
    ) as c (newsletter_id, short_link_id, publication_id, subscriber_id, at, excluded_by, device)
    join newsletter n on n.id = c.newsletter_id and n.click_privacy <> 'off'
    returning newsletter_id
    )
    select distinct newsletter_id as id from stored`.execute(db)
  await proveDeliveries(db, 'proved_by_click', clicks.flatMap(provenBy))
  return rows.map(({ id }) => id)
}

/** The delivery that a person's click shows to have arrived. */
const provenBy = ({ newsletterId, publicationId, subscriberId, excludedBy }: Click) =>
  publicationId && subscriberId && !excludedBy ? [{ newsletterId, publicationId, subscriberId }] : []

/** Notifies the owners of these newsletters of new clicks. */
export async function announceClicks(db: Db, newsletterIds: string[]): Promise<void> {
  await sql`select notify_live(id, 'clicks') from unnest(${newsletterIds}::text[]) as n (id)`.execute(db)
}

export interface NewLink {
  id: string
  target: string
  expiresAt: string | null
}

export async function insertLink(db: Db, newsletterId: string, { id, target, expiresAt }: NewLink): Promise<void> {
  const values = { newsletter_id: newsletterId, id, target, expires_at: expiresAt }
  await db.insertInto('short_link').values(values).execute()
}

/** All links, newest first, or those of one publication in reading order. The page begins after the link `cursor`. */
export async function listLinks(
  db: Db,
  newsletterId: string,
  { publicationId, cursor, limit }: { publicationId?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<CountedLink[]> {
  const last = sql`select created_at, id from short_link where newsletter_id = ${newsletterId} and id = ${cursor ?? null}`
  const query = db
    .selectFrom('short_link')
    .leftJoinLateral(
      (join) =>
        join
          .selectFrom('click')
          .whereRef('click.newsletter_id', '=', 'short_link.newsletter_id')
          .whereRef('click.short_link_id', '=', 'short_link.id')
          .select([
            sql<number>`count(*)`.as('raw'),
            sql<number>`count(*) filter (where excluded_by is null)`.as('human'),
            sql<number>`count(distinct subscriber_id) filter (where excluded_by is null)`.as('people'),
          ])
          .as('clicks'),
      (on) => on.onTrue(),
    )
    .select(['short_link.id', 'newsletter_id as newsletterId', 'publication_id as publicationId', 'target'])
    .select(['expires_at as expiresAt', 'position'])
    .select((e) => [e.fn.coalesce('raw', sql.lit(0)).as('raw'), e.fn.coalesce('human', sql.lit(0)).as('human')])
    .select((e) => e.fn.coalesce('people', sql.lit(0)).as('people'))
    .where('newsletter_id', '=', newsletterId)
    .limit(limit)
  if (publicationId === undefined) {
    return query
      .$if(cursor !== undefined, (q) => q.where(sql<SqlBool>`(created_at, short_link.id) < (${last})`))
      .orderBy('created_at', 'desc')
      .orderBy('short_link.id', 'desc')
      .execute()
  }
  return query
    .where('publication_id', '=', publicationId)
    .$if(cursor !== undefined, (q) =>
      q.where(sql<SqlBool>`position > (select position from short_link where id = ${cursor ?? null})`),
    )
    .orderBy('position')
    .execute()
}
