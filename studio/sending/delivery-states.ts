import type { z } from 'zod'
import type { DeliveryState as StateShape } from '../../server/sending/contract.ts'
import type { RunningResult } from '../analytics/queries.ts'

export type DeliveryState = z.infer<typeof StateShape>

/** The states of a delivery in the order of the screen: finished, waiting, went wrong. */
const states: DeliveryState[] = [
  'accepted',
  'caught',
  'queued',
  'claimed',
  'deferred',
  'failed',
  'suppressed',
  'uncertain',
]

type Counts = RunningResult['counts']

/** The tabs of the deliveries page. `waiting`: queued or claimed. `returned`: a bounce or a complaint came back. */
export const tabs = [
  'accepted',
  'caught',
  'waiting',
  'deferred',
  'failed',
  'suppressed',
  'uncertain',
  'returned',
] as const
export type Tab = (typeof tabs)[number]

/** The tab that shows the deliveries of a state. */
export const tabOf = (state: DeliveryState): Tab => (state === 'queued' || state === 'claimed' ? 'waiting' : state)

/** How many deliveries a tab holds. */
export const countIn = (counts: Counts, returned: number, tab: Tab): number => {
  if (tab === 'returned') return returned
  return tab === 'waiting' ? counts.queued + counts.claimed : counts[tab]
}

/** Whether all that left was caught on this machine: no relay has accepted a copy. */
export const isAllCaught = ({ accepted, caught }: Counts): boolean => caught > 0 && accepted === 0

/** The states that tell something. Nothing was accepted is news, unless all was caught; what waits is followed until nothing does. */
export const toldStates = (counts: Counts): DeliveryState[] => {
  const waits = counts.queued + counts.claimed + counts.deferred > 0
  const isFollowed = (state: DeliveryState) =>
    state === 'accepted' ? !isAllCaught(counts) : waits && (state === 'queued' || state === 'claimed')
  return states.filter((state) => counts[state] > 0 || isFollowed(state))
}

/** At most one copy of so many is a few. */
const FEW = 4

/**
 * How many copies a sending still tries, once everybody else has had theirs; 0 as long as there are more than a few, or some were not tried
 * yet. Such retries last for days.
 */
export function fewRetries({ status }: { status: string }, counts: Counts | undefined): number {
  if (status !== 'sending' || !counts || counts.queued > 0 || counts.deferred === 0) return 0
  const waiting = counts.deferred + counts.claimed
  return waiting * FEW <= counts.intended ? waiting : 0
}

/** How many deliveries ended and were not taken: refused, left out, or uncertain. */
export const lostCount = (counts: Counts | undefined): number =>
  counts ? counts.failed + counts.suppressed + counts.uncertain : 0

/** How many deliveries will not be tried again. */
export const finishedCount = (counts: Counts | undefined): number =>
  counts ? counts.accepted + counts.caught + lostCount(counts) : 0
