import { z } from 'zod'

/** What a member or an API key can be allowed to do in a newsletter. Every endpoint of a newsletter needs one of them. */
export const permissions = [
  'analytics.read',
  'audit.read',
  'branding.write',
  'campaigns.read',
  'campaigns.write',
  'charge.manage',
  'charge.read',
  'charge.write',
  'deliveries.read',
  'domains.manage',
  'domains.read',
  'keys.manage',
  'links.read',
  'links.write',
  'media.read',
  'media.write',
  'members.manage',
  'members.read',
  'newsletter.delete',
  'newsletter.read',
  'newsletter.write',
  'outbox.read',
  'publications.read',
  'publications.send',
  'publications.write',
  'relays.manage',
  'relays.read',
  'sponsorship.read',
  'sponsorship.write',
  'subscribers.export',
  'subscribers.import',
  'subscribers.read',
  'subscribers.write',
] as const
export type Permission = (typeof permissions)[number]

const reading = [
  'analytics.read',
  'campaigns.read',
  'charge.read',
  'deliveries.read',
  'links.read',
  'media.read',
  'members.read',
  'newsletter.read',
  'publications.read',
  'sponsorship.read',
  'subscribers.read',
] as const satisfies Permission[]

const editing = [
  'campaigns.write',
  'domains.read',
  'links.write',
  'media.write',
  'outbox.read',
  'publications.send',
  'publications.write',
  'relays.read',
  'sponsorship.write',
  'subscribers.write',
] as const satisfies Permission[]

/**
 * THE ROLES: what each may do, in the order of the database's type `newsletter_role`. When one person has two roles in a
 * newsletter, the earlier one stays.
 */
export const roles = {
  owner: permissions,
  editor: [...reading, ...editing],
  analyst: reading,
} as const satisfies Readonly<Record<string, readonly Permission[]>>

export type Role = keyof typeof roles
// The type of `Object.keys` does not say which keys an object has.
export const roleNames = Object.keys(roles) as Role[]
export const Role = z.enum(roleNames)

/** What each role may do, by its name. */
export type RoleTable = Readonly<Record<string, readonly Permission[]>>

/** Whether a role contains a permission. A role that the table does not have contains none. */
export const may = (role: string, permission: Permission, table: RoleTable = roles): boolean =>
  table[role]?.includes(permission) ?? false

/** Whether a role contains every permission of another. Nobody may give a role that contains more than their own. */
export const covers = (role: string, other: string, table: RoleTable = roles): boolean =>
  (table[other] ?? permissions).every((permission) => may(role, permission, table))
