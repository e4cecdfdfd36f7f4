import { sql } from 'kysely'
import { heldOfSubscriber } from '../personal-data/holding.ts'

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
