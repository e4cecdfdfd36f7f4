import { sql } from 'kysely'
import { heldOfSubscriber, type SubscriberSubject } from '../../personal-data/holding.ts'
import { objectsOf } from './forget.job.ts'

const findIn =
  (table: 'payment_event' | 'stripe_difference') =>
  ({ newsletterId, subscriberId }: SubscriberSubject) =>
    sql<boolean>`object_id in (${objectsOf([subscriberId], newsletterId, table)})`
const erase = { kept: 'what Stripe said and of whom was forgotten before (`forgetEventsOf`)' }

/** What Stripe says of its customers. Its words are kept for some days only. */
export const paymentEventSubscriberData = [
  heldOfSubscriber({
    table: 'payment_event',
    person: 'customer',
    find: findIn('payment_event'),
    exported: ['id', 'type', 'object_id', 'stated_at', 'received_at', 'status', 'body'],
    erase,
  }),
  heldOfSubscriber({
    table: 'stripe_difference',
    person: 'customer',
    find: findIn('stripe_difference'),
    exported: ['object_id', 'changes', 'stated_at', 'body'],
    erase,
  }),
]
