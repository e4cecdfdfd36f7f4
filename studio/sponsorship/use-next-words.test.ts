import { expect, test } from 'vitest'
import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import { nextOf } from './use-next-words.ts'

const today = '2026-11-23'
const facts = {
  day: today,
  owed: false,
  creativeDue: today,
  paidHere: 0,
  invoicedAt: null,
  paidAt: null,
  ranAt: null,
  madeGoodBy: null,
  cardPayments: [],
}
const nextAfter = (state: Booking['state'], given: Partial<Parameters<typeof nextOf>[0]> = {}) =>
  nextOf({ ...facts, ...given, state }, today)

test('a booking says whom it waits for: for a payment, for a text, for a word of ours, for its publication', () => {
  expect(nextAfter('accepted')).toBe('accepted')
  for (const state of ['invoiced', 'paid', 'changes_asked'] as const) expect(nextAfter(state)).toBe('text')
  expect(nextAfter('creative_in')).toBe('creative_in')
  expect(nextAfter('approved')).toBe('approved')
  expect(nextAfter('scheduled')).toBe('scheduled')
})

test('a text that is late is asked for, until its day is over', () => {
  expect(nextAfter('paid', { creativeDue: '2026-11-22' })).toBe('late')
  expect(nextAfter('approved', { creativeDue: '2026-11-22' })).toBe('approved')
  expect(nextAfter('paid', { day: '2026-11-22', creativeDue: '2026-11-20' })).toBe('missed')
})

test('once its day is over nobody is told to wait, and what is over or owed has a sentence of its own', () => {
  expect(nextAfter('paid', { day: '2026-11-22' })).toBe('missed')
  expect(nextAfter('accepted', { day: '2026-11-22' })).toBe('lapsed')
  expect(nextAfter('paid', { owed: true })).toBeNull()
  for (const state of ['requested', 'ran', 'reported', 'cancelled'] as const) expect(nextAfter(state)).toBeNull()
})

test('what was paid for a day that nobody has any more is to be given back', () => {
  const other = { id: '1', day: '2026-12-12' }
  expect(nextAfter('cancelled', { paidHere: 100 })).toBe('giveBack')
  expect(nextAfter('cancelled', { paidHere: 100, cardPayments: [{}] })).toBe('giveBackCard')
  expect(nextAfter('made_good', { paidHere: 100, madeGoodBy: { ...other, stands: true } })).toBeNull()
  expect(nextAfter('made_good', { paidHere: 100, madeGoodBy: { ...other, stands: false } })).toBe('giveBack')
  expect(nextAfter('made_good', { madeGoodBy: { ...other, stands: true } })).toBeNull()
  expect(nextAfter('made_good', { madeGoodBy: { ...other, stands: false } })).toBe('nothingOwed')
  const ran = { ranAt: '2026-11-20T08:00:00Z', madeGoodBy: { ...other, stands: false } }
  expect(nextAfter('made_good', { ...ran, paidHere: 100 })).toBe('ranPaid')
  expect(nextAfter('made_good', { ...ran, paidHere: 100, cardPayments: [{}] })).toBe('ranPaidCard')
  expect(nextAfter('made_good', { ...ran, invoicedAt: '2026-11-01T08:00:00Z' })).toBe('ranUnpaid')
  expect(nextAfter('made_good', ran)).toBeNull()
})
