import { expect, test } from 'vitest'
import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import { alsoToApprove, daysWithSlots, freeDays, slotsState } from './slots-state.ts'

const today = '2026-11-23'
const day = '2026-11-28'
const placements = [
  { id: 1, seats: 1, closedAt: null, leadDays: 5 },
  { id: 2, seats: 2, closedAt: null, leadDays: 0 },
  { id: 3, seats: 9, closedAt: '2026-01-01T00:00:00Z', leadDays: 0 },
]
const booked = (placementId: number, state: Booking['state'], on = day) => ({ day: on, placementId, state })
const stateOf = (...bookings: ReturnType<typeof booked>[]) => {
  const { says, count } = slotsState({ placements, bookings, today }, { day, sold: true, publications: [] })
  return [says, count]
}

test.each([
  ['nothing is sold', [], ['open', 3]],
  ['some of it is, and its words are approved', [booked(2, 'approved')], ['open', 2]],
  ['all of it is', [booked(1, 'approved'), booked(2, 'scheduled'), booked(2, 'ran')], ['complete', 0]],
  ['another day is sold', [booked(1, 'approved', '2026-12-05'), booked(1, 'requested', '2026-12-05')], ['open', 3]],
  ['words have not come', [booked(1, 'paid'), booked(2, 'changes_asked')], ['waiting', 2]],
  ['words wait for approval, and others have not come', [booked(1, 'creative_in'), booked(2, 'paid')], ['approve', 1]],
  ['a request waits for an answer', [booked(1, 'requested'), booked(2, 'creative_in')], ['answer', 1]],
] as const)('when %s', (_what, bookings, expected) => expect(stateOf(...bookings)).toEqual(expected))

test('a text to approve is said beside a request to answer', () => {
  const also = (...bookings: ReturnType<typeof booked>[]) =>
    alsoToApprove({ placements, bookings, today }, { day, sold: true, publications: [] })
  expect(also(booked(1, 'requested'), booked(2, 'creative_in'))).toBe(1)
  expect(also(booked(2, 'creative_in'))).toBe(0)
})

test('a day that is over, not sold, or whose publication went out has nothing open', () => {
  const says = (on: string, { sold = true, published = false } = {}) => {
    const publications = [{ id: 'a', number: 1, title: 'Low tide', published }]
    return slotsState({ placements, bookings: [], today }, { day: on, sold, publications }).says
  }
  expect(says('2026-11-22')).toBe('complete')
  expect(says(today)).toBe('open')
  expect(says(day, { sold: false })).toBe('complete')
  expect(says(today, { published: true })).toBe('out')
})

test('a placement whose text would come too late is not open any more', () => {
  const open = (on: string) =>
    slotsState({ placements, bookings: [], today }, { day: on, sold: true, publications: [] }).count
  expect(open('2026-11-28')).toBe(3)
  expect(open('2026-11-27')).toBe(2)
})

test('a day on which nothing is booked and nothing can be had is not among the days with slots', () => {
  const publications = [{ id: 'a', number: 1, title: 'Low tide', published: true }]
  const days = [
    { day: today, sold: true, publications },
    { day: '2026-11-24', sold: false, publications: [] },
    { day: '2026-11-25', sold: true, publications },
    { day, sold: true, publications: [] },
  ]
  const listed = daysWithSlots({ days, placements, bookings: [booked(1, 'ran', '2026-11-25')], today })
  expect(listed.map((one) => one.day)).toEqual(['2026-11-25', day])
})

test('another day is one that is sold, to come, with a seat, and on which nothing went out', () => {
  const days = [
    { day: '2026-11-22', sold: true, publications: [] },
    { day: '2026-11-23', sold: true, publications: [{ id: 'a', number: 1, title: 'Low tide', published: true }] },
    { day: '2026-11-24', sold: false, publications: [] },
    { day: '2026-11-25', sold: true, publications: [{ id: 'b', number: null, title: 'Soon', published: false }] },
    { day, sold: true, publications: [] },
  ]
  const bookings = [booked(1, 'paid')]
  expect(freeDays({ days, placements, bookings, today }, 1)).toEqual(['2026-11-25'])
  expect(freeDays({ days, placements, bookings, today }, 2)).toEqual(['2026-11-25', day])
  expect(freeDays({ days, placements, bookings, today }, 3)).toEqual([])
})
