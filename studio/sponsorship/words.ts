import type { TFunction } from 'i18next'
import { type Currency, writtenSum } from '../../server/charge/money.ts'
import type { Language } from '../../server/languages.ts'
import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import type { StatusShape } from '../ui/status-mark.tsx'

/** What a placement is called in a language, else in any that it has. */
export const placementName = ({ words }: Pick<Placement, 'words'>, language: Language): string =>
  (words[language] ?? Object.values(words)[0])?.name ?? ''

/** The price in this currency, else the first that there is. */
export function priceIn({ prices }: Placement, currency: string): { currency: Currency; amount: number } | null {
  const all = Object.entries(prices) as [Currency, number][]
  const found = all.find(([one]) => one === currency) ?? all[0]
  return found ? { currency: found[0], amount: found[1] } : null
}

export interface Sum {
  amount: number
  currency: Currency
}

/** One sum of each currency, `own` first; nothing at all is nothing of `own`. */
export function sumsByCurrency(sums: readonly Sum[], own: Currency): Sum[] {
  const found = Map.groupBy(
    sums.filter(({ amount }) => amount > 0),
    ({ currency }) => currency,
  )
  const added = [...found].map(([currency, of]) => ({
    currency,
    amount: of.reduce((all, { amount }) => all + amount, 0),
  }))
  return added.length > 0
    ? added.sort((a, b) => Number(b.currency === own) - Number(a.currency === own) || b.amount - a.amount)
    : [{ currency: own, amount: 0 }]
}

export const sumText = ({ amount, currency }: { amount: number; currency: Currency }, language: Language): string =>
  writtenSum(amount, currency, language)

/** `60 words and an image` */
export const limitsText = (t: TFunction, { maxWords, takesImage }: Placement): string =>
  [t('sponsorship.words', { count: maxWords }), takesImage ? t('sponsorship.withImage') : ''].filter(Boolean).join(' ')

/** The shape of the mark of a booking's state. */
export const bookingShape: Record<Booking['state'], StatusShape> = {
  requested: 'draft',
  accepted: 'scheduled',
  declined: 'stopped',
  expired: 'stopped',
  invoiced: 'scheduled',
  paid: 'scheduled',
  creative_in: 'paused',
  changes_asked: 'paused',
  approved: 'sent',
  scheduled: 'scheduled',
  ran: 'sent',
  reported: 'sent',
  cancelled: 'stopped',
  refunded: 'stopped',
  made_good: 'sent',
  replacement: 'scheduled',
}

/** How a slot that is taken is drawn and summed: asked for, accepted and not sold yet, or sold. */
export const slotKind = ({ state }: Pick<Booking, 'state'>): 'requested' | 'accepted' | 'sold' =>
  state === 'requested' || state === 'accepted' ? state : 'sold'

/** What of a sold slot to come is not here: a text that is late, one that is awaited, or nothing. */
export function missingText(
  { state, day, creativeDue }: Pick<Booking, 'state' | 'day' | 'creativeDue'>,
  today: string,
) {
  if (day < today || !['invoiced', 'paid', 'replacement', 'changes_asked'].includes(state)) return null
  return creativeDue < today ? 'late' : 'awaited'
}
