import type { DeliveryState, Result } from './queries.ts'

/** The states of a delivery in the order in which they are told: what is done, what is not, what went wrong. */
export const states: DeliveryState[] = [
  'accepted',
  'queued',
  'claimed',
  'deferred',
  'failed',
  'suppressed',
  'uncertain',
]

type Counts = Result['counts']

/** Copies that will not be tried again: those the press is done with. */
export const doneOf = (counts: Counts | undefined): number =>
  counts ? counts.accepted + counts.failed + counts.suppressed + counts.uncertain : 0
