import type { NewsletterRow } from '../http/scope.ts'
import { dayAt } from '../sponsorship/days.ts'
import { instantOf } from '../wall-clock.ts'

export interface Planned {
  scheduled_at: Date | null
  /** For which it is written, as `2026-11-23`. */
  planned_day: string | null
}

/** When what is unpublished would go out: when it is scheduled, else at noon of the day that it is written for; null when that is over, or there is none. */
export function plannedTime(
  { timezone }: Pick<NewsletterRow, 'timezone'>,
  { scheduled_at, planned_day: day }: Planned,
  now: Date,
): Date | null {
  if (scheduled_at || !day || day < dayAt({ timezone }, now)) return scheduled_at
  const noon = instantOf(Date.parse(`${day}T12:00:00Z`), timezone)
  return noon < now ? now : noon
}
