import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { listHeld } from '../bookings/bookings.ts'
import { sponsorshipLimits } from '../contract.ts'
import { dayAt, daysLater, listDays } from '../days.ts'
import { listPlacements, settingsOf } from '../placements.ts'
import type { readCalendar } from './contract.ts'

const USUAL_DAYS = 56

/** Publications by placements, of eight weeks from a day on. @throws AppError invalid when the range is none, or too long */
export async function calendarOf(
  { db, now }: Pick<Context, 'db' | 'now'>,
  newsletter: NewsletterRow,
  asked: z.output<typeof readCalendar.query>,
): Promise<z.input<typeof readCalendar.reply>> {
  const today = dayAt(newsletter, now())
  const from = asked.from ?? today
  const to = asked.to ?? daysLater(from, USUAL_DAYS - 1)
  if (to < from || to > daysLater(from, sponsorshipLimits.calendarDays - 1))
    throw new AppError('invalid', { fields: { from: 'range' } })
  const placements = await listPlacements(db, newsletter.id)
  const bookings = await listHeld(db, newsletter.id, { from, to })
  const isShown = (id: number) => bookings.some(({ placementId }) => placementId === id)
  return {
    ...{ from, to, today, bookings },
    settings: settingsOf(newsletter),
    placements: placements.filter(({ id, closedAt }) => closedAt === null || isShown(id)),
    days: await listDays(db, newsletter, { from, to }),
  }
}
