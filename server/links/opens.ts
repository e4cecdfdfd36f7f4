import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { GroupCommit } from '../database/group-commit.ts'
import { isTestRecipient, isUuid, uuidv7 } from '../database/ids.ts'
import { type PageRequest, page, type Route } from '../http/routes.ts'
import { proveDeliveries } from '../sending/delivery-state.ts'
import { insertEvents } from '../subscribers/change.ts'
import { closing } from './closing.ts'

interface Open {
  newsletterId: string
  publicationId: string
  /** Null: of the picture that is the same for everybody. */
  subscriberId: string | null
  /** ISO 8601. */
  at: string
  eventId: string
}

const ID = /^[\w-]{1,40}$/

/** One transparent pixel, GIF89a. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/**
 * Records the first opening of each delivery, with an event. Deliveries that do not exist, or were opened before, are
 * ignored. A newsletter that does not keep who opens counts each loading instead, or none. Opens are an estimate: some mail
 * programs load all pictures, and others load none.
 */
async function storeOpens(db: Db, opens: Open[]): Promise<undefined[]> {
  await sql`
    with loaded as (
      select f.*, n.open_privacy = 'person' and f.subscriber_id is not null as is_person from unnest(
        ${opens.map((open) => open.newsletterId)}::text[], ${opens.map((open) => open.publicationId)}::text[],
        ${opens.map((open) => open.subscriberId)}::uuid[], ${opens.map((open) => open.at)}::timestamptz[],
        ${opens.map((open) => open.eventId)}::uuid[]
      ) as f (newsletter_id, publication_id, subscriber_id, at, event_id)
      join newsletter n on n.id = f.newsletter_id and n.open_privacy <> 'off'
    ),
    fetched as (
      select distinct on (newsletter_id, publication_id, subscriber_id) * from loaded where is_person
    ),
    loadings as (
      insert into open_count as o (newsletter_id, publication_id, opened)
      select p.newsletter_id, p.id, count(*) from loaded l
      join publication p on p.newsletter_id = l.newsletter_id and p.id = l.publication_id
      where not l.is_person group by 1, 2 order by 1, 2
      on conflict (newsletter_id, publication_id) do update set opened = o.opened + excluded.opened
      returning newsletter_id
    ),
    opened as (
      update delivery d set opened_at = f.at from fetched f
      where d.newsletter_id = f.newsletter_id and d.publication_id = f.publication_id
        and d.subscriber_id = f.subscriber_id and d.opened_at is null
      returning d.newsletter_id, d.publication_id, d.sending_id, d.subscriber_id, f.at, f.event_id
    ),
    counted as (
      update delivery_count c set opened = c.opened + o.opens
      from (select newsletter_id, sending_id, count(*) as opens from opened group by 1, 2) o
      where c.newsletter_id = o.newsletter_id and c.sending_id = o.sending_id
    ),
    events as (${insertEvents('opened', 'opened')})
    select notify_live(newsletter_id, 'opens') from (
      select newsletter_id from opened union select newsletter_id from loadings
    ) changed`.execute(db)
  await proveDeliveries(
    db,
    'proved_by_open',
    opens.flatMap(({ subscriberId, ...open }) => (subscriberId === null ? [] : [{ ...open, subscriberId }])),
  )
  return opens.map(() => undefined)
}

/** The pixel in a publication's mail. It is sent at once, and the opening is stored afterwards. */
export function openRoutes({ db, log, now }: Context): Route[] {
  const opens = new GroupCommit<Open, undefined>((batch) => storeOpens(db, batch))

  const send = (
    request: PageRequest,
    reply: FastifyReply,
    open: Pick<Open, 'newsletterId' | 'publicationId' | 'subscriberId'>,
  ) => {
    const { newsletterId, publicationId, subscriberId } = open
    const isReader = subscriberId === null || (isUuid(subscriberId) && !isTestRecipient(subscriberId))
    if (request.method === 'GET' && ID.test(newsletterId) && ID.test(publicationId) && isReader) {
      const at = now()
      opens
        .add({ ...open, at: at.toISOString(), eventId: uuidv7(at.getTime()) })
        .catch((error: unknown) => log.warn({ err: error }, 'an opening was not stored'))
    }
    return reply.header('cache-control', 'no-store').type('image/gif').send(PIXEL)
  }

  return [
    closing(
      page('GET /o/:newsletterId/:publicationId/:subscriberId.gif', (request, reply) =>
        send(request, reply, request.params),
      ),
      () => opens.flush(),
    ),
    page('GET /o/:newsletterId/:publicationId.gif', (request, reply) =>
      send(request, reply, { ...request.params, subscriberId: null }),
    ),
  ]
}
