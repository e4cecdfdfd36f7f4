/** A time as a clock on a wall shows it: `2026-11-28` and `07:00`. */
export interface WallTime {
  date: string
  time: string
}

/** `skipped`: clocks jump over this time that night. `twice`: clocks show it twice; the first one is meant. */
export interface SendTime {
  instant: Date
  note: 'exact' | 'skipped' | 'twice'
}

const MINUTE = 60_000

/**
 * The instant at which clocks in `timezone` show `wall`.
 *
 * In the hour that is skipped in spring the instant is as far after the jump as the time is (02:30 becomes 03:30); in the
 * hour that comes twice in autumn it is the first. Null for what is no date or time.
 */
export function instantAt(wall: WallTime, timezone: string): SendTime | null {
  const asUtc = Date.parse(`${wall.date}T${wall.time}:00Z`)
  if (Number.isNaN(asUtc)) return null
  const before = asUtc - offsetAt(asUtc - 1440 * MINUTE, timezone)
  const after = asUtc - offsetAt(asUtc + 1440 * MINUTE, timezone)
  const shown = [...new Set([before, after])].filter((instant) => instant + offsetAt(instant, timezone) === asUtc)
  if (shown.length === 0) return { instant: new Date(before), note: 'skipped' }
  return { instant: new Date(Math.min(...shown)), note: shown.length > 1 ? 'twice' : 'exact' }
}

/** What clocks in `timezone` show at an instant, to the minute. */
export function wallTimeOf(instant: Date, timezone: string): WallTime {
  const shown = new Date(instant.getTime() + offsetAt(instant.getTime(), timezone)).toISOString()
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) }
}

/** Milliseconds by which clocks in `timezone` are ahead of UTC at an instant. */
function offsetAt(instant: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(instant / 1000) * 1000
}

/** The next full hour, at least `ahead` milliseconds from `now`. */
export const nextHour = (now: Date, ahead = 30 * MINUTE): Date =>
  new Date(Math.ceil((now.getTime() + ahead) / (60 * MINUTE)) * 60 * MINUTE)
