import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaleOf, spreadLabels } from './growth-scale.ts'

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

test('labels are in order and include the first and the last day', () => {
  expect(spreadLabels(84, 7)).toEqual([0, 14, 28, 42, 55, 69, 83])
  expect(spreadLabels(1, 7)).toEqual([0])
  expect(spreadLabels(2, 7)).toEqual([0, 1])
})
