import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { listOwn } from '../../charge/own/subscriptions.ts'
import type { Db } from '../../database/client.ts'
import type { DB } from '../../database/types.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { exportSubscriber } from '../../personal-data/export.ts'
import { tagsOf } from '../../segments/tags.ts'
import type { SubscriberKey } from '../change.ts'
import { listDeliveriesOf } from '../detail/deliveries.ts'
import { listReceipts, type SubscriberRow } from '../queries.ts'
import { receiptsOf } from '../receipts/download.ts'

/** What a subscriber reads on their own page. What is more is in the file that they download. */
export async function findKept(db: Db, { newsletter_id: newsletterId, id }: SubscriberRow, now: Date) {
  const [tags, fields, inFile, receipts, deliveries, subscriptions] = await Promise.all([
    tagsOf(db, { newsletterId, subscriberId: id }),
    findShownFields(db, { newsletterId, subscriberId: id }),
    countInFile(db, { newsletterId, subscriberId: id }),
    listReceipts(db, newsletterId, id),
    listDeliveriesOf(db, { newsletterId, subscriberId: id }),
    listOwn(db, { newsletterId, subscriberId: id }, now),
  ])
  return { tags, fields, inFile, receipts, deliveries, subscriptions }
}
export type Kept = Awaited<ReturnType<typeof findKept>>

/** The values of those custom fields that the owner shows, in the order of the fields. */
async function findShownFields(db: Db, { newsletterId, subscriberId }: SubscriberKey) {
  const { rows } = await sql<{ label: string; value: string | number | boolean }>`
    select f.label, s.fields -> f.key as value from custom_field f
    join subscriber s on s.newsletter_id = f.newsletter_id and s.id = ${subscriberId} and s.fields ? f.key
    where f.newsletter_id = ${newsletterId} and f.shown_to_subscriber order by f.id`.execute(db)
  return rows
}

/** How many fields that the owner keeps for themselves, and notes, the person finds in their file alone. */
async function countInFile(db: Db, { newsletterId, subscriberId }: SubscriberKey): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from custom_field f join subscriber s on s.newsletter_id = f.newsletter_id and s.fields ? f.key
        where s.newsletter_id = ${newsletterId} and s.id = ${subscriberId} and not f.shown_to_subscriber)
      + (select count(*) from subscriber_note n where n.newsletter_id = ${newsletterId} and n.subscriber_id = ${subscriberId}) as count`.execute(
    db,
  )
  return Number(rows[0]?.count ?? 0)
}

/**
 * Everything about a person, as a file: each table of the register, the names of what it names by numbers, and the receipts with what
 * verifies them.
 * @returns null when they have just been erased
 */
export async function everythingAbout(db: Kysely<DB>, newsletter: NewsletterRow, key: SubscriberKey) {
  const kept = await exportSubscriber(db, key)
  if (!kept) return null
  const [tags, publications, receipts] = await Promise.all([
    tagsOf(db, key),
    publicationsOf(db, key),
    receiptsOf(db, key),
  ])
  return { newsletter: { id: newsletter.id, name: newsletter.name }, kept, tags, publications, receipts }
}

async function publicationsOf(db: Db, { newsletterId, subscriberId }: SubscriberKey) {
  const { rows } = await sql<{ id: string; title: string }>`
    select p.id, p.title from publication p join delivery d on d.newsletter_id = p.newsletter_id and d.publication_id = p.id
    where d.newsletter_id = ${newsletterId} and d.subscriber_id = ${subscriberId} order by p.id`.execute(db)
  return rows
}
