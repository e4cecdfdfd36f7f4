import { expect, test } from 'vitest'
import { warmUpDay, warmUpPlan } from './warm-up.ts'

const DAY = 86_400_000
const start = new Date('2026-11-21T09:00:00Z')
const on = (days: number) => warmUpDay(start, start.getTime() + days * DAY)

test.each([
  [0, 1, 50],
  [0.99, 1, 50],
  [1, 2, 100],
  [9.5, 10, 100_000],
  [15, 16, 1_000_000],
])('after %s days it is day %s with %s', (days, day, cap) => {
  expect(on(days)).toEqual({ day, cap })
})

test('it ends, and before its beginning by another clock it is the first day', () => {
  expect(on(warmUpPlan.length)).toBeNull()
  expect(on(-0.01)).toEqual({ day: 1, cap: 50 })
  expect(warmUpDay(null, 0)).toBeNull()
})

test('each day allows more than the one before', () => {
  expect(warmUpPlan.toSorted((a, b) => a - b)).toEqual([...warmUpPlan])
})
