import { generatePath } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import type { Permission } from '../../../server/permissions.ts'
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

const permissionOfStep: Record<Step['step'], Permission> = {
  sample: 'publications.write',
  account: 'newsletter.write',
  sender: 'newsletter.write',
  branding: 'branding.write',
  subscriber: 'subscribers.write',
  write: 'publications.write',
  send: 'publications.send',
}

/** The steps that a member may take. */
export const stepsFor = (steps: Step[], may: (permission: Permission) => boolean): Step[] =>
  steps.filter(({ step }) => may(permissionOfStep[step]))

/** The page of a step; null when there is none before something is made. */
export function placeOf(step: Step['step'], draft: NewestDraft): string | null {
  if (step === 'sample') return null
  if (step === 'write') return draft && generatePath(studioPaths.editor, { publicationId: draft.id })
  if (step === 'send') return draft ? generatePath(studioPaths.send, { publicationId: draft.id }) : studioPaths.publish
  return addressOfStep[step]
}
