import { expect, test } from 'vitest'
import { periodAmount } from './period-amount.ts'

const price = { amount: 550, currency: 'eur' }
const from = new Date('2026-12-01T00:00:00Z')

test.each([
  ['the price itself', 550, 'month', '2027-03-01', 550],
  ['three months', 1_650, 'month', '2027-03-01', 550],
  ['the shortest quarter', 1_500, 'month', '2027-02-28', 500],
  ['a year by the month', 6_000, 'month', '2027-12-01', 500],
  ['another sum for one month', 700, 'month', '2027-01-01', 700],
  ['another sum for half a month', 700, 'month', '2026-12-15', 700],
  ['two years', 11_000, 'year', '2028-12-01', 5_500],
  ['a year', 5_000, 'year', '2027-12-01', 5_000],
  ['half a year by the year', 3_000, 'year', '2027-06-01', 6_000],
  ['a year and a half', 9_000, 'year', '2028-06-01', 6_000],
  ['a year that is paid six weeks late', 5_000, 'year', '2027-10-17', 5_000],
  ['next to nothing for long', 1, 'month', '2036-12-01', 1],
  ['for good', 90_000, 'year', null, 90_000],
  ['once', 90_000, 'once', '2030-12-01', 90_000],
  ['a sum that was agreed', 1_650, null, '2027-03-01', 1_650],
] as const)('one period of %s', (...[, amount, period, end, one]) => {
  const until = end && new Date(`${end}T00:00:00Z`)
  expect(periodAmount({ payment: { amount, currency: 'eur' }, price, period, from, until, goesOn: true })).toBe(one)
})

test('the same figure in another currency is no price', () => {
  const until = new Date('2027-03-01T00:00:00Z')
  expect(
    periodAmount({ payment: { amount: 550, currency: 'usd' }, price, period: 'month', from, until, goesOn: true }),
  ).toBe(183)
})

test('a first payment that opens less than a period is for one that began before', () => {
  const until = new Date('2026-12-11T00:00:00Z')
  const paid = { payment: { amount: 5_000, currency: 'eur' }, price, period: 'year', from, until } as const
  expect(periodAmount({ ...paid, goesOn: false })).toBe(5_000)
  expect(periodAmount({ ...paid, goesOn: true })).toBe(60_000)
})
