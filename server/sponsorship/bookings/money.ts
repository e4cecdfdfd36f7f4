import { writtenSum } from '../../charge/money.ts'
import { AppError } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { hasCardMoney } from '../payment/card-payments.ts'
import type { ByMember, Changing } from './act.ts'
import { type BookingKey, factsOf, findBooking, leftOf, lockBooking, type StoredBooking } from './bookings.ts'
import type { Booking } from './contract.ts'
import { afterAct } from './state.ts'

interface Noted extends ByMember {
  act: 'invoice' | 'pay' | 'refund'
  words: string
  /** What was given back; all that is left where it is missing. */
  amount?: number | undefined
  /** How much of it was given back before, as whoever notes it read. */
  seen?: number | undefined
  /** In which refusals say how much is left. */
  language: Language
}

/**
 * Notes what happened to the money of a booking outside of here, and returns how much was given back with it. What is given back in parts stays
 * paid until the last of them.
 *
 * @throws AppError invalid, booking_not_found, booking_moved_on, slot_taken, charged_by_stripe, given_back_meanwhile, more_than_is_left,
 *   too_many_requests
 */
export async function noteMoney(
  { db, now, changes }: Changing,
  key: BookingKey,
  noted: Noted,
): Promise<{ booking: Booking; givenBack: number }> {
  const { act, words, amount, seen, userId } = noted
  if (act !== 'refund' && amount !== undefined)
    throw new AppError('invalid', { fields: { amount: 'only_with_refund' } })
  if (amount !== undefined && seen === undefined) throw new AppError('invalid', { fields: { seen: 'required' } })
  await changes.admitMail(key, act)
  return db.transaction().execute(async (tx) => {
    // Before the note, so that a payment which is given back at Stripe meanwhile is waited for.
    const before = await lockBooking(tx, key)
    if (act === 'refund' && (await hasCardMoney(tx, key))) throw new AppError('charged_by_stripe')
    const part = act === 'refund' ? partOf(before, noted) : null
    const at = now()
    if (part !== null) await changes.notePart(tx, key, { amount: part, words, userId, at })
    else await changes.change(tx, key, { act, words, actor: 'member', userId, at })
    const booking = await findBooking(tx, key)
    return { booking, givenBack: booking.givenBack - before.givenBack }
  })
}

/** How much of what is left goes back; null when it is all of it. @throws AppError booking_moved_on, given_back_meanwhile, more_than_is_left */
function partOf(booking: StoredBooking, { amount, seen, language }: Noted): number | null {
  if (amount === undefined) return null
  const { state, givenBack, currency } = booking
  if (seen !== givenBack) throw new AppError('given_back_meanwhile', { field: 'amount' })
  if (afterAct(factsOf(booking), 'refund') === null) throw new AppError('booking_moved_on', { detail: { state } })
  const left = leftOf(booking)
  if (amount > left)
    throw new AppError('more_than_is_left', {
      ...{ field: 'amount', params: { left: writtenSum(left, currency, language) } },
    })
  return amount === left ? null : amount
}
