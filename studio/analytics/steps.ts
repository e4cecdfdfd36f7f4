import type { Dashboard } from './use-dashboard.ts'

export type Step = Dashboard['checklist'][number]

/** Where each step of the checklist is done; `write` begins a publication. */
export const placeOf: Record<Step['step'], string | null> = {
  account: '/profile',
  sender: '/settings/sender',
  branding: '/settings/branding',
  subscriber: '/subscribers',
  write: null,
  send: '/publish',
}
