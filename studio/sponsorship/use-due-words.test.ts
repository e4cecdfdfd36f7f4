import { expect, test } from 'vitest'
import { dueOf } from './use-due-words.ts'

const facts = { owed: false, disputed: false, creativeDue: '2026-11-18', invoicedAt: null, paidAt: null, givenBack: 0 }

test('once its day is over, who agreed and did not pay is owed neither a day nor money', () => {
  const day = '2026-11-22'
  expect(dueOf({ ...facts, day, state: 'accepted' }, '2026-11-23')).toBe('dueLapsed')
  for (const state of ['invoiced', 'paid', 'creative_in', 'approved', 'ran'] as const)
    expect(dueOf({ ...facts, day, state }, '2026-11-23')).toBe('dueMissed')
})
