import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { proveDeliveries } from '../sending/delivery-state.ts'
import type { Agents } from './agents.ts'
import type { Click, Link } from './click.ts'
import { RULES_VERSION } from './human.ts'

/** A link with its clicks, as the list shows it. */
export interface CountedLink extends Omit<Link, 'canary'> {
  name: string
  position: number | null
  createdAt: Date
  raw: number
  human: number
  people: number
}

/** The link of each id, in their order; null where there is none. */
export async function findLinks(db: Db, ids: string[]): Promise<(Link | null)[]> {
  const rows = await db
    .selectFrom('short_link')
    .select([
      'id',
      'newsletter_id as newsletterId',
      'publication_id as publicationId',
      'target',
      'expires_at as expiresAt',
      'disabled_at as disabledAt',
      'fallback',
      'canary',
    ])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute()
  const links = new Map(rows.map((link) => [link.id, link]))
  return ids.map((id) => links.get(id) ?? null)
}

/** So many clicks at once, or more, are put down first, and counted together a moment later. */
const UNDER_LOAD = 16

/**
 * Stores any number of clicks in one statement: with arrays, 5,000 clicks need the same plan and round trip as one. Anybody
 * can write another id into an address, so a subscriber is stored only when they belong to the link's own newsletter, and it keeps who
 * clicks.
 *
 * @returns the newsletters that have new clicks, none of those that count no clicks; and whether they wait to be counted (`moveWaitingClicks`)
 */
export async function insertClicks(
  db: Db,
  agents: Agents,
  clicks: Click[],
): Promise<{ newsletterIds: string[]; wait: boolean }> {
  const agentIds = await agents.idsOf(clicks.map(({ agent }) => agent))
  const wait = clicks.length >= UNDER_LOAD
  const { rows } = await sql<{ id: string }>`
    with stored as (
    insert into ${sql.table(wait ? 'click_waiting' : 'click')} (${columns})
    select c.newsletter_id, c.short_link_id, c.publication_id,
      case when n.click_privacy = 'person' then
        (select s.id from subscriber s where s.newsletter_id = c.newsletter_id and s.id = c.subscriber_id) end,
      c.at, c.excluded_by, c.device, c.agent_id, c.signs, ${RULES_VERSION}, c.referrer, c.country
    from unnest(
      ${clicks.map((click) => click.newsletterId)}::text[],
      ${clicks.map((click) => click.shortLinkId)}::text[],
      ${clicks.map((click) => click.publicationId)}::text[],
      ${clicks.map((click) => click.subscriberId)}::uuid[],
      ${clicks.map((click) => click.at)}::timestamptz[],
      ${clicks.map((click) => click.excludedBy)}::text[],
      ${clicks.map((click) => click.device)}::text[],
      ${agentIds}::integer[],
      ${clicks.map((click) => click.signs)}::smallint[],
      ${clicks.map((click) => click.referrer)}::text[],
      ${clicks.map((click) => click.country)}::text[]
    ) as c (newsletter_id, short_link_id, publication_id, subscriber_id, at, excluded_by, device, agent_id, signs, referrer, country)
    join newsletter n on n.id = c.newsletter_id and n.click_privacy <> 'off'
    returning newsletter_id
    )
    select distinct newsletter_id as id from stored`.execute(db)
  await proveDeliveries(db, 'proved_by_click', clicks.flatMap(provenBy))
  return { newsletterIds: rows.map(({ id }) => id), wait }
}

const columns = sql.raw(
  'newsletter_id, short_link_id, publication_id, subscriber_id, at, excluded_by, device, agent_id, signs, rules, referrer, country',
)

/**
 * Moves at most `limit` of the clicks that wait to where triggers count them. What changed since they came holds: nobody is named whom a
 * newsletter does not keep any more.
 *
 * @returns how many waited, and the newsletters that have new clicks
 */
export async function moveWaitingClicks(db: Db, limit: number): Promise<{ moved: number; newsletterIds: string[] }> {
  const { rows } = await sql<{ moved: number; newsletterIds: string[] | null }>`
    with taken as (
      delete from click_waiting where ctid = any(array(select ctid from click_waiting limit ${limit} for update skip locked)) returning *
    ), stored as (
      insert into click (${columns})
      select t.newsletter_id, short_link_id, publication_id,
        case when n.click_privacy = 'person' then
          (select s.id from subscriber s where s.newsletter_id = t.newsletter_id and s.id = t.subscriber_id) end,
        at, excluded_by, device, agent_id, signs, rules, referrer, country
      from taken t join newsletter n on n.id = t.newsletter_id
    )
    select count(*)::integer as moved, array_agg(distinct newsletter_id) as "newsletterIds" from taken`.execute(db)
  return { moved: rows[0]?.moved ?? 0, newsletterIds: rows[0]?.newsletterIds ?? [] }
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
  name: string
  target: string
  expiresAt: string | null
  fallback: string | null
}

export async function insertLink(
  db: Db,
  newsletterId: string,
  { id, name, target, expiresAt, fallback }: NewLink,
): Promise<void> {
  const values = { newsletter_id: newsletterId, id, name, target, expires_at: expiresAt, fallback }
  await db.insertInto('short_link').values(values).execute()
}

interface LinkKey {
  newsletterId: string
  linkId: string
}

type LinkChange = { [Value in Exclude<keyof NewLink, 'id'>]?: NewLink[Value] | undefined } & {
  disabled?: boolean | undefined
}

/** What is left out stays as it is. A link that is disabled already keeps the time since when. */
export async function changeLink(
  db: Db,
  { newsletterId, linkId }: LinkKey,
  { name, target, expiresAt, fallback, disabled }: LinkChange,
): Promise<void> {
  await db
    .updateTable('short_link')
    .set({
      // Of nothing else, an update needs one value.
      id: linkId,
      ...(name !== undefined && { name }),
      ...(target !== undefined && { target }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(fallback !== undefined && { fallback }),
      ...(disabled !== undefined && { disabled_at: disabled ? sql<Date>`coalesce(disabled_at, now())` : null }),
    })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', linkId)
    .execute()
}

/** Links with what triggers have counted of their clicks. */
const countedLinks = (db: Db, newsletterId: string) =>
  db
    .selectFrom('short_link')
    .leftJoinLateral(
      (join) =>
        join
          .selectFrom('link_result as r')
          .whereRef('r.newsletter_id', '=', 'short_link.newsletter_id')
          .whereRef('r.short_link_id', '=', 'short_link.id')
          .select([
            sql<number>`r.raw::integer`.as('raw'),
            sql<number>`r.human::integer`.as('human'),
            sql<number>`r.people::integer`.as('people'),
          ])
          .as('clicks'),
      (on) => on.onTrue(),
    )
    .select(['short_link.id', 'newsletter_id as newsletterId', 'publication_id as publicationId', 'target', 'name'])
    .select(['expires_at as expiresAt', 'position', 'created_at as createdAt', 'disabled_at as disabledAt', 'fallback'])
    .select((e) => [e.fn.coalesce('raw', sql.lit(0)).as('raw'), e.fn.coalesce('human', sql.lit(0)).as('human')])
    .select((e) => e.fn.coalesce('people', sql.lit(0)).as('people'))
    .where('newsletter_id', '=', newsletterId)
    .where('canary', '=', false)

export async function findCountedLink(db: Db, newsletterId: string, linkId: string): Promise<CountedLink | null> {
  return (await countedLinks(db, newsletterId).where('short_link.id', '=', linkId).executeTakeFirst()) ?? null
}

interface LinkSelection {
  publicationId?: string | undefined
  /** Only those that were made by themselves, for no publication. */
  own?: boolean | undefined
  /** A part of the name, the address or the target. */
  search?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** All links, newest first, or those of one publication in reading order. The page begins after the link `cursor`. */
export async function listLinks(
  db: Db,
  newsletterId: string,
  { publicationId, own, search, cursor, limit }: LinkSelection,
): Promise<CountedLink[]> {
  const last = sql`select created_at, id from short_link where newsletter_id = ${newsletterId} and id = ${cursor ?? null}`
  const part = `%${(search ?? '').toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const query = countedLinks(db, newsletterId)
    .limit(limit)
    .$if(own === true, (q) => q.where('publication_id', 'is', null))
    .$if(Boolean(search), (q) =>
      q.where(
        sql<SqlBool>`(lower(name) like ${part} or lower(short_link.id) like ${part} or lower(target) like ${part})`,
      ),
    )
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
