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

export const linkSubscriberData = [
  // Before `click`, where they are when they were moved meanwhile.
  heldOfSubscriber({
    table: 'click_waiting',
    person: 'subscriber_id',
    exported: ['at', 'short_link_id', 'publication_id', 'device', 'excluded_by', 'referrer', 'country'],
    erase: (tx, { newsletterId, subscriberIds }) =>
      tx
        .updateTable('click_waiting')
        .set({ subscriber_id: null })
        .where('newsletter_id', '=', newsletterId)
        .where('subscriber_id', 'in', subscriberIds)
        .execute(),
    deletedWithNewsletter: true,
  }),
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
