import { heldOfSubscriber } from '../personal-data/holding.ts'

export const feedbackSubscriberData = [
  heldOfSubscriber({
    table: 'feedback',
    person: 'subscriber_id',
    exported: ['publication_id', 'at', 'kind', 'source', 'status', 'words', 'suppressed'],
    erase: (tx, { newsletterId, subscriberIds }) =>
      tx
        .updateTable('feedback')
        .set({ words: '' })
        .where('newsletter_id', '=', newsletterId)
        .where('subscriber_id', 'in', subscriberIds)
        .execute(),
  }),
]
