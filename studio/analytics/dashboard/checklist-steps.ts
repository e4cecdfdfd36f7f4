import type { Dashboard } from '../queries.ts'

export type Step = Dashboard['checklist'][number]
export type NewestDraft = Dashboard['draft']

/** The page of each step of the checklist that is one page. The others go on with a draft, or make one. */
export const addressOfStep = {
  account: '/signup',
  sender: '/settings/sender',
  branding: '/settings/branding',
  subscriber: '/subscribers',
} satisfies Partial<Record<Step['step'], string>>
