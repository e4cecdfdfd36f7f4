import { sql } from 'kysely'
import { heldOfSubscriber, heldOfUser } from '../personal-data/holding.ts'

/** Who stands for a sponsor may be a subscriber too. The business and what it paid stay in the books without its person. */
export const sponsorshipSubscriberData = [
  heldOfSubscriber({
    table: 'booking',
    person: 'email',
    find: ({ email, emailNormalised }) => sql`lower(email) in (${email.toLowerCase()}, ${emailNormalised})`,
    exported: ['id', 'sponsor', 'contact', 'email', 'language', 'message', 'day', 'state', 'requested_at'],
    erase: async (tx, { newsletterId, emails, normalised }) => {
      const theirs = sql<string>`lower(email)`
      const addresses = [...emails.map((email) => email.toLowerCase()), ...normalised]
      // What was noted may name its person, and is not what the books are kept for.
      await tx
        .updateTable('payment')
        .set({ note: '' })
        .where('newsletter_id', '=', newsletterId)
        .where('booking_id', 'in', (from) =>
          from
            .selectFrom('booking')
            .select('id')
            .where('newsletter_id', '=', newsletterId)
            .where(theirs, 'in', addresses),
        )
        .execute()
      await tx
        .updateTable('booking')
        .set({ email: null, contact: '', message: '', note: '' })
        .where('newsletter_id', '=', newsletterId)
        .where(theirs, 'in', addresses)
        .execute()
    },
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
