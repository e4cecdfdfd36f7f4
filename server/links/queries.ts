import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { containing } from '../database/containing.ts'
import type { Link } from './click.ts'
import { keptSince } from './kept-since.ts'
import { leadsTo } from './leads-to.ts'

/** A link with its clicks, as the list shows it. */
export interface CountedLink extends Omit<Link, 'canary' | 'privacy'> {
  name: string
  position: number | null
  createdAt: Date
  raw: number
  human: number
  people: number | null
}

const links = sql`
  select l.id, l.newsletter_id as "newsletterId", n.click_privacy as privacy, l.publication_id as "publicationId", ${leadsTo('l')} as target,
    l.expires_at as "expiresAt", l.disabled_at as "disabledAt", l.fallback, l.canary
  from short_link l join newsletter n on n.id = l.newsletter_id`

/** The link of each id, in their order; null where there is none. */
export async function findLinks(db: Db, ids: string[]): Promise<(Link | null)[]> {
  const { rows } = await sql<Link>`${links} where l.id = any(${ids}::text[])`.execute(db)
  const found = new Map(rows.map((link) => [link.id, link]))
  return ids.map((id) => found.get(id) ?? null)
}

/** Links of the last three months, by their id: at most `limit` that follow `after`. */
export async function listYoungLinks(db: Db, after: string, limit: number): Promise<Link[]> {
  const { rows } = await sql<Link>`
    ${links} where l.id > ${after} and l.created_at > now() - interval '3 months' order by l.id limit ${limit}`.execute(
    db,
  )
  return rows
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
const countedLinks = (db: Db, newsletterId: string) => {
  const isKnown = keptSince(newsletterId, { what: 'clickers', began: sql`short_link.created_at` })
  const people = sql<number | null>`case when ${isKnown} then coalesce(k.people, 0)::integer end`
  return db
    .selectFrom('short_link')
    .innerJoinLateral(
      (join) =>
        join
          .selectFrom('link_clicks_by_source as s')
          .whereRef('s.short_link_id', '=', 'short_link.id')
          .whereRef('s.newsletter_id', '=', 'short_link.newsletter_id')
          .select([
            sql<number>`coalesce(sum(s.raw), 0)::integer`.as('raw'),
            sql<number>`coalesce(sum(s.human), 0)::integer`.as('human'),
          ])
          .as('clicks'),
      (on) => on.onTrue(),
    )
    .leftJoin('link_people as k', (on) =>
      on.onRef('k.short_link_id', '=', 'short_link.id').onRef('k.newsletter_id', '=', 'short_link.newsletter_id'),
    )
    .select([
      'short_link.id',
      'short_link.newsletter_id as newsletterId',
      'publication_id as publicationId',
      leadsTo('short_link').as('target'),
      'name',
    ])
    .select(['expires_at as expiresAt', 'position', 'created_at as createdAt', 'disabled_at as disabledAt', 'fallback'])
    .select(['clicks.raw', 'clicks.human', people.as('people')])
    .where('short_link.newsletter_id', '=', newsletterId)
    .where('canary', '=', false)
}

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
  const part = containing(search ?? '')
  const query = countedLinks(db, newsletterId)
    .limit(limit)
    .where('tested', '=', false)
    .$if(own === true, (q) => q.where('publication_id', 'is', null))
    .$if(Boolean(search), (q) =>
      q.where(sql<SqlBool>`(name ~* ${part} or short_link.id ~* ${part} or target ~* ${part})`),
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
