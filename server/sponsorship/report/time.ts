import { dateFormat, type Language, locales } from '../../languages.ts'
import type { Figures, Report } from './contract.ts'
import { DAYS } from './count.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

type Clicks = NonNullable<Figures['clicks']>

/** The hour from which hours and days are counted: that in which it ran. */
const beginningOf = ({ ranAt }: Pick<Report, 'ranAt'>): number =>
  Math.floor(new Date(ranAt).getTime() / HOUR_MS) * HOUR_MS

/** When an hour after it ran begins. */
export const hourAt = (report: Pick<Report, 'ranAt'>, hour: number): Date =>
  new Date(beginningOf(report) + hour * HOUR_MS)

export interface DayOfReport {
  since: Date
  /** Whether it is still to come. */
  isAhead: boolean
  raw: number
  human: number
  confirmed: number
}

/** All seven days, each of 24 hours from the one in which it ran. Their sums are those of the report. */
export const daysOf = (report: Report, clicks: Clicks, now: Date): DayOfReport[] =>
  Array.from({ length: DAYS }, (_, day) => {
    const since = hourAt(report, day * DAY_HOURS)
    const hours = clicks.hours.filter(({ hour }) => Math.floor(hour / DAY_HOURS) === day)
    return {
      since,
      isAhead: since > now,
      raw: hours.reduce((sum, { raw }) => sum + raw, 0),
      human: hours.reduce((sum, { human }) => sum + human, 0),
      confirmed: report.yes?.days.find((one) => one.day === day)?.confirmed ?? 0,
    }
  })

/** Writes times of a report in the newsletter's timezone. */
export function timesIn(language: Language, timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = dateFormat(locales[language], { ...options, timeZone })
    return (at: Date | string) => formatter.format(new Date(at))
  }
  return {
    /** `Saturday 14 November 2026 at 07:00` */
    moment: format({ dateStyle: 'full', timeStyle: 'short' }),
    /** `Sat 14 Nov` */
    day: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    /** `Sat 14` */
    shortDay: format({ weekday: 'short', day: 'numeric' }),
    /** `07:00` */
    hour: format({ hour: '2-digit', minute: '2-digit' }),
  }
}
