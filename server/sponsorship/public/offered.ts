import { type Currency, usedCurrencies } from '../../charge/money.ts'
import { type Visitor, wishedCurrency } from '../../charge/plans/offers.ts'
import type { Context } from '../../context.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { listHeld } from '../bookings/bookings.ts'
import type { Placement } from '../contract.ts'
import { dayAt, daysLater, listDays } from '../days.ts'
import { isInTime } from '../in-time.ts'
import { listPlacements } from '../placements.ts'

/** So far ahead, and at most so many days, can somebody ask for a slot. */
const AHEAD_DAYS = 92
const MOST_DAYS = 12

export interface OfferedSlot {
  placementId: number
  day: string
  /** How many sponsors can still have it; 0: it is taken, or what they say would be late. */
  free: number
}

export interface Offered {
  /** Those with a price in the currency. */
  placements: (Placement & { amount: number })[]
  /** Those that have a price in other currencies alone, at the first of these. */
  elsewhere: (Placement & { amount: number; currency: Currency })[]
  currencies: Currency[]
  currency: Currency | null
  days: string[]
  slots: OfferedSlot[]
}

/** What a sponsor can ask for now. */
export async function offeredSlots(
  { db, now }: Pick<Context, 'db' | 'now'>,
  newsletter: NewsletterRow,
  visitor: Omit<Visitor, 'usual'>,
): Promise<Offered> {
  const all = (await listPlacements(db, newsletter.id)).filter(({ closedAt }) => closedAt === null)
  const currencies = usedCurrencies(
    newsletter.currency,
    all.flatMap(({ prices }) => Object.keys(prices)),
  )
  const currency = wishedCurrency(currencies, { ...visitor, usual: newsletter.currency })
  const placements = all.flatMap((placement) => {
    const amount = currency && placement.prices[currency]
    return amount ? [{ ...placement, amount }] : []
  })
  const elsewhere = all.flatMap((placement) => {
    const other = currency && !placement.prices[currency] && currencies.find((one) => placement.prices[one])
    return other ? [{ ...placement, currency: other, amount: placement.prices[other] ?? 0 }] : []
  })
  const today = dayAt(newsletter, now())
  const range = { from: today, to: daysLater(today, AHEAD_DAYS) }
  const days = (await listDays(db, newsletter, range))
    .filter(({ sold, publications }) => sold && !publications.some(({ published }) => published))
    .map(({ day }) => day)
    .filter((day) => placements.some((placement) => isInTime(day, placement, today)))
    .slice(0, MOST_DAYS)
  const held = await listHeld(db, newsletter.id, range)
  const slots = placements.flatMap((placement) =>
    days.map((day) => {
      const { id: placementId, seats } = placement
      const taken = held.filter((one) => one.placementId === placementId && one.day === day).length
      return { placementId, day, free: isInTime(day, placement, today) ? Math.max(0, seats - taken) : 0 }
    }),
  )
  return { placements, elsewhere, currencies, currency, days, slots }
}
