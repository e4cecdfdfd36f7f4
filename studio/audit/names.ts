import type { TFunction } from 'i18next'
import { signInFailures, signInMeans } from '../../server/identity/contract.ts'
import { settingNames } from '../../server/newsletters/contract.ts'
import { roleNames } from '../../server/permissions.ts'
import { bookingActs } from '../../server/sponsorship/bookings/contract.ts'
import type { SponsorSettingName } from '../../server/sponsorship/contract.ts'
import { BulkAct } from '../../server/subscribers/bulk/contract.ts'
import { knownCode } from '../known-code.ts'

/** How somebody signed in, or why they did not. */
export const methodName = (t: TFunction, method: string | null): string =>
  method === null ? '' : t(`audit.methods.${knownCode([...signInMeans, ...signInFailures], method) ?? 'unknown'}`)

/** What was done to many subscribers. */
export const changeName = (t: TFunction, act: string): string =>
  t(`audit.changes.${knownCode(BulkAct.options, act) ?? 'other'}`)

export const settingName = (t: TFunction, name: string): string =>
  t(`audit.settings.${knownCode(settingNames, name) ?? 'other'}`)

export const sponsorSettingName = (t: TFunction, name: SponsorSettingName): string => t(`audit.sponsorSettings.${name}`)

/** What was done to a booking. */
export function stepName(t: TFunction, act: string): string {
  const known = knownCode(bookingActs, act)
  return t(known ? `audit.step.${known}` : 'audit.otherStep')
}

export function roleName(t: TFunction, role: string): string {
  const known = knownCode(roleNames, role)
  return t(known ? `ui.role.${known}` : 'audit.otherRole')
}
