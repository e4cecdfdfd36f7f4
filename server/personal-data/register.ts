import { analyticsUserData } from '../analytics/personal-data.ts'
import { auditUserData } from '../audit/personal-data.ts'
import { optInSubscriberData } from '../campaigns/opt-in/personal-data.ts'
import { recommendationSubscriberData } from '../campaigns/recommendations/personal-data.ts'
import { paymentEventSubscriberData } from '../charge/payment-events/personal-data.ts'
import { chargeSubscriberData } from '../charge/personal-data.ts'
import { feedbackSubscriberData } from '../feedback/personal-data.ts'
import { identityUserData } from '../identity/personal-data.ts'
import { linkSubscriberData } from '../links/personal-data.ts'
import { mediaUserData } from '../media/personal-data.ts'
import { newsletterUserData } from '../newsletters/personal-data.ts'
import { publicationUserData } from '../publications/personal-data.ts'
import { sendingSubscriberData } from '../sending/personal-data.ts'
import { sponsorshipSubscriberData, sponsorshipUserData } from '../sponsorship/personal-data.ts'
import { subscriberData, subscriberUserData } from '../subscribers/personal-data.ts'
import type { SubscriberHolding, UserHolding } from './holding.ts'

/**
 * Everything that our tables hold of people. Erasing, merging a guest into an account and exporting read it, and a test
 * compares it with the database's catalogue. Erasing and exporting also read the mails in the job queue, where one that
 * no relay took stays (`sending/queued-mail.ts`). Nothing removes a person from the files of the outbox, which keeps the
 * newest 1,000 caught mails, from logs, or from backups (`docs/operating.md`).
 */

/** The subscriber comes first: erasing locks their row before all others. */
export const heldOfSubscribers: readonly SubscriberHolding[] = [
  ...subscriberData,
  ...sendingSubscriberData,
  ...feedbackSubscriberData,
  ...linkSubscriberData,
  ...optInSubscriberData,
  ...recommendationSubscriberData,
  ...chargeSubscriberData,
  ...paymentEventSubscriberData,
  ...sponsorshipSubscriberData,
]

export const heldOfUsers: readonly UserHolding[] = [
  ...newsletterUserData,
  ...publicationUserData,
  ...mediaUserData,
  ...analyticsUserData,
  ...auditUserData,
  ...subscriberUserData,
  ...sponsorshipUserData,
  ...identityUserData,
]
