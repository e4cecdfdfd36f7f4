import { expect, test } from 'vitest'
import { sumsByCurrency } from './words.ts'

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
      ['gbp', 12_000],
      ['eur', 1_200],
    ],
  ],
] as const)('sums of slots: %s', (_what, sums, added) => {
  const of = (pairs: typeof sums | typeof added) => pairs.map(([currency, amount]) => ({ currency, amount }))
  expect(sumsByCurrency(of(sums), 'eur')).toEqual(of(added))
})
