import type { Db } from '../database/client.ts'
import { type ErasedSubscribers, heldOfSubscriber } from '../personal-data/holding.ts'

/** Takes people off their clicks, with which a trigger forgets in what they clicked. */
const forgetClicker = (tx: Db, { newsletterId, subscriberIds }: ErasedSubscribers) =>
  tx
    .updateTable('click')
    .set({ subscriber_id: null })
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', 'in', subscriberIds)
    .execute()

// Clicks in `click_waiting` are moved to `click` within a minute, and then of people who are gone nobody is named.
export const linkSubscriberData = [
  heldOfSubscriber({
    table: 'click',
    person: 'subscriber_id',
    exported: ['at', 'short_link_id', 'publication_id', 'device', 'excluded_by', 'referrer', 'country'],
    erase: forgetClicker,
    deletedWithNewsletter: true,
  }),
  heldOfSubscriber({
    table: 'link_clicker',
    person: 'subscriber_id',
    exported: ['short_link_id'],
    erase: forgetClicker,
    deletedWithNewsletter: true,
  }),
  heldOfSubscriber({
    table: 'publication_clicker',
    person: 'subscriber_id',
    exported: ['publication_id'],
    erase: forgetClicker,
    deletedWithNewsletter: true,
  }),
]
