import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countDays,
  countMonths,
  dayIn,
  daysLater,
  monthOf,
  monthsLater,
  type Piece,
  partsOf,
  piecesOf,
  rangeBefore,
  rangesOfParts,
  stepsOf,
} from './range.ts'

const range = fc
  .tuple(fc.integer({ min: 0, max: 8000 }), fc.integer({ min: 0, max: 1200 }))
  .map(([start, days]) => ({ from: daysLater('2010-01-01', start), to: daysLater('2010-01-01', start + days) }))

const daysOf = ({ span, from, to }: Piece): string[] =>
  span === 'day' ? stepsOf({ from, to }, 'day') : stepsOf({ from, to: daysLater(monthsLater(to, 1), -1) }, 'day')

test('the pieces of a range are its days, each once and in order', () => {
  fc.assert(
    fc.property(range, (asked) => {
      const pieces = piecesOf(asked)
      expect(pieces.flatMap(daysOf)).toEqual(stepsOf(asked, 'day'))
      const days = pieces.filter(({ span }) => span === 'day').map(countDays)
      expect(days.every((count) => count < 62)).toBe(true)
    }),
  )
})

test('the parts of a range are its days, each once, divided as the sums of parts are', () => {
  fc.assert(
    fc.property(range, (asked) => {
      const parts = rangesOfParts(asked).map((part) => stepsOf(part, 'day'))
      expect(parts.flat()).toEqual(stepsOf(asked, 'day'))
      const summed = stepsOf(asked, 'day').map((_, day) => Math.floor((day * partsOf(asked)) / countDays(asked)))
      expect(parts.flatMap((days, part) => days.map(() => part))).toEqual(summed)
    }),
  )
})

test('the range before ends the day before, and is as long', () => {
  fc.assert(
    fc.property(range, (asked) => {
      const before = rangeBefore(asked)
      expect(daysLater(before.to, 1)).toBe(asked.from)
      if (monthOf(before.from) === before.from && countMonths(before) === countMonths(asked)) return
      expect(countDays(before)).toBe(countDays(asked))
    }),
  )
})

test.each([
  [
    { from: '2026-06-01', to: '2026-11-30' },
    { from: '2025-12-01', to: '2026-05-31' },
  ],
  [
    { from: '2026-02-01', to: '2026-02-28' },
    { from: '2026-01-01', to: '2026-01-31' },
  ],
  [
    { from: '2026-10-24', to: '2026-11-22' },
    { from: '2026-09-24', to: '2026-10-23' },
  ],
  [
    { from: '2024-03-01', to: '2024-03-30' },
    { from: '2024-01-31', to: '2024-02-29' },
  ],
])('the range before one of months has as many months, and of days as many days', (asked, before) => {
  expect(rangeBefore(asked)).toEqual(before)
})

test('a day begins at midnight of the timezone, also where clocks change', () => {
  expect(dayIn(new Date('2026-03-28T22:59:59Z'), 'Europe/Paris')).toBe('2026-03-28')
  expect(dayIn(new Date('2026-03-28T23:00:00Z'), 'Europe/Paris')).toBe('2026-03-29')
  expect(dayIn(new Date('2026-03-29T21:59:59Z'), 'Europe/Paris')).toBe('2026-03-29')
  expect(dayIn(new Date('2026-03-29T22:00:00Z'), 'Europe/Paris')).toBe('2026-03-30')
})
