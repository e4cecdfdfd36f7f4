/** Everything that happens to a publication's status, as values: no clock, no database. */
export const statuses = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const
export type Status = (typeof statuses)[number]

const transitions = {
  schedule: { draft: 'scheduled', scheduled: 'scheduled' },
  unschedule: { scheduled: 'draft' },
  send: { draft: 'sending', scheduled: 'sending' },
  publish: { draft: 'sent', scheduled: 'sent' },
  pause: { sending: 'paused' },
  resume: { paused: 'sending' },
  cancel: { sending: 'cancelled', paused: 'cancelled' },
  finish: { sending: 'sent' },
} as const satisfies Record<string, Partial<Record<Status, Status>>>

export type Act = keyof typeof transitions

/** Where an act leads, or null where it is not possible. */
export const after = (act: Act, status: Status): Status | null =>
  (transitions[act] as Partial<Record<Status, Status>>)[status] ?? null

/** The statuses an act starts from: the guard of its statement. */
export const from = (act: Act): Status[] => Object.keys(transitions[act]) as Status[]

const results: Record<Act, readonly Status[]> = {
  schedule: [],
  unschedule: ['draft'],
  send: ['sending', 'paused', 'sent'],
  publish: ['sent'],
  pause: ['paused'],
  resume: ['sending'],
  cancel: ['cancelled'],
  finish: ['sent'],
}

/** Whether the act was done before, so that doing it again changes nothing and is no mistake. */
export const alreadyDone = (act: Act, status: Status): boolean => results[act].includes(status)

/** Words may change until they are on their way, while the press stands still, and on the web afterwards. */
export const editable: readonly Status[] = ['draft', 'scheduled', 'paused', 'sent', 'cancelled']

/** Nobody has received it, or it was stopped; the statement that deletes checks that nothing was accepted. */
export const deletable: readonly Status[] = ['draft', 'cancelled']
