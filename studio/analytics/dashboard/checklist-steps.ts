import type { Dashboard } from '../queries.ts'

export type Step = Dashboard['checklist'][number]

/** The page of each step of the checklist. Null: the step creates a publication. */
export const addressOfStep: Record<Step['step'], string | null> = {
  account: '/profile',
  sender: '/settings/sender',
  branding: '/settings/branding',
  subscriber: '/subscribers',
  write: null,
  send: '/publish',
}
