import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstPayment, mayRise } from './schedule.ts'

const DAY_MS = 86_400_000
const at = (day: string) => new Date(`${day}T09:00:00Z`)

test.each([
  { period: 'month', paidUntil: '2026-03-10', told: '2026-03-01', first: '2026-04-10' },
  { period: 'month', paidUntil: '2026-03-10', told: '2026-02-08', first: '2026-03-10' },
  { period: 'month', paidUntil: '2026-03-10', told: '2026-02-09', first: '2026-04-10' },
  // A month of 28 days is no notice of 30.
  { period: 'month', paidUntil: '2026-02-01', told: '2026-01-31', first: '2026-04-01' },
  { period: 'year', paidUntil: '2026-03-10', told: '2026-03-01', first: '2027-03-10' },
  { period: 'year', paidUntil: '2026-12-10', told: '2026-03-01', first: '2026-12-10' },
] as const)(
  'each $period, paid until $paidUntil, told on $told: from $first on',
  ({ period, paidUntil, told, first }) => {
    expect(firstPayment(at(paidUntil), period, at(told))).toEqual(at(first))
  },
)

test('nobody pays more within 30 days of the notice, and no price changes more than a week before its payment', () => {
  const days = fc.integer({ min: 0, max: 800 }).map((day) => new Date(at('2026-01-01').getTime() + day * DAY_MS))
  fc.assert(
    fc.property(days, days, days, (paidUntil, noticedAt, now) => {
      const first = firstPayment(paidUntil, 'month', noticedAt)
      expect(first.getTime() - noticedAt.getTime()).toBeGreaterThanOrEqual(30 * DAY_MS)
      if (!mayRise(paidUntil, { noticedAt, now })) return
      expect(paidUntil.getTime() - noticedAt.getTime()).toBeGreaterThanOrEqual(30 * DAY_MS)
      expect(paidUntil.getTime() - now.getTime()).toBeLessThanOrEqual(7 * DAY_MS)
    }),
  )
})
