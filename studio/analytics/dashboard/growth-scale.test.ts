import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endToEndLabels, scaleOf, spreadLabels } from './growth-scale.ts'

test('every value is within its scale, which has one to six lines', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5_000_000), { minLength: 1, maxLength: 400 }), (values) => {
      const { low, high, lines } = scaleOf(values)
      expect(low).toBeLessThanOrEqual(Math.min(...values))
      expect(high).toBeGreaterThanOrEqual(Math.max(...values))
      expect(high).toBeGreaterThan(low)
      expect(lines.length).toBeGreaterThanOrEqual(1)
      expect(lines.length).toBeLessThanOrEqual(6)
    }),
  )
})

test('labels are the same number of days apart, as many as fit, and end with the last day', () => {
  expect(spreadLabels(84, 7)).toEqual([13, 27, 41, 55, 69, 83])
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 4_000 }), fc.integer({ min: 2, max: 9 }), (length, count) => {
      const labels = spreadLabels(length, count)
      expect(labels.length).toBeLessThanOrEqual(count)
      expect(labels.at(-1)).toBe(length - 1)
      expect(new Set(labels.slice(1).map((day, i) => day - (labels[i] ?? 0))).size).toBeLessThanOrEqual(1)
    }),
  )
  expect(spreadLabels(1, 7)).toEqual([0])
  expect(spreadLabels(2, 7)).toEqual([0, 1])
})

test('labels from end to end name the first and the last day, and those between them stand evenly', () => {
  expect(endToEndLabels(28, 3)).toEqual([0, 14, 27])
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 4_000 }), fc.integer({ min: 0, max: 9 }), (length, count) => {
      const labels = endToEndLabels(length, count)
      expect([labels[0], labels.at(-1)]).toEqual([0, length - 1])
      expect(labels.length).toBeLessThanOrEqual(Math.max(2, count))
      const apart = labels.slice(1).map((day, i) => day - (labels[i] ?? 0))
      expect(Math.max(...apart) - Math.min(...apart)).toBeLessThanOrEqual(1)
      expect(Math.min(...apart)).toBeGreaterThan(0)
    }),
  )
  expect(endToEndLabels(1, 7)).toEqual([0])
})
