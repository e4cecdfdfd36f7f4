import { expect, test } from 'vitest'
import { pointsBetween } from './points.ts'

test.each([
  // Shown as 12.1% and 10.5%.
  [0.1206, 0.1054, 1.6],
  [0.4969, 0.5364, -3.9],
  [0.0021, 0.0016, 0.05],
  [0.0102, 0.0098, 0.02],
  [0.5, 0.5, 0],
  [0.12301, 0.12349, 0],
])('from %d to %d it is %d points', (now, before, points) => {
  expect(pointsBetween(now, before)).toBe(points)
})
