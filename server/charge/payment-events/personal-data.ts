import { sql } from 'kysely'
import { heldOfSubscriber, type SubscriberSubject } from '../../personal-data/holding.ts'
import { customersOf } from './forget.job.ts'

const find = ({ newsletterId, subscriberId }: SubscriberSubject) =>
  sql<boolean>`customer in (${customersOf([subscriberId], newsletterId)})`
const erase = { kept: 'what Stripe said and of whom was forgotten before (`forgetEventsOf`)' }

/** What Stripe says of its customers. Its words are kept for some days only. */
export const paymentEventSubscriberData = [
  heldOfSubscriber({
    table: 'payment_event',
    person: 'customer',
    find,
    exported: ['id', 'type', 'object_id', 'stated_at', 'received_at', 'status', 'body'],
    erase,
  }),
  heldOfSubscriber({
    table: 'stripe_difference',
    person: 'customer',
    find,
    exported: ['object_id', 'changes', 'stated_at', 'body'],
    erase,
  }),
]
