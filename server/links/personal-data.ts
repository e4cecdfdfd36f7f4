import { heldOfSubscriber } from '../personal-data/holding.ts'

export const linkSubscriberData = [
  heldOfSubscriber({
    table: 'click',
    person: 'subscriber_id',
    exported: ['at', 'short_link_id', 'publication_id', 'device', 'excluded_by'],
    erase: (tx, { newsletterId, subscriberId }) =>
      tx
        .updateTable('click')
        .set({ subscriber_id: null })
        .where('newsletter_id', '=', newsletterId)
        .where('subscriber_id', '=', subscriberId)
        .execute(),
    deletedWithNewsletter: true,
  }),
]
