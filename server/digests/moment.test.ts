import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestPaces } from '../subscribers/contract.ts'
import { lastMoment, nextMoment, type Schedule } from './moment.ts'

const at = (timezone: string, hour = 8, weekday = 1): Schedule => ({ timezone, hour, weekday })
const paris = at('Europe/Paris')

const around = [
  ['weekly', paris, '2026-11-22T16:00:00Z', '2026-11-16T07:00:00Z', '2026-11-23T07:00:00Z'],
  ['weekly', paris, '2026-11-23T07:00:00Z', '2026-11-23T07:00:00Z', '2026-11-30T07:00:00Z'],
  ['weekly', paris, '2026-11-23T06:59:59Z', '2026-11-16T07:00:00Z', '2026-11-23T07:00:00Z'],
  ['monthly', paris, '2026-11-22T16:00:00Z', '2026-11-01T07:00:00Z', '2026-12-01T07:00:00Z'],
  ['monthly', paris, '2027-01-01T06:00:00Z', '2026-12-01T07:00:00Z', '2027-01-01T07:00:00Z'],
  // Eight in the morning before and after summer time begins on 29 March 2026, and ends on 25 October.
  ['weekly', paris, '2026-03-30T06:00:00Z', '2026-03-30T06:00:00Z', '2026-04-06T06:00:00Z'],
  ['weekly', paris, '2026-03-29T12:00:00Z', '2026-03-23T07:00:00Z', '2026-03-30T06:00:00Z'],
  ['weekly', paris, '2026-10-25T12:00:00Z', '2026-10-19T06:00:00Z', '2026-10-26T07:00:00Z'],
  // Two o'clock is skipped in Paris on that day, and comes twice at the end of summer time.
  ['weekly', at('Europe/Paris', 2, 7), '2026-03-29T12:00:00Z', '2026-03-29T01:00:00Z', '2026-04-05T00:00:00Z'],
  ['weekly', at('Europe/Paris', 2, 7), '2026-10-25T12:00:00Z', '2026-10-25T00:00:00Z', '2026-11-01T01:00:00Z'],
  // The day of the timezone, not of UTC.
  ['weekly', at('Pacific/Auckland'), '2026-11-22T18:59:59Z', '2026-11-15T19:00:00Z', '2026-11-22T19:00:00Z'],
  ['monthly', at('Pacific/Kiritimati', 0), '2026-10-31T10:00:00Z', '2026-10-31T10:00:00Z', '2026-11-30T10:00:00Z'],
  ['monthly', at('America/St_Johns', 23), '2026-11-02T02:30:00Z', '2026-11-02T02:30:00Z', '2026-12-02T02:30:00Z'],
  // Samoa had no 30 December 2011.
  ['weekly', at('Pacific/Apia', 8, 6), '2011-12-31T00:00:00Z', '2011-12-30T18:00:00Z', '2012-01-06T18:00:00Z'],
] as const

test.each(around.map(([pace, schedule, now, last, next]) => ({ pace, schedule, now, last, next })))(
  '$pace, $schedule: around $now',
  ({ pace, schedule, now, last, next }) => {
    expect(lastMoment(schedule, pace, new Date(now))).toEqual(new Date(last))
    expect(nextMoment(schedule, pace, new Date(now))).toEqual(new Date(next))
  },
)

const schedules: fc.Arbitrary<Schedule> = fc.record({
  timezone: fc.constantFrom(
    'Europe/Paris',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'UTC',
  ),
  hour: fc.integer({ min: 0, max: 23 }),
  weekday: fc.integer({ min: 1, max: 7 }),
})
const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })

test('now is always between two moments, and none lies in between', () => {
  fc.assert(
    fc.property(schedules, fc.constantFrom(...digestPaces), times, (schedule, pace, now) => {
      const [last, next] = [lastMoment(schedule, pace, now), nextMoment(schedule, pace, now)]
      expect(last <= now && now < next).toBe(true)
      expect(nextMoment(schedule, pace, last)).toEqual(next)
      expect(lastMoment(schedule, pace, new Date(next.getTime() - 1))).toEqual(last)
      const days = (next.getTime() - last.getTime()) / 86_400_000
      expect(days).toBeGreaterThan(pace === 'weekly' ? 6.9 : 27.9)
      expect(days).toBeLessThan(pace === 'weekly' ? 7.1 : 31.1)
    }),
  )
})
