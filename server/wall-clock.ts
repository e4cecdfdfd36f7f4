const DAY_MS = 24 * 60 * 60_000

/** The instant at which the clocks of a timezone show this, given as if it were UTC; the first of two, and an hour later where they skip it. */
export function instantOf(wall: number, timezone: string): Date {
  const before = offsetAt(wall - DAY_MS, timezone)
  const after = offsetAt(wall + DAY_MS, timezone)
  const shown = [before, after]
    .map((offset) => wall - offset)
    .filter((at) => wallClock(new Date(at), timezone) === wall)
  return new Date(shown.length > 0 ? Math.min(...shown) : wall - before)
}

const offsetAt = (utc: number, timezone: string): number => wallClock(new Date(utc), timezone) - utc

/** What the clocks of a timezone show, as milliseconds as if it were UTC, to the second. */
export function wallClock(at: Date, timezone: string): number {
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}
