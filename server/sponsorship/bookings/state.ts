import { type BookingAct, type BookingState, bookingActs, type ShownState } from './contract.ts'

type Steps = Partial<Record<BookingState, BookingState>>

/**
 * THE TABLE: what each act makes of a booking in each state. Where a state is missing, the act is not possible.
 *
 * What expired can be taken up again. Money and words go on side by side once there is an invoice, so a payment that comes late changes no
 * state, and is noted beside it. What was made good keeps its money: its payment can still come, and go back.
 */
export const transitions: Readonly<Record<BookingAct, Steps>> = {
  accept: { requested: 'accepted', expired: 'accepted' },
  decline: { requested: 'declined' },
  expire: { requested: 'expired', accepted: 'expired' },
  invoice: { accepted: 'invoiced', expired: 'invoiced' },
  pay: {
    accepted: 'paid',
    expired: 'paid',
    invoiced: 'paid',
    creative_in: 'creative_in',
    changes_asked: 'changes_asked',
    approved: 'approved',
    ran: 'ran',
    reported: 'reported',
    made_good: 'made_good',
  },
  send_creative: {
    invoiced: 'creative_in',
    paid: 'creative_in',
    creative_in: 'creative_in',
    changes_asked: 'creative_in',
  },
  ask_changes: { creative_in: 'changes_asked', approved: 'changes_asked' },
  approve: { creative_in: 'approved' },
  run: { approved: 'ran' },
  report: { ran: 'reported' },
  cancel: {
    requested: 'cancelled',
    accepted: 'cancelled',
    expired: 'cancelled',
    invoiced: 'cancelled',
    paid: 'cancelled',
    creative_in: 'cancelled',
    changes_asked: 'cancelled',
    approved: 'cancelled',
  },
  withdraw: { requested: 'cancelled', accepted: 'cancelled', expired: 'cancelled' },
  refund: {
    paid: 'refunded',
    creative_in: 'refunded',
    changes_asked: 'refunded',
    approved: 'refunded',
    ran: 'refunded',
    reported: 'refunded',
    cancelled: 'refunded',
    made_good: 'refunded',
  },
  make_good: {
    invoiced: 'made_good',
    paid: 'made_good',
    creative_in: 'made_good',
    changes_asked: 'made_good',
    approved: 'made_good',
    ran: 'made_good',
    reported: 'made_good',
  },
}

/** Those in which nobody else can have the slot: the condition of the index `booking_slot`, which a test compares with them. */
export const holdingStates: readonly BookingState[] = [
  'requested',
  'accepted',
  'invoiced',
  'paid',
  'creative_in',
  'changes_asked',
  'approved',
  'ran',
  'reported',
]

export const holdsSlot = (state: BookingState): boolean => holdingStates.includes(state)

/** Why money by card has no slot: the day was lost before it came, the booking was paid already, or it went back and came again. */
export const owedFor = (state: ShownState): 'owed' | 'owed_twice' | 'owed_again' => {
  if (state === 'refunded') return 'owed_again'
  const isHeld = state === 'scheduled' || holdingStates.some((one) => one === paidFor(state))
  return state === 'made_good' || isHeld ? 'owed_twice' : 'owed'
}

/** What matters of a booking besides its state. */
export interface BookingFacts {
  state: BookingState
  isPaid: boolean
  /** Whether it makes another one good: nothing is paid for it. */
  isForNothing: boolean
  /** Whether money is here for which it has no slot. */
  isOwed: boolean
  hasCreative: boolean
}

/** What is left to do with a booking that lost its slot before its money came: the slot, where it is free again, or another day. */
const ofOwed = ({ state, isPaid }: BookingFacts, act: BookingAct): BookingState | null =>
  act === 'make_good' ? 'made_good' : act === 'pay' && !isPaid ? (transitions.pay[state] ?? null) : null

/** The state after an act, or null where it is not possible. Nothing is paid twice, and nothing refunded that was not paid. */
export function afterAct(facts: BookingFacts, act: BookingAct): BookingState | null {
  const { state, isPaid, isForNothing, isOwed, hasCreative } = facts
  if (isOwed && !holdsSlot(state)) return ofOwed(facts, act)
  if (act === 'pay' && (isPaid || isForNothing)) return null
  if (act === 'refund' && !isPaid) return null
  if (act === 'approve' && !hasCreative) return null
  return transitions[act][state] ?? null
}

/** What can be done with a booking now. */
export const possibleActs = (facts: BookingFacts): BookingAct[] =>
  bookingActs.filter((act) => afterAct(facts, act) !== null)

/**
 * The state as it is shown. That a publication is scheduled is known of the publication alone, so unscheduling it, giving it another day or
 * taking the slot out of it needs no act on the booking. What is for nothing is never called paid: the booking that was sold says who owes what.
 */
export function shownState(
  state: BookingState,
  { isScheduled, isForNothing }: { isScheduled: boolean; isForNothing: boolean },
): ShownState {
  if (state === 'approved' && isScheduled) return 'scheduled'
  return state === 'paid' && isForNothing ? 'replacement' : state
}

/** A state as it is shown, where it does not matter whether its booking was paid or is for nothing. */
export const paidFor = (state: ShownState): Exclude<ShownState, 'replacement'> =>
  state === 'replacement' ? 'paid' : state

/** Those that hold a slot and have not run. When their day is over, the newsletter owes the sponsor another day or the money. */
export const waitingStates: readonly BookingState[] = holdingStates.filter(
  (state) => !['requested', 'ran', 'reported'].includes(state),
)

/** Whether the day of a booking is over and it did not run. */
export const isMissed = ({ day, state }: { day: string; state: ShownState }, today: string): boolean =>
  day < today && waitingStates.some((one) => one === paidFor(state))
