import type { Dashboard } from '../queries.ts'

export type Step = Dashboard['checklist'][number]

/** Where each step of the checklist is done; `write` begins a publication. */
export const addressOfStep: Record<Step['step'], string | null> = {
  account: '/profile',
  sender: '/settings/sender',
  branding: '/settings/branding',
  subscriber: '/subscribers',
  write: null,
  send: '/publish',
}
