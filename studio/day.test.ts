import { expect, test } from 'vitest'
import { dayOf, endOfDay, momentOfDay, monthsLater } from './day.ts'

test('a day is the one of the timezone, with all its hours', () => {
  expect(dayOf('2026-11-22T23:30:00Z', 'Europe/Paris')).toBe('2026-11-23')
  expect(dayOf(new Date('2026-11-22T12:00:00Z'), 'Pacific/Apia')).toBe('2026-11-23')
  expect(endOfDay('2026-11-22', 'Europe/Paris')).toBe('2026-11-22T22:59:59.000Z')
  expect(endOfDay('2026-11-22', 'America/New_York')).toBe('2026-11-23T04:59:59.000Z')
  expect(endOfDay('', 'UTC')).toBeNull()
})

test('a day that is chosen, kept and shown again is the same', () => {
  for (const timezone of ['UTC', 'Pacific/Apia', 'America/Havana', 'Asia/Kolkata'])
    for (const day of ['2026-03-08', '2026-03-29', '2026-11-01', '2026-12-31'])
      expect(dayOf(endOfDay(day, timezone) ?? '', timezone)).toBe(day)
})

test('money that came today came now, and on another day at its noon', () => {
  const now = new Date('2026-11-22T23:30:00Z')
  expect(momentOfDay('2026-11-23', 'Europe/Paris', now)).toBe(now.toISOString())
  expect(momentOfDay('2026-11-22', 'Europe/Paris', now)).toBe('2026-11-22T11:00:00.000Z')
})

test('a month later is never two', () => {
  expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28')
  expect(monthsLater('2026-11-22', 12)).toBe('2027-11-22')
  expect(monthsLater('2026-12-31', 2)).toBe('2027-02-28')
})
