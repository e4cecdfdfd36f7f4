import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instantAt, nextHour, timeOn, timeToOffer, wallTimeOf } from './wall-clock.ts'

const timezones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia']

test.each([
  { timezone: 'Europe/Paris', date: '2026-11-28', time: '07:00', instant: '2026-11-28T06:00:00.000Z', note: 'exact' },
  { timezone: 'Europe/Paris', date: '2026-07-01', time: '07:00', instant: '2026-07-01T05:00:00.000Z', note: 'exact' },
  { timezone: 'Europe/Paris', date: '2026-03-29', time: '02:30', instant: '2026-03-29T01:30:00.000Z', note: 'skipped' },
  { timezone: 'Europe/Paris', date: '2026-10-25', time: '02:30', instant: '2026-10-25T00:30:00.000Z', note: 'twice' },
  {
    timezone: 'America/New_York',
    date: '2026-11-01',
    time: '01:15',
    instant: '2026-11-01T05:15:00.000Z',
    note: 'twice',
  },
  {
    timezone: 'America/New_York',
    date: '2026-03-08',
    time: '02:00',
    instant: '2026-03-08T07:00:00.000Z',
    note: 'skipped',
  },
  {
    timezone: 'Australia/Lord_Howe',
    date: '2026-04-05',
    time: '01:45',
    instant: '2026-04-04T14:45:00.000Z',
    note: 'twice',
  },
  { timezone: 'Asia/Kolkata', date: '2026-01-01', time: '00:00', instant: '2025-12-31T18:30:00.000Z', note: 'exact' },
])(
  'in $timezone, the local time $date $time is the instant $instant ($note)',
  ({ timezone, date, time, instant, note }) => {
    const moment = instantAt({ date, time }, timezone)
    expect(moment?.instant.toISOString()).toBe(instant)
    expect(moment?.note).toBe(note)
  },
)

test('the local time of an instant leads back to it, or to the first of two instants with that local time', () => {
  const minutes = fc.integer({ min: Date.UTC(2015, 0) / 60_000, max: Date.UTC(2035, 0) / 60_000 })
  fc.assert(
    fc.property(minutes, fc.constantFrom(...timezones), (minute, timezone) => {
      const instant = new Date(minute * 60_000)
      const back = instantAt(wallTimeOf(instant, timezone), timezone)
      expect(back?.note).not.toBe('skipped')
      if (back?.note === 'exact') expect(back.instant).toEqual(instant)
      else expect(back?.instant.getTime()).toBeLessThanOrEqual(instant.getTime())
    }),
    { numRuns: 500 },
  )
})

test('an incomplete date or time has no instant', () => {
  expect(instantAt({ date: '', time: '07:00' }, 'Europe/Paris')).toBeNull()
  expect(instantAt({ date: '2026-11-28', time: '' }, 'Europe/Paris')).toBeNull()
})

test('the next full hour is at least half an hour ahead', () => {
  expect(nextHour(new Date('2026-11-21T14:20:00Z')).toISOString()).toBe('2026-11-21T15:00:00.000Z')
  expect(nextHour(new Date('2026-11-21T14:40:00Z')).toISOString()).toBe('2026-11-21T16:00:00.000Z')
})

test('no time at night is offered', () => {
  const offered = (now: string) => Object.values(timeToOffer(new Date(now), 'Europe/Paris')).join(' ')
  expect(offered('2026-11-21T14:20:00Z')).toBe('2026-11-21 16:00')
  expect(offered('2026-11-21T19:20:00Z')).toBe('2026-11-21 21:00')
  expect(offered('2026-11-21T20:40:00Z')).toBe('2026-11-22 08:00')
  expect(offered('2026-11-30T23:50:00Z')).toBe('2026-12-01 08:00')
  expect(offered('2026-11-21T05:20:00Z')).toBe('2026-11-21 07:00')
})

test.each([
  { date: '', time: '' },
  { date: '2026-01-02', time: '' },
  { date: '', time: '08:00' },
  { date: '2026-1-2', time: '8:00' },
])('an incomplete time is none: %o', (wall) => {
  expect(instantAt(wall, 'Europe/Paris')).toBeNull()
})

test('a day is planned for the hour of the last sending, in the morning before there is one, and never for a time that has passed', () => {
  const plan = {
    day: '2026-11-28',
    chosen: null,
    last: null,
    timezone: 'Europe/Paris',
    now: new Date('2026-11-26T21:35:00Z'),
  }
  expect(timeOn(plan)).toEqual({ date: '2026-11-28', time: '08:00' })
  // Seven in summer, and seven in winter.
  expect(timeOn({ ...plan, last: new Date('2026-07-04T05:00:12Z') })).toEqual({ date: '2026-11-28', time: '07:00' })
  // What left at night is no habit; a night that was chosen is kept.
  const night = new Date('2026-11-20T02:37:00Z')
  expect(timeOn({ ...plan, last: night })).toEqual({ date: '2026-11-28', time: '08:00' })
  expect(timeOn({ ...plan, chosen: night, last: night })).toEqual({ date: '2026-11-28', time: '03:37' })
  const late = { ...plan, now: new Date('2026-11-28T10:10:00Z') }
  expect(timeOn(late)).toEqual({ date: '2026-11-28', time: '12:00' })
  expect(timeOn({ ...late, now: new Date('2026-11-28T22:45:00Z') })).toEqual({ date: '2026-11-29', time: '08:00' })
})
