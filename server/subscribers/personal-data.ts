import { sql } from 'kysely'
import { heldOfSubscriber } from '../personal-data/holding.ts'
import { removeSubscriber } from './change.ts'

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
    ],
    erase: (tx, subject) => removeSubscriber(tx, subject),
  }),
  heldOfSubscriber({
    table: 'consent',
    person: 'subscriber_id',
    exported: ['at', 'act', 'purpose', 'wording', 'wording_version', 'language', 'means', 'network'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'suppression',
    person: 'email_normalised',
    find: ({ emailNormalised }) => sql`email_normalised = ${emailNormalised}`,
    exported: ['email_normalised', 'reason', 'detail', 'at'],
    erase: { kept: 'it keeps mail away from the address' },
  }),
  heldOfSubscriber({
    table: 'event',
    person: 'subscriber_id',
    exported: ['at', 'kind', 'publication_id'],
    erase: (tx, { newsletterId, subscriberId }) =>
      sql`
      update event set subscriber_id = null
      where newsletter_id = ${newsletterId} and subscriber_id = ${subscriberId}`.execute(tx),
    deletedWithNewsletter: true,
  }),
]
