import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import type { CalendarDay } from '../../server/sponsorship/calendar/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { isInTime } from '../../server/sponsorship/in-time.ts'
import type { StatusShape } from '../ui/status-mark.tsx'

interface Slots {
  placements: Pick<Placement, 'id' | 'seats' | 'closedAt' | 'leadDays'>[]
  bookings: Pick<Booking, 'day' | 'placementId' | 'state'>[]
  today: string
}

interface State {
  says: 'answer' | 'approve' | 'waiting' | 'open' | 'out' | 'complete'
  shape: StatusShape
  count: number
}

type Day = Pick<CalendarDay, 'day' | 'sold' | 'publications'>

/** Whether something went out on the day, which takes what is booked with it. */
const isOut = ({ publications }: Pick<Day, 'publications'>): boolean => publications.some(({ published }) => published)

/** Whether a placement on the day can still be had: it is sold, and nothing went out yet. */
export const isOpenDay = (day: Day, today: string): boolean => day.sold && day.day >= today && !isOut(day)

/** The days on which something is booked, or can still be had. */
export const daysWithSlots = <D extends Day>({ days, ...slots }: Slots & { days: D[] }): D[] =>
  days.filter((day) => slots.bookings.some((one) => one.day === day.day) || slotsState(slots, day).says === 'open')

/** What a day of the calendar waits for: first the newsletter’s own word, then the sponsors’, then a buyer. */
export function slotsState({ placements, bookings, today }: Slots, day: Day): State {
  const here = bookings.filter((one) => one.day === day.day)
  const countOf = (...states: Booking['state'][]) => here.filter(({ state }) => states.includes(state)).length
  const answer = countOf('requested')
  if (answer > 0) return { says: 'answer', shape: 'paused', count: answer }
  const approve = countOf('creative_in')
  if (approve > 0) return { says: 'approve', shape: 'paused', count: approve }
  const waiting = countOf('accepted', 'invoiced', 'paid', 'replacement', 'changes_asked')
  if (waiting > 0) return { says: 'waiting', shape: 'scheduled', count: waiting }
  const open = placements.reduce((sum, one) => sum + seatsToSell({ placement: one, day, here, today }), 0)
  if (open > 0) return { says: 'open', shape: 'draft', count: open }
  return { says: isOut(day) ? 'out' : 'complete', shape: 'sent', count: 0 }
}

/** How many texts of a day are to be approved, beside what else `slotsState` says of it. */
export const alsoToApprove = (slots: Slots, day: Day): number =>
  slotsState(slots, day).says === 'answer'
    ? slots.bookings.filter((one) => one.day === day.day && one.state === 'creative_in').length
    : 0

/** The days on which somebody can still have a placement: they are open, and there is a seat. */
export const freeDays = (
  { days, placements, bookings, today }: Slots & { days: Day[] },
  placementId: number,
): string[] => {
  const placement = placements.find(({ id }) => id === placementId)
  const isFree = (day: Day) =>
    isOpenDay(day, today) &&
    placement !== undefined &&
    freeSeats(
      placement,
      bookings.filter((one) => one.day === day.day),
    ) > 0
  return days.filter(isFree).map(({ day }) => day)
}

/** How many sponsors can still ask for the placement on the day; owners enter by hand what is agreed later. `here`: bookings of the day. */
export const seatsToSell = ({
  placement,
  day,
  here,
  today,
}: {
  placement: Slots['placements'][number]
  day: Day
  here: Slots['bookings']
  today: string
}): number => (isOpenDay(day, today) && isInTime(day.day, placement, today) ? freeSeats(placement, here) : 0)

/** @param here bookings of the day */
export const freeSeats = ({ id, seats, closedAt }: Slots['placements'][number], here: Slots['bookings']): number =>
  closedAt === null ? Math.max(0, seats - here.filter(({ placementId }) => placementId === id).length) : 0
