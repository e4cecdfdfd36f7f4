import { analyticsUserData } from '../analytics/personal-data.ts'
import { feedbackSubscriberData } from '../feedback/personal-data.ts'
import { identityUserData } from '../identity/personal-data.ts'
import { linkSubscriberData } from '../links/personal-data.ts'
import { mediaUserData } from '../media/personal-data.ts'
import { newsletterUserData } from '../newsletters/personal-data.ts'
import { publicationUserData } from '../publications/personal-data.ts'
import { sendingSubscriberData } from '../sending/personal-data.ts'
import { subscriberData } from '../subscribers/personal-data.ts'
import type { SubscriberHolding, UserHolding } from './holding.ts'

/**
 * Everything that the database holds of people. Erasing, merging a guest into an account, forgetting and exporting all
 * read it; a test compares it with the database's catalogue. Mail that waits in the job queue or in the outbox is not
 * in it: it is gone once it is sent or the outbox is cleared.
 */

/** The subscriber comes first: erasing locks their row before all others. */
export const heldOfSubscribers: readonly SubscriberHolding[] = [
  ...subscriberData,
  ...sendingSubscriberData,
  ...feedbackSubscriberData,
  ...linkSubscriberData,
]

export const heldOfUsers: readonly UserHolding[] = [
  ...newsletterUserData,
  ...publicationUserData,
  ...mediaUserData,
  ...analyticsUserData,
  ...identityUserData,
]
