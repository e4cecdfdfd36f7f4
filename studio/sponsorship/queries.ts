import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { getBooking, listBookings } from '../../server/sponsorship/bookings/contract.ts'
import { readCalendar } from '../../server/sponsorship/calendar/contract.ts'
import { listPlacements } from '../../server/sponsorship/contract.ts'
import { listHouseCampaigns } from '../../server/sponsorship/house/contract.ts'
import { readReport } from '../../server/sponsorship/report/contract.ts'
import { call } from '../api.ts'

export type ShownBooking = z.infer<typeof getBooking.reply>

/** What every part of sponsorship begins with, so that one change draws all of it anew. */
export const sponsorshipKey = (newsletterId: string) => [newsletterId, 'sponsorship'] as const

export const placementsQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...sponsorshipKey(newsletterId), 'placements'],
    queryFn: () => call(listPlacements, { params: { newsletterId } }),
  })

export const houseQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...sponsorshipKey(newsletterId), 'house'],
    queryFn: () => call(listHouseCampaigns, { params: { newsletterId } }),
  })

/** @param range of eight weeks from today on, where it says nothing else */
export const calendarQuery = (newsletterId: string, range: { from?: string; to?: string } = {}) =>
  queryOptions({
    queryKey: [...sponsorshipKey(newsletterId), 'calendar', range],
    queryFn: () => call(readCalendar, { params: { newsletterId }, query: range }),
  })

export const dueQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [...sponsorshipKey(newsletterId), 'due'],
    queryFn: () => call(listBookings, { params: { newsletterId }, query: { which: 'due', limit: 8 } }),
  })

export const bookingQuery = (newsletterId: string, bookingId: string) =>
  queryOptions({
    queryKey: [...sponsorshipKey(newsletterId), 'booking', bookingId],
    queryFn: () => call(getBooking, { params: { newsletterId, bookingId } }),
  })

export const reportQuery = (newsletterId: string, bookingId: string) =>
  queryOptions({
    queryKey: [...sponsorshipKey(newsletterId), 'report', bookingId],
    queryFn: () => call(readReport, { params: { newsletterId, bookingId } }),
  })
