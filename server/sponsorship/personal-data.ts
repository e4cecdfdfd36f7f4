import { sql } from 'kysely'
import { heldOfSubscriber, heldOfUser } from '../personal-data/holding.ts'

/** Who stands for a sponsor may be a subscriber too. The business and what it paid stay in the books without its person. */
export const sponsorshipSubscriberData = [
  heldOfSubscriber({
    table: 'booking',
    person: 'email',
    find: ({ email, emailNormalised }) => sql`lower(email) in (${email.toLowerCase()}, ${emailNormalised})`,
    exported: ['id', 'sponsor', 'contact', 'email', 'language', 'message', 'day', 'state', 'requested_at'],
    erase: (tx, { newsletterId, emails, normalised }) =>
      tx
        .updateTable('booking')
        .set({ email: null, contact: '', message: '' })
        .where('newsletter_id', '=', newsletterId)
        .where(sql<string>`lower(email)`, 'in', [...emails.map((email) => email.toLowerCase()), ...normalised])
        .execute(),
  }),
]

/** Who did what with a booking stays in its history without them. */
export const sponsorshipUserData = [
  heldOfUser({
    table: 'booking_step',
    person: 'user_id',
    exported: ['newsletter_id', 'booking_id', 'at', 'act', 'words'],
    erase: 'set null',
    merge: 'move',
  }),
]
