import { expect, test } from 'vitest'
import { wallClock } from '../wall-clock.ts'
import { usualTimes } from './usual-times.ts'

const HOUR = 3_600_000
const timezone = 'Europe/Paris'
const saturdayAtSeven = { weekday: 6, hour: 7 }

// The clocks of Paris go forward on 29 March 2026, and back on 25 October.
const weeks = ['2026-03-23', '2026-10-19', '2026-11-23'].flatMap((monday) =>
  [0, 1, 2, 3, 4, 5, 6].map((day) => new Date(Date.parse(`${monday}T07:00:00Z`) + day * 24 * HOUR).toISOString()),
)

test.each(weeks)(
  'on %s the last letter is read and about a week old at most, the next has a day left and about a week more, and all are at seven',
  (at) => {
    const now = Date.parse(at)
    const { past, coming } = usualTimes(saturdayAtSeven, { timezone, now })
    for (const [away, least] of [
      [now - past(0), 20 * HOUR],
      [coming(0) - now, 24 * HOUR],
    ] as const) {
      expect(away).toBeGreaterThanOrEqual(least)
      // The week in which the clocks go back has an hour more.
      expect(away).toBeLessThan(least + (7 * 24 + 1) * HOUR)
    }
    for (let week = 0; week < 52; week += 1)
      for (const day of [past(week), coming(week)])
        expect(new Date(wallClock(new Date(day), timezone)).toUTCString()).toMatch(/^Sat, .* 07:00:00 GMT$/)
  },
)
