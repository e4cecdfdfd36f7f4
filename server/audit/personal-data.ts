import { type SqlBool, sql } from 'kysely'
import { heldOfUser, type UserSubject } from '../personal-data/holding.ts'

const toAddress = ({ email }: UserSubject) => sql<SqlBool>`lower(detail ->> 'email') = ${email.toLowerCase()}`

export const auditUserData = [
  heldOfUser({
    table: 'audit',
    person: 'user_id',
    exported: ['newsletter_id', 'at', 'act', 'outcome', 'network', 'reason'],
    erase: 'set null',
    merge: 'move',
  }),
  heldOfUser({
    table: 'audit',
    person: 'about_user_id',
    exported: ['newsletter_id', 'at', 'act', 'outcome'],
    erase: 'set null',
    merge: 'move',
  }),
  // Invitations to their address.
  heldOfUser({
    table: 'audit',
    person: 'detail',
    find: toAddress,
    exported: ['newsletter_id', 'at', 'act', 'outcome'],
    erase: (tx, subject) => sql`update audit set detail = detail - 'email' where ${toAddress(subject)}`.execute(tx),
    merge: { dropped: 'a guest has no address' },
  }),
  heldOfUser({
    table: 'account_event',
    person: 'user_id',
    exported: ['at', 'act', 'outcome', 'method', 'network', 'device'],
    erase: 'cascade',
    merge: 'move',
  }),
]
