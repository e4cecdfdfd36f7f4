import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { type ErasedSubscribers, heldOfSubscriber, type SubscriberSubject } from '../personal-data/holding.ts'

const findByAddress =
  (column: 'buyer_email' | 'recipient_email') =>
  ({ email, emailNormalised }: SubscriberSubject) =>
    sql<boolean>`lower(${sql.ref(column)}) in (${email.toLowerCase()}, ${emailNormalised})`

const addressesOf = ({ emails, normalised }: ErasedSubscribers) => [
  ...new Set([...emails.map((email) => email.toLowerCase()), ...normalised]),
]

/** What was paid stays in the books without its person. Their subscriptions are ended before (`endSubscriptionsOf`). */
export const chargeSubscriberData = [
  heldOfSubscriber({
    table: 'subscription',
    person: 'subscriber_id',
    exported: [
      'id',
      'plan_id',
      'way',
      'status',
      'currency',
      'amount',
      'discount',
      'period',
      'started_at',
      'trial_until',
      'paid_until',
      'renews',
      'past_due_since',
      'paused_at',
      'resumes_at',
      'ended_at',
      'cancelled_at',
      'cancel_reason',
      'note',
      'publication_id',
      'source',
      'stripe_id',
      'stripe_discounts',
    ],
    erase: 'set null',
  }),
  heldOfSubscriber({
    table: 'stripe_customer',
    person: 'subscriber_id',
    exported: ['stripe_id', 'test'],
    erase: 'set null',
  }),
  heldOfSubscriber({
    table: 'entitlement',
    person: 'subscriber_id',
    exported: ['plan_id', 'until'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'reader_session',
    person: 'subscriber_id',
    exported: ['device', 'created_at', 'seen_at'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'gift_order',
    person: 'buyer_email',
    find: findByAddress('buyer_email'),
    exported: [
      'id',
      'plan_id',
      'months',
      'buyer_email',
      'recipient_email',
      'recipient_name',
      'message',
      'mail_at',
      'created_at',
      'paid_at',
      'stripe_id',
    ],
    erase: (tx: Db, erased) =>
      tx
        .updateTable('gift_order')
        .set({ buyer_email: null, message: '' })
        .where('newsletter_id', '=', erased.newsletterId)
        .where(sql<string>`lower(buyer_email)`, 'in', addressesOf(erased))
        .execute(),
  }),
  heldOfSubscriber({
    table: 'gift_order',
    person: 'recipient_email',
    find: findByAddress('recipient_email'),
    // Who gives it is for the giver to say.
    exported: [
      'id',
      'plan_id',
      'months',
      'recipient_email',
      'recipient_name',
      'message',
      'mail_at',
      'recipient_mailed_at',
    ],
    erase: (tx: Db, erased) =>
      tx
        .updateTable('gift_order')
        .set({ recipient_email: null, recipient_name: '', message: '' })
        .where('newsletter_id', '=', erased.newsletterId)
        .where(sql<string>`lower(recipient_email)`, 'in', addressesOf(erased))
        .execute(),
  }),
  heldOfSubscriber({
    table: 'payment',
    person: 'subscriber_id',
    exported: [
      'id',
      'subscription_id',
      'plan_id',
      'kind',
      'at',
      'currency',
      'amount',
      'tax',
      'country',
      'means',
      'period_from',
      'period_until',
      'refund_of',
      'note',
      'stripe_id',
    ],
    erase: 'set null',
  }),
]
