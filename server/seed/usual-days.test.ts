import { expect, test } from 'vitest'
import { usualDays } from './usual-days.ts'

const HOUR = 3_600_000
const saturdayAtSix = { weekday: 6, hour: 6 }

test.each(['23', '24', '25', '26', '27', '28', '29'].map((day) => `2026-11-${day}T07:00:00Z`))(
  'on %s the last letter is read and less than eight days old, and the next has a day left and less than eight',
  (at) => {
    const now = Date.parse(at)
    const { lastDay, nextDay } = usualDays(saturdayAtSix, now)
    for (const [day, least] of [
      [now - lastDay, 20 * HOUR],
      [nextDay - now, 24 * HOUR],
    ] as const) {
      expect(day).toBeGreaterThanOrEqual(least)
      expect(day).toBeLessThan(least + 7 * 24 * HOUR)
    }
    for (const day of [lastDay, nextDay]) expect(new Date(day).toUTCString()).toMatch(/^Sat, .* 06:00:00 GMT$/)
  },
)
