import type { AskedFigures } from './queries.ts'

export const presets = ['30', '3', '6', '12', 'all', 'dates'] as const
export type Preset = (typeof presets)[number]

/** Days of the newsletter's calendar, as `2026-11-22`. */
export interface Dates {
  from: string
  to: string
}

const DAY_MS = 86_400_000
const MOST_DAYS = 62
const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** What to ask the server for: whole months, the present one among them, or days where there are few. */
export function askedOf(preset: Preset, { today, dates }: { today: string; dates: Dates }): AskedFigures {
  if (preset === 'all') return { by: 'month' }
  if (preset === '30') return { by: 'day', from: dayAt(timeOf(today) - 29 * DAY_MS), to: today }
  if (preset === 'dates') {
    const days = (timeOf(dates.to) - timeOf(dates.from)) / DAY_MS + 1
    return { ...dates, by: days > MOST_DAYS ? 'month' : 'day' }
  }
  const [year = 0, month = 1] = today.split('-').map(Number)
  return { by: 'month', from: dayAt(Date.UTC(year, month - Number(preset), 1)), to: dayAt(Date.UTC(year, month, 0)) }
}

/** Whether two dates are a range that can be asked for. */
export const isRange = ({ from, to }: Dates): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(from) &&
  /^\d{4}-\d\d-\d\d$/.test(to) &&
  from <= to &&
  from >= '2000-01-01' &&
  to < '2100-01-01'
