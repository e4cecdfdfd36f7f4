import type { Selectable } from 'kysely'
import type { Publication } from '../database/types.ts'

/** Everything that happens to a publication's own state, as values: no clock, no database. */
export type PublicationState = Selectable<Publication>['state']

/** The states from which an act is possible, and where it leads. What mails do is another's matter (sending/transitions.ts). */
export const publicationActs = {
  schedule: { from: ['draft', 'scheduled'], to: 'scheduled' },
  unschedule: { from: ['scheduled'], to: 'draft' },
  publish: { from: ['draft', 'scheduled'], to: 'published' },
} as const satisfies Record<string, { from: readonly PublicationState[]; to: PublicationState }>

export type PublicationAct = keyof typeof publicationActs

/** What its owner is told, from its own state and that of its sendings: see the view publication_status. */
export const statuses = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const
export type Status = (typeof statuses)[number]

export type Act = 'unschedule' | 'send' | 'publish' | 'pause' | 'resume' | 'trust' | 'cancel'

const results: Record<Act, readonly Status[]> = {
  unschedule: ['draft'],
  send: ['sending', 'paused', 'sent'],
  publish: ['sent'],
  pause: ['paused'],
  resume: ['sending'],
  trust: ['sending'],
  cancel: ['cancelled'],
}

/** Whether the act was done before, so that doing it again changes nothing and is no mistake. */
export const alreadyDone = (act: Act, status: Status): boolean => results[act].includes(status)

/** Nobody has received it, or it was stopped; the statement that deletes checks that nothing was accepted. */
export const deletable: readonly Status[] = ['draft', 'cancelled']
