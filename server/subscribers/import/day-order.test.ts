import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DayEvidence, hasTwoMeanings, isoOf } from './day-order.ts'

const evidenceOf = (cells: string[]) => {
  const evidence = new DayEvidence()
  for (const [at, cell] of cells.entries()) evidence.add(cell, { line: at + 1, column: 0 })
  return evidence
}

test.each([
  ['19/01/2025', '2025-01-19T00:00:00', null],
  ['1/19/2025', null, '2025-01-19T00:00:00'],
  ['19.01.2025', '2025-01-19T00:00:00', null],
  ['3-4-2025', '2025-04-03T00:00:00', '2025-03-04T00:00:00'],
  ['05/05/2025', '2025-05-05T00:00:00', '2025-05-05T00:00:00'],
  ['19/01/2025 14:30', '2025-01-19T14:30:00', null],
  ['19/01/2025 9:05:07', '2025-01-19T09:05:07', null],
  ['1/19/2025, 2:30:15 PM', null, '2025-01-19T14:30:15'],
  ['1/19/2025 12:05 a.m.', null, '2025-01-19T00:05:00'],
  ['1/19/2025 12:05\u202FPM', null, '2025-01-19T12:05:00'],
  ['29/02/2024', '2024-02-29T00:00:00', null],
  ['29/02/2025', null, null],
  ['13/13/2025', null, null],
  ['0/1/2025', null, null],
  ['19/01/25', null, null],
  ['19/01.2025', null, null],
  ['1/19/2025 13:00 PM', null, null],
  ['1/19/2025 0:10 AM', null, null],
  ['19/01/2025 24:00', null, null],
  ['19/01/2025 14:60', null, null],
  ['19/01/202514:30', null, null],
  ['2025-01-19', null, null],
  ['19/01/2025 and more', null, null],
])('%s is %s with the day first and %s with the month first', (cell, dayFirst, monthFirst) =>
  expect([isoOf(cell, 'day_first'), isoOf(cell, 'month_first')]).toEqual([dayFirst, monthFirst]),
)

test.each<[string[], DayEvidence['order'], string | undefined]>([
  [['03/04/2025', '19/01/2025'], 'day_first', undefined],
  [['03/04/2025', '1/19/2025'], 'month_first', undefined],
  [['19/01/2025', '03/04/2025', '1/19/2025'], 'mixed', undefined],
  [['', '05/05/2025', '03/04/2025', '04/03/2025'], null, '03/04/2025'],
  [['05/05/2025', '2025-01-19', 'soon', '19/01/25', '31/02/2025'], null, undefined],
  [['31/02/2024', '04/31/2024', '03/04/2025'], null, '03/04/2025'],
])('of %j the order is %s', (cells, order, unproven) => {
  const evidence = evidenceOf(cells)
  expect([evidence.order, evidence.unproven?.cell]).toEqual([order, unproven])
})

const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
const written = (date: Date, order: 'day_first' | 'month_first') => {
  const [d, m] = [date.getUTCDate(), date.getUTCMonth() + 1]
  return `${(order === 'day_first' ? [d, m] : [m, d]).join('/')}/${date.getUTCFullYear()}`
}
const asIso = (date: Date) => `${date.toISOString().slice(0, 10)}T00:00:00`

test('days that are all written in one order are read as they were meant, or the owner is asked', () =>
  fc.assert(
    fc.property(fc.array(day), fc.constantFrom('day_first' as const, 'month_first' as const), (days, order) => {
      const cells = days.map((each) => written(each, order))
      const { order: found, unproven } = evidenceOf(cells)
      expect([order, null]).toContain(found)
      const read = cells.map((cell) => isoOf(cell, unproven ? order : found === 'mixed' ? null : found))
      expect(read).toEqual(days.map(asIso))
    }),
  ))

test('in a file with both orders a day is read as it was meant, or not at all', () =>
  fc.assert(
    fc.property(day, fc.constantFrom('day_first' as const, 'month_first' as const), (each, order) => {
      const cell = written(each, order)
      expect(isoOf(cell, null)).toBe(hasTwoMeanings(cell) ? null : asIso(each))
    }),
  ))

test('only a day that there is proves the order', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 31 }),
      fc.integer({ min: 1, max: 31 }),
      fc.integer({ min: 1990, max: 2030 }),
      (one, other, year) => {
        const isDay = (d: number, m: number) => m <= 12 && d <= new Date(Date.UTC(year, m, 0)).getUTCDate()
        const proven = isDay(one, other) === isDay(other, one) ? null : isDay(one, other) ? 'day_first' : 'month_first'
        expect(evidenceOf([`${one}/${other}/${year}`]).order).toBe(proven)
      },
    ),
  ))

test('the order in which the cells stand changes nothing', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(day, fc.boolean())), (days) => {
      const cells = days.map(([each, first]) => written(each, first ? 'day_first' : 'month_first'))
      expect(evidenceOf(cells.toReversed()).order).toBe(evidenceOf(cells).order)
    }),
  ))
