import type { OptInState } from './contract.ts'

/** What the state of an opt-in campaign follows from. */
export interface StateFacts {
  startsAt: Date | null
  endsAt: Date | null
  withdrawnAt: Date | null
  cap: number | null
  taken: number
  /** Whether it has words in a language. */
  worded: boolean
  /** Whether its beneficiary is known and, when it is another newsletter, agreed. */
  agreed: boolean
}

/** The state of an opt-in campaign at a moment. Readers are asked while it is `running` alone. */
export function stateAt(facts: StateFacts, now: Date): OptInState {
  const { startsAt, endsAt, withdrawnAt, cap, taken, worded, agreed } = facts
  if (withdrawnAt) return 'withdrawn'
  if (!startsAt) return 'draft'
  if (endsAt && endsAt <= now) return 'ended'
  if (startsAt > now) return 'scheduled'
  if (!worded || !agreed) return 'waiting'
  return cap !== null && taken >= cap ? 'full' : 'running'
}
