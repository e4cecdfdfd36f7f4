import { generatePath } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import type { Dashboard } from '../queries.ts'

export type Step = Dashboard['checklist'][number]
export type NewestDraft = Dashboard['draft']

/** The page of each step of the checklist that is one page. The others go on with a draft, or make one. */
const addressOfStep = {
  account: '/signup',
  sender: '/settings/sender',
  branding: '/settings/branding',
  subscriber: '/subscribers',
} satisfies Partial<Record<Step['step'], string>>

/** The page of a step; null when there is none before something is made. */
export function placeOf(step: Step['step'], draft: NewestDraft): string | null {
  if (step === 'sample') return null
  if (step === 'write') return draft && generatePath(studioPaths.editor, { publicationId: draft.id })
  if (step === 'send') return draft ? generatePath(studioPaths.send, { publicationId: draft.id }) : studioPaths.publish
  return addressOfStep[step]
}
