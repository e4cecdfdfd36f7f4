import type { z } from 'zod'
import type { DeliveryState as StateShape } from '../../server/sending/contract.ts'
import type { RunningResult } from '../analytics/queries.ts'

export type DeliveryState = z.infer<typeof StateShape>

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

type Counts = RunningResult['counts']

/** What the deliveries can be narrowed to; `waiting` are those whose turn comes, or is now. */
export const tabs = ['accepted', 'waiting', 'deferred', 'failed', 'suppressed', 'uncertain', 'returned'] as const
export type Tab = (typeof tabs)[number]

/** Where the deliveries of a state are shown. */
export const tabOf = (state: DeliveryState): Tab => (state === 'queued' || state === 'claimed' ? 'waiting' : state)

/** How many deliveries a tab holds. */
export const countIn = (counts: Counts, returned: number, tab: Tab): number => {
  if (tab === 'returned') return returned
  return tab === 'waiting' ? counts.queued + counts.claimed : counts[tab]
}

/** Copies that will not be tried again: those the press is done with. */
export const finishedCount = (counts: Counts | undefined): number =>
  counts ? counts.accepted + counts.failed + counts.suppressed + counts.uncertain : 0
