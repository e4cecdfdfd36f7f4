import { type SqlBool, sql } from 'kysely'
import { heldOfUser, type UserSubject } from '../personal-data/holding.ts'

/** Mailed links that were not used yet. Some name a user by id, others by an address in JSON. */
const mailedTo = ({ userId, email }: UserSubject) =>
  sql<SqlBool>`(value = ${userId} or position(${JSON.stringify(email)} in value) > 0)`

const withGuest = { dropped: 'the guest is deleted with what is only the guest’s' }

export const identityUserData = [
  heldOfUser({
    table: 'profile',
    person: 'user_id',
    exported: ['mode', 'language', 'currency', 'timezone', 'single_keys', 'updated_at'],
    erase: 'cascade',
    merge: (tx, guestId, userId) =>
      sql`
      insert into profile (user_id, mode, language, currency, timezone, single_keys)
      select ${userId}, mode, language, currency, timezone, single_keys from profile where user_id = ${guestId}
      on conflict (user_id) do nothing`.execute(tx),
  }),
  heldOfUser({
    table: 'session',
    person: 'user_id',
    exported: ['ip_address', 'user_agent', 'method', 'proven_at', 'created_at', 'updated_at', 'expires_at'],
    erase: 'cascade',
    merge: withGuest,
  }),
  heldOfUser({
    table: 'passkey',
    person: 'user_id',
    exported: ['name', 'device_type', 'backed_up', 'transports', 'aaguid', 'created_at', 'last_used_at'],
    erase: 'cascade',
    merge: withGuest,
  }),
  heldOfUser({
    table: 'two_factor',
    person: 'user_id',
    exported: ['confirmed_at', 'created_at'],
    erase: 'cascade',
    merge: withGuest,
  }),
  heldOfUser({
    table: 'recovery_code',
    person: 'user_id',
    exported: ['created_at'],
    erase: 'cascade',
    merge: withGuest,
  }),
  heldOfUser({
    table: 'account',
    person: 'user_id',
    exported: ['provider_id', 'account_id', 'scope', 'created_at', 'updated_at'],
    erase: 'cascade',
    merge: withGuest,
  }),
  heldOfUser({
    table: 'verification',
    person: 'value',
    find: mailedTo,
    exported: ['created_at', 'expires_at'],
    erase: (tx, subject) => sql`delete from verification where ${mailedTo(subject)}`.execute(tx),
    merge: withGuest,
  }),
  heldOfUser({
    table: 'user',
    person: 'id',
    exported: ['id', 'name', 'email', 'email_verified', 'image', 'is_anonymous', 'created_at', 'updated_at'],
    erase: (tx, { userId }) => tx.deleteFrom('user').where('id', '=', userId).execute(),
    merge: withGuest,
  }),
]
