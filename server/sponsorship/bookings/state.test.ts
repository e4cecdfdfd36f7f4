import { expect, test } from 'vitest'
import { bookingActs, bookingStates } from './contract.ts'
import { afterAct, type BookingFacts, isMissed, possibleActs, shownState, transitions } from './state.ts'

const facts = (values: Partial<BookingFacts>): BookingFacts => ({
  ...{ state: 'requested', isPaid: false, isForNothing: false, isOwed: false, hasCreative: true },
  ...values,
})

test('a booking goes from a request to its report, one act after the other', () => {
  const walk = ['accept', 'pay', 'send_creative', 'approve', 'run', 'report'] as const
  let now = facts({})
  const seen = walk.map((act) => {
    const state = afterAct(now, act)
    now = facts({ state: state ?? 'declined', isPaid: now.isPaid || act === 'pay' })
    return state
  })
  expect(seen).toEqual(['accepted', 'paid', 'creative_in', 'approved', 'ran', 'reported'])
})

test('every state is reached, and from every one that is no end something leads on', () => {
  const reached = new Set(bookingActs.flatMap((act) => Object.values(transitions[act])))
  expect(bookingStates.filter((state) => !reached.has(state))).toEqual(['requested'])
  const ends = bookingStates.filter(
    (state) => possibleActs(facts({ state })).length + possibleActs(facts({ state, isPaid: true })).length === 0,
  )
  expect(ends).toEqual(['declined', 'refunded'])
})

test('nothing is paid twice, given back unpaid, or approved without words', () => {
  expect(bookingStates.filter((state) => afterAct(facts({ state, isPaid: true }), 'pay'))).toEqual([])
  expect(bookingStates.filter((state) => afterAct(facts({ state }), 'refund'))).toEqual([])
  expect(bookingStates.filter((state) => afterAct(facts({ state, hasCreative: false }), 'approve'))).toEqual([])
})

test('the money of what was made good can still come and go back, and nothing is paid for what makes it good', () => {
  expect(possibleActs(facts({ state: 'made_good' }))).toEqual(['pay'])
  expect(possibleActs(facts({ state: 'made_good', isPaid: true }))).toEqual(['refund'])
  expect(bookingStates.filter((state) => afterAct(facts({ state, isForNothing: true }), 'pay'))).toEqual([])
})

test('nothing runs that is not approved, nothing is approved that was not sent, and approved words stay', () => {
  expect(bookingStates.filter((state) => afterAct(facts({ state }), 'run'))).toEqual(['approved'])
  expect(bookingStates.filter((state) => afterAct(facts({ state }), 'approve'))).toEqual(['creative_in'])
  const open = bookingStates.filter((state) => afterAct(facts({ state }), 'send_creative'))
  expect(open).toEqual(['invoiced', 'paid', 'creative_in', 'changes_asked'])
})

test('what expired is taken up again by an answer, an invoice or a payment', () => {
  expect(possibleActs(facts({ state: 'expired' }))).toEqual(['accept', 'invoice', 'pay', 'cancel', 'withdraw'])
})

test('a payment that comes after the words changes no state', () => {
  for (const state of ['creative_in', 'changes_asked', 'approved', 'ran', 'reported', 'made_good'] as const)
    expect([state, afterAct(facts({ state }), 'pay')]).toEqual([state, state])
})

test('only what is approved is shown as scheduled, and only while it is', () => {
  for (const state of bookingStates) {
    const isForNothing = false
    expect(shownState(state, { isScheduled: false, isForNothing })).toBe(state)
    expect(shownState(state, { isScheduled: true, isForNothing })).toBe(state === 'approved' ? 'scheduled' : state)
  }
})

test('what is for nothing is never shown as paid', () => {
  for (const state of bookingStates)
    expect(shownState(state, { isScheduled: false, isForNothing: true })).toBe(state === 'paid' ? 'replacement' : state)
})

test('what held its slot and did not run is missed from the next day on', () => {
  const missed = bookingStates.filter((state) => isMissed({ state, day: '2026-11-23' }, '2026-11-24'))
  expect(missed).toEqual(['accepted', 'invoiced', 'paid', 'creative_in', 'changes_asked', 'approved'])
  expect(isMissed({ state: 'replacement', day: '2026-11-23' }, '2026-11-24')).toBe(true)
  expect(bookingStates.filter((state) => isMissed({ state, day: '2026-11-23' }, '2026-11-23'))).toEqual([])
})
