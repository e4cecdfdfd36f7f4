import { expect, test } from 'vitest'
import { missingText, slotKind, sumsByCurrency } from './words.ts'

test.each([
  ['nothing is nothing of the newsletter’s own currency', [], [['eur', 0]]],
  ['another currency alone', [['gbp', 12_000]], [['gbp', 12_000]]],
  [
    'each apart, the largest first',
    [
      ['eur', 500],
      ['gbp', 12_000],
      ['eur', 700],
      ['usd', 0],
    ],
    [
      ['eur', 1_200],
      ['gbp', 12_000],
    ],
  ],
] as const)('sums of slots: %s', (_what, sums, added) => {
  const of = (pairs: typeof sums | typeof added) => pairs.map(([currency, amount]) => ({ currency, amount }))
  expect(sumsByCurrency(of(sums), 'eur')).toEqual(of(added))
})

test.each([
  ['requested', 'requested'],
  ['accepted', 'accepted'],
  ['invoiced', 'sold'],
  ['ran', 'sold'],
] as const)('a slot of a booking that is %s is drawn and summed as %s', (state, kind) =>
  expect(slotKind({ state })).toBe(kind),
)

test.each([
  { state: 'paid', day: '2026-11-28', creativeDue: '2026-11-26', missing: 'late' },
  { state: 'invoiced', day: '2026-11-28', creativeDue: '2026-11-27', missing: 'awaited' },
  { state: 'changes_asked', day: '2026-11-27', creativeDue: '2026-11-24', missing: 'late' },
  { state: 'paid', day: '2026-11-26', creativeDue: '2026-11-24', missing: null },
  { state: 'accepted', day: '2026-11-28', creativeDue: '2026-11-26', missing: null },
  { state: 'creative_in', day: '2026-11-28', creativeDue: '2026-11-26', missing: null },
  { state: 'scheduled', day: '2026-11-28', creativeDue: '2026-11-26', missing: null },
] as const)(
  'the text of a booking that is $state for $day and was due on $creativeDue is $missing',
  ({ missing, ...booking }) => expect(missingText(booking, '2026-11-27')).toBe(missing),
)
