import { sql } from 'kysely'
import { heldOfSubscriber, heldOfUser } from '../personal-data/holding.ts'
import { removeSubscribers } from './change.ts'
import { isOfImport } from './import/proof.ts'

export const subscriberData = [
  heldOfSubscriber({
    table: 'subscriber',
    person: 'id',
    exported: [
      'id',
      'email',
      'email_normalised',
      'name',
      'language',
      'status',
      'source',
      'created_at',
      'asked_at',
      'confirmed_at',
      'left_at',
      'left_reason',
      'paused_until',
      'pace',
      'pace_at',
      'fields',
      'changed_at',
    ],
    erase: removeSubscribers,
  }),
  heldOfSubscriber({
    table: 'consent',
    person: 'subscriber_id',
    exported: [
      'id',
      'at',
      'act',
      'purpose',
      'wording',
      'wording_version',
      'language',
      'means',
      'proof',
      'beneficiary_name',
      'network',
      'salt',
    ],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'receipt_chain',
    person: 'receipt_id',
    find: ({ newsletterId, subscriberId }) => sql`receipt_id in (select id from consent
      where newsletter_id = ${newsletterId} and subscriber_id = ${subscriberId})`,
    exported: ['receipt_id', 'position', 'leaf', 'hash'],
    erase: { kept: 'without the receipt it is a hash of nobody, with which the chain of the others fits together' },
  }),
  heldOfSubscriber({
    table: 'subscriber_tag',
    person: 'subscriber_id',
    exported: ['tag_id'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'subscriber_note',
    person: 'subscriber_id',
    exported: ['at', 'text'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'subscriber_edit',
    person: 'subscriber_id',
    exported: ['at', 'given', 'taken', 'fields'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'confirmation_mail',
    person: 'subscriber_id',
    exported: ['queued_at', 'due_at', 'attempts', 'reads'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'newcomer',
    person: 'subscriber_id',
    exported: ['subscriber_id'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'welcomed',
    person: 'subscriber_id',
    exported: ['segment_id', 'at'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'passed_over',
    person: 'subscriber_ids',
    find: ({ subscriberId }) => sql`${subscriberId} = any(subscriber_ids)`,
    exported: ['segment_id'],
    erase: (tx, { newsletterId, subscriberIds }) =>
      sql`
      with listed as (
        select o.segment_id, o.id from passed_over o where o.newsletter_id = ${newsletterId}
          and exists (select from unnest(o.subscriber_ids) m (id) where m.id = any(${subscriberIds}::uuid[]))
        -- A row that is being written leaves out who is gone, and goes itself.
        for update skip locked
      )
      update passed_over o set subscriber_ids = array(
        select m.id from unnest(o.subscriber_ids) with ordinality m (id, place)
        where m.id <> all(${subscriberIds}::uuid[]) order by m.place)
      from listed l where o.newsletter_id = ${newsletterId} and o.segment_id = l.segment_id and o.id = l.id`.execute(
        tx,
      ),
  }),
  heldOfSubscriber({
    table: 'digest_item',
    person: 'subscriber_id',
    exported: ['publication_id', 'at', 'digested_at'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'suppression',
    person: 'email_normalised',
    find: ({ emailNormalised }) => sql`email_normalised = ${emailNormalised}`,
    exported: ['email_normalised', 'reason', 'detail', 'answer', 'publication_id', 'at'],
    erase: { kept: 'a keyed hash of the address takes its place before (erased-addresses.ts)' },
  }),
  heldOfSubscriber({
    table: 'lifted_suppression',
    person: 'subscriber_id',
    exported: ['reason', 'detail', 'publication_id', 'suppressed_at', 'lifted_at'],
    erase: (tx, { newsletterId, subscriberIds }) =>
      tx
        .deleteFrom('lifted_suppression')
        .where('newsletter_id', '=', newsletterId)
        .where('subscriber_id', 'in', subscriberIds)
        .execute(),
  }),
  heldOfSubscriber({
    table: 'import',
    person: 'id',
    find: ({ newsletterId, subscriberId }) => sql`id in (select i.id from consent c
      join import i on i.newsletter_id = c.newsletter_id and ${isOfImport}
      where c.newsletter_id = ${newsletterId} and c.subscriber_id = ${subscriberId})`,
    exported: ['file_name', 'finished_at'],
    erase: { kept: 'without the receipts of the people whom it brought it names nobody' },
  }),
  heldOfSubscriber({
    table: 'import_row',
    person: 'email_normalised',
    find: ({ emailNormalised }) => sql`email_normalised = ${emailNormalised}`,
    exported: [
      'line',
      'email',
      'email_normalised',
      'name',
      'language',
      'status',
      'subscriber_id',
      'created_at',
      'joined_at',
      'left_at',
      'fields',
      'tags',
    ],
    erase: (tx, { newsletterId, normalised }) =>
      tx
        .deleteFrom('import_row')
        .where('newsletter_id', '=', newsletterId)
        .where('email_normalised', 'in', normalised)
        .execute(),
    deletedWithNewsletter: true,
  }),
  heldOfSubscriber({
    table: 'import_refusal',
    person: 'cell',
    find: ({ email, emailNormalised }) => sql`lower(cell) in (${email.toLowerCase()}, ${emailNormalised})`,
    exported: ['line', 'reason', 'cell'],
    erase: (tx, { newsletterId, emails, normalised }) =>
      sql`
      delete from import_refusal where newsletter_id = ${newsletterId}
        and lower(cell) = any(select lower(email) from unnest(${[...emails, ...normalised]}::text[]) as one (email))`.execute(
        tx,
      ),
  }),
  heldOfSubscriber({
    table: 'event',
    person: 'subscriber_id',
    exported: ['at', 'kind', 'publication_id', 'reason'],
    erase: (tx, { newsletterId, subscriberIds }) =>
      sql`
      update event set subscriber_id = null, reason = null
      where newsletter_id = ${newsletterId} and subscriber_id = any(${subscriberIds}::uuid[])`.execute(tx),
    deletedWithNewsletter: true,
  }),
  heldOfSubscriber({
    table: 'bulk_change_subscriber',
    person: 'subscriber_id',
    exported: ['changed', 'status', 'paused_until', 'left_at'],
    erase: (tx, { newsletterId, subscriberIds }) =>
      sql`
      delete from bulk_change_subscriber b using bulk_change c
      where c.newsletter_id = ${newsletterId} and b.newsletter_id = ${newsletterId} and b.bulk_change_id = c.id
        and b.subscriber_id = any(${subscriberIds}::uuid[])`.execute(tx),
    deletedWithNewsletter: true,
  }),
]

export const subscriberUserData = [
  heldOfUser({
    table: 'import',
    person: 'created_by',
    exported: ['newsletter_id', 'id', 'file_name', 'state', 'created_at', 'finished_at'],
    erase: 'set null',
    merge: 'move',
  }),
  heldOfUser({
    table: 'subscriber_note',
    person: 'user_id',
    exported: ['newsletter_id', 'at', 'text'],
    erase: 'set null',
    merge: 'move',
  }),
  heldOfUser({
    table: 'subscriber_edit',
    person: 'user_id',
    exported: ['newsletter_id', 'at', 'given', 'taken', 'fields'],
    erase: 'set null',
    merge: 'move',
  }),
  heldOfUser({
    table: 'bulk_change',
    person: 'user_id',
    exported: ['newsletter_id', 'created_at', 'act', 'total', 'changed'],
    erase: 'set null',
    merge: 'move',
  }),
]
