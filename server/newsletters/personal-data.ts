import { type SqlBool, sql } from 'kysely'
import { heldOfUser, type UserSubject } from '../personal-data/holding.ts'

/** Invitations keep an address as it was typed. */
const invitedAs = ({ email }: UserSubject) => sql<SqlBool>`lower(email) = ${email.toLowerCase()}`

export const newsletterUserData = [
  heldOfUser({
    table: 'member',
    person: 'user_id',
    exported: ['newsletter_id', 'role', 'created_at'],
    erase: 'cascade',
    merge: async (tx, guestId, userId) => {
      // Roles are in order, the strongest first.
      await sql`insert into member as m (newsletter_id, user_id, role, created_at)
        select newsletter_id, ${userId}, role, created_at from member where user_id = ${guestId}
        on conflict (newsletter_id, user_id) do update set role = least(m.role, excluded.role)`.execute(tx)
      // Keys end with the membership of whoever made them.
      await tx.updateTable('api_key').set({ created_by: userId }).where('created_by', '=', guestId).execute()
      await tx.deleteFrom('member').where('user_id', '=', guestId).execute()
    },
  }),
  heldOfUser({
    table: 'invitation',
    person: 'invited_by',
    exported: ['newsletter_id', 'id', 'role', 'created_at', 'accepted_at'],
    erase: 'set null',
    merge: 'move',
  }),
  heldOfUser({
    table: 'invitation',
    person: 'email',
    find: invitedAs,
    exported: ['newsletter_id', 'id', 'email', 'role', 'created_at', 'expires_at', 'accepted_at'],
    erase: (tx, subject) => sql`delete from invitation where ${invitedAs(subject)}`.execute(tx),
    merge: { dropped: 'nobody can invite a guest, who has no address' },
  }),
  heldOfUser({
    table: 'sender_proof',
    person: 'address',
    find: ({ email }) => sql<SqlBool>`address = ${email.toLowerCase()}`,
    exported: ['newsletter_id', 'address', 'asked_at', 'proved_at'],
    erase: (tx, { email }) => tx.deleteFrom('sender_proof').where('address', '=', email.toLowerCase()).execute(),
    merge: { dropped: 'a guest has no address' },
  }),
  heldOfUser({
    table: 'api_key',
    person: 'created_by',
    exported: [
      'newsletter_id',
      'id',
      'name',
      'role',
      'prefix',
      'created_at',
      'last_used_at',
      'last_network',
      'expires_at',
    ],
    erase: 'cascade',
    merge: { dropped: 'they have moved with the membership' },
  }),
]
