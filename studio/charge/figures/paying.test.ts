import { expect, test } from 'vitest'
import { averagesOf } from './paying.ts'

test('what a subscription brings is not rounded before it is written', () => {
  // €238.50 a month of 34 subscriptions are €7.0147 each: as whole cents of a year they were €7.015, and written as €7.02.
  const { average, lifetime } = averagesOf({ end: 238_50 * 12, payingEnd: 34, lost: 0.25 })
  expect(((average ?? 0) / 12).toFixed(2)).toBe('701.47')
  expect(((lifetime ?? 0) / 12).toFixed(2)).toBe('2805.88')
})

test('without subscriptions there is no average, and without any that left no life', () => {
  expect(averagesOf({ end: 0, payingEnd: 0, lost: 0.25 })).toEqual({ average: null, lifetime: null })
  expect(averagesOf({ end: 1_200, payingEnd: 1, lost: null })).toEqual({ average: 1_200, lifetime: null })
})
