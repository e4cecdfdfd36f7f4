import { heldOfSubscriber } from '../../personal-data/holding.ts'

/** Who came by a recommendation is counted after fourteen days, also once they were erased: as gone. */
export const recommendationSubscriberData = [
  heldOfSubscriber({
    table: 'recommendation_yes',
    person: 'subscriber_id',
    exported: ['from_newsletter_id', 'campaign_id', 'at'],
    erase: 'set null',
  }),
  heldOfSubscriber({
    table: 'recommendation_asked',
    person: 'subscriber_id',
    exported: ['from_newsletter_id', 'campaign_id'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'recommendation_choice',
    person: 'subscriber_id',
    exported: ['campaign_id', 'at'],
    erase: 'cascade',
  }),
  heldOfSubscriber({
    table: 'arrival',
    person: 'subscriber_id',
    exported: ['origin', 'from_id'],
    erase: 'cascade',
  }),
]
