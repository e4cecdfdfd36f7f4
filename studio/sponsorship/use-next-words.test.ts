import { expect, test } from 'vitest'
import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import { nextOf } from './use-next-words.ts'

const today = '2026-11-23'
const nextAfter = (state: Booking['state'], day = today, owed = false) => nextOf({ state, day, owed }, today)

test('a booking says whom it waits for: for a payment, for a text, for a word of ours, for its publication', () => {
  expect(nextAfter('accepted')).toBe('accepted')
  for (const state of ['invoiced', 'paid', 'changes_asked'] as const) expect(nextAfter(state)).toBe('text')
  expect(nextAfter('creative_in')).toBe('creative_in')
  expect(nextAfter('approved')).toBe('approved')
  expect(nextAfter('scheduled')).toBe('scheduled')
})

test('once its day is over nobody is told to wait, and what is over or owed has a sentence of its own', () => {
  expect(nextAfter('paid', '2026-11-22')).toBe('missed')
  expect(nextAfter('accepted', '2026-11-22')).toBe('lapsed')
  expect(nextAfter('paid', today, true)).toBeNull()
  for (const state of ['requested', 'ran', 'reported', 'cancelled'] as const) expect(nextAfter(state)).toBeNull()
})
