import { type Dates, isRange } from '../../charge/figures/range-choice.ts'
import type { AskedRange } from '../queries.ts'

export const presets = ['4', '12', '52', 'all', 'dates'] as const
export type Preset = (typeof presets)[number]

/** What is shown when an address says nothing of a range. */
export const usualPreset: Preset = '12'

export interface Choice {
  preset: Preset
  /** What stands in the two fields. It is asked for only with the preset `dates`. */
  dates: Dates
}

const DAY_MS = 86_400_000
const MOST_DAYS = 3_660
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const weeksUntil = (today: string, weeks: number): Dates => ({
  from: new Date(timeOf(today) - (weeks * 7 - 1) * DAY_MS).toISOString().slice(0, 10),
  to: today,
})

/** The choice that an address holds: `?range=52`, or `?from=2026-01-01&to=2026-03-31`. */
export function choiceOf(address: URLSearchParams, today: string): Choice {
  const usual = weeksUntil(today, Number(usualPreset))
  const [from, to] = [address.get('from'), address.get('to')]
  if (from !== null || to !== null) return { preset: 'dates', dates: { from: from ?? usual.from, to: to ?? usual.to } }
  const preset = presets.find((each) => each === address.get('range') && each !== 'dates') ?? usualPreset
  return { preset, dates: preset === 'all' ? usual : weeksUntil(today, Number(preset)) }
}

/** What of an address holds the choice. The usual one needs nothing. */
export function addressOf({ preset, dates }: Choice): Record<string, string> {
  if (preset === 'dates') return { ...dates }
  return preset === usualPreset ? {} : { range: preset }
}

/** Why the server would not answer for these days, or null. */
export function faultOf(dates: Dates): 'noDay' | 'noRange' | 'tooLong' | null {
  if (!isRange(dates)) return dates.from && dates.to && dates.from > dates.to ? 'noRange' : 'noDay'
  return timeOf(dates.to) - timeOf(dates.from) < MOST_DAYS * DAY_MS ? null : 'tooLong'
}

/** What to ask the server for. Days that are no range are not asked for: the usual ones stay on screen. */
export function askedOf({ preset, dates }: Choice, today: string): AskedRange {
  if (preset === 'all') return { from: 'first', to: today }
  return faultOf(dates) === null ? dates : weeksUntil(today, Number(usualPreset))
}
