import { expect, test } from 'vitest'
import { askedOf, isRange, type Preset } from './range-choice.ts'

const dates = { from: '2026-03-01', to: '2026-05-02' }

test.each<[Preset, string, ReturnType<typeof askedOf>]>([
  ['30', '2026-03-01', { by: 'day', from: '2026-01-31', to: '2026-03-01' }],
  ['6', '2026-11-22', { by: 'month', from: '2026-06-01', to: '2026-11-30' }],
  ['3', '2024-02-29', { by: 'month', from: '2023-12-01', to: '2024-02-29' }],
  ['12', '2026-12-31', { by: 'month', from: '2026-01-01', to: '2026-12-31' }],
  ['all', '2026-11-22', { by: 'month' }],
  ['dates', '2026-11-22', { by: 'month', from: '2026-03-01', to: '2026-05-02' }],
])('%s at %s', (preset, today, asked) => {
  expect(askedOf(preset, { today, dates })).toEqual(asked)
})

test('few days are shown by day', () => {
  expect(askedOf('dates', { today: '2026-11-22', dates: { from: '2026-03-01', to: '2026-05-01' } }).by).toBe('day')
})

test('what is no range is not asked for', () => {
  expect(isRange(dates)).toBe(true)
  expect([isRange({ from: '', to: '2026-01-01' }), isRange({ from: '2026-02-01', to: '2026-01-01' })]).toEqual([
    false,
    false,
  ])
})
