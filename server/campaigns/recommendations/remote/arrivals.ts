import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../database/client.ts'
import type { SubscriberKey } from '../../../subscribers/change.ts'

/** Where somebody said to come from: a newsletter of a server. */
interface Arrival {
  origin: string
  id: string
}

const MAX_ORIGIN = 200
/** Of a newsletter. Those that come later are counted together. */
const MOST_ORIGINS = 100

/** Reads `?from=`, the address of a server with the id of a newsletter behind it. Null for anything else. */
export function readArrival(from: unknown): Arrival | null {
  if (typeof from !== 'string' || from.length > MAX_ORIGIN + 61 || !URL.canParse(from)) return null
  const { protocol, username, password, origin, pathname, search, hash } = new URL(from)
  const [, path = '', id] = /^((?:\/[\w.~-]+)*)\/([\w-]{1,60})$/.exec(pathname) ?? []
  if (!/^https?:$/.test(protocol) || username || password || search || hash || id === undefined) return null
  const server = `${origin}${path}`
  return server.length > MAX_ORIGIN ? null : { origin: server, id }
}

interface Asked {
  newsletterId: string
  normalised: string
  at: Date
  /** Whether a mail asks first. */
  confirms: boolean
}

/** Remembers where somebody who was just asked to confirm said to come from, and counts whoever is confirmed by that at once. Tells nothing of the address. */
export async function keepArrival(db: Db, { newsletterId, normalised, at, confirms }: Asked, { origin, id }: Arrival) {
  await sql`
    insert into arrival (newsletter_id, subscriber_id, origin, from_id)
    select newsletter_id, id, ${origin}, ${id} from subscriber
    where newsletter_id = ${newsletterId} and email_normalised = ${normalised}
      and (status <> 'active' or not ${confirms}::boolean and confirmed_at = ${at})
    on conflict (newsletter_id, subscriber_id) do update set origin = excluded.origin, from_id = excluded.from_id`.execute(
    db,
  )
  if (confirms) return
  const { rows } = await sql<{ id: string }>`
    select id from subscriber where newsletter_id = ${newsletterId} and email_normalised = ${normalised}
      and status = 'active' and confirmed_at = ${at}`.execute(db)
  // As many statements for everybody.
  await countArrival(db, { newsletterId, subscriberId: rows[0]?.id ?? randomUUID() }, at)
}

/** Counts where a subscriber who confirms came from, once, and forgets it. */
export async function countArrival(db: Db, { newsletterId, subscriberId }: SubscriberKey, at: Date): Promise<void> {
  await sql`
    with came as (
      delete from arrival where newsletter_id = ${newsletterId} and subscriber_id = ${subscriberId} returning origin, from_id
    ),
    named as (
      select case when known then origin else '' end as origin, case when known then from_id else '' end as from_id
      from (select origin, from_id,
        exists (select from arrival_count a where a.newsletter_id = ${newsletterId} and a.origin = came.origin and a.from_id = came.from_id)
          or (select count(*) from arrival_count a where a.newsletter_id = ${newsletterId}) < ${MOST_ORIGINS} as known
        from came) c
    )
    insert into arrival_count as a (newsletter_id, origin, from_id, confirmed, last_at)
    select ${newsletterId}, origin, from_id, 1, ${at} from named
    on conflict (newsletter_id, origin, from_id) do update set confirmed = a.confirmed + 1, last_at = excluded.last_at`.execute(
    db,
  )
}

/** How many confirmed who said to come from newsletters of other servers. Nobody has proven it. */
export async function arrivalsOf(db: Db, newsletterId: string) {
  const rows = await db
    .selectFrom('arrival_count')
    .select(['origin', 'from_id', 'confirmed', 'last_at'])
    .where('newsletter_id', '=', newsletterId)
    .orderBy('confirmed', 'desc')
    .orderBy('last_at', 'desc')
    .execute()
  return rows.map(({ origin, from_id: from, confirmed, last_at: at }) => ({
    from: origin === '' ? null : `${origin}/${from}`,
    confirmed,
    lastAt: at.toISOString(),
  }))
}
