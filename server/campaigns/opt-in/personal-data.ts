import { heldOfSubscriber } from '../../personal-data/holding.ts'

/** A yes still counts once its person was erased, so that the places of a campaign are counted right. */
export const optInSubscriberData = [
  heldOfSubscriber({
    table: 'opt_in',
    person: 'subscriber_id',
    exported: [
      'campaign_id',
      'short_link_id',
      'version',
      'language',
      'confirmed_at',
      'undone_at',
      'passed_at',
      'subscribed',
      'tagged',
    ],
    erase: 'set null',
  }),
]
