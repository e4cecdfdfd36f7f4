import { expect, test } from 'vitest'
import { complaintLevel } from './complaint-rate.ts'

test.each([
  [0, 0, 'fine'],
  [1, 58, 'fine'],
  [2, 58, 'fine'],
  [3, 58, 'watched'],
  [30, 999, 'watched'],
  [1, 1_001, 'fine'],
  [1, 1_000, 'watched'],
  [2, 1_000, 'watched'],
  [3, 1_000, 'high'],
  [3, 1_001, 'watched'],
  [299, 100_000, 'watched'],
  [300, 100_000, 'high'],
  [99, 100_000, 'fine'],
  [100, 100_000, 'watched'],
  [3, 0, 'watched'],
] as const)('%i complaints of %i accepted are %s', (complaints, accepted, level) => {
  expect(complaintLevel({ complaints, accepted })).toBe(level)
})
