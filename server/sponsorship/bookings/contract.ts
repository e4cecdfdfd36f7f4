import { z } from 'zod'
import { Currency } from '../../charge/currency.ts'
import { endpoint, line, lines, Newsletter, Paging, pageOf, webAddress } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'
import { Day } from '../contract.ts'

const When = z.iso.datetime()

/** What can be done with a booking. */
export const bookingActs = [
  'accept',
  'decline',
  'expire',
  'invoice',
  'pay',
  'send_creative',
  'ask_changes',
  'approve',
  'run',
  'report',
  'cancel',
  'refund',
  'make_good',
  'withdraw',
] as const
export type BookingAct = (typeof bookingActs)[number]

/** What happened to the money of a booking and changed no state: steps that are no acts. */
export const moneyNotes = [
  'pay_without_slot',
  'refund_part',
  'refund_owed',
  'refund_failed',
  'dispute',
  'dispute_won',
] as const
export type MoneyNote = (typeof moneyNotes)[number]

export const bookingStates = [
  'requested',
  'accepted',
  'declined',
  'expired',
  'invoiced',
  'paid',
  'creative_in',
  'changes_asked',
  'approved',
  'ran',
  'reported',
  'cancelled',
  'refunded',
  'made_good',
] as const
export type BookingState = (typeof bookingStates)[number]

/**
 * As it is shown: `scheduled` is an approved booking for whose slot a publication is scheduled, and no longer than it is; `replacement` one that
 * makes another good and has no text yet. It is stored as `paid`, whatever became of the money of the other.
 */
export const shownStates = [...bookingStates, 'scheduled', 'replacement'] as const
export type ShownState = (typeof shownStates)[number]

/** Characters of what a sponsor says, and the largest file of an image, in bytes. */
export const creativeLimits = {
  name: 40,
  text: 4_000,
  label: 40,
  target: 2_000,
  alt: 120,
  bytes: 5 * 1024 * 1024,
} as const

/** An image beside what a sponsor says: one of the newsletter's own, with words for those who cannot see it. */
const CreativeImage = z.object({ mediaId: z.string().regex(/^\w{1,20}$/), alt: line(creativeLimits.alt) })

/** What a sponsor says. How many words it may have, and whether it has an image, its placement says. */
export const Creative = z.object({
  /** The sponsor, as readers see it. */
  name: line(creativeLimits.name),
  text: lines(creativeLimits.text),
  /** The words of the link. */
  label: line(creativeLimits.label),
  target: webAddress(creativeLimits.target),
  image: CreativeImage.nullable().default(null),
})
export type Creative = z.infer<typeof Creative>

/** The usual term of an invoice, in days. */
export const invoiceDays = 30

export const Booking = z.object({
  id: z.string(),
  placementId: z.int(),
  day: Day,
  seat: z.int(),
  state: z.enum(shownStates),
  sponsor: z.string(),
  contact: z.string(),
  email: z.string().nullable(),
  language: z.enum(languages),
  message: z.string(),
  note: z.string(),
  currency: Currency,
  amount: z.int(),
  /** Its price, which goes with it when it gets another day before it runs; 0 for what has no price of its own (any more). */
  soldFor: z.int(),
  /** Until when the slot is kept without an answer, or without a payment; null: it does not lapse. */
  heldUntil: When.nullable(),
  /** How long what the sponsor says may be, and whether it may have an image: as it was sold, or more where its placement takes more since. */
  maxWords: z.int(),
  takesImage: z.boolean(),
  creative: Creative.nullable(),
  /** How often it was sent in: who approves says which of them they read. */
  creativeSent: z.int(),
  /** The day until which what the sponsor says is due. */
  creativeDue: Day,
  requestedAt: When,
  invoicedAt: When.nullable(),
  paidAt: When.nullable(),
  refundedAt: When.nullable(),
  /** How much was noted as given back outside of here, in parts or at once. */
  givenBack: z.int(),
  ranAt: When.nullable(),
  /** Raised when the sponsor's link was renewed. */
  linkVersion: z.int(),
  /** The publication that is scheduled with its slot, or in which it ran. */
  publication: z.object({ id: z.string(), title: z.string(), language: z.enum(languages) }).nullable(),
  /** Raised when the link to the report was. */
  reportVersion: z.int(),
  /** The booking that it makes good. */
  makesGood: z.string().nullable(),
  /** Whether money came by card for which the sponsor has no slot: it is given back, or they get another day. */
  owed: z.boolean(),
  /** Whether a bank took a payment by card back. */
  disputed: z.boolean(),
  /** What can be done with it now. */
  acts: z.array(z.enum(bookingActs)),
})
export type Booking = z.infer<typeof Booking>

/**
 * `due` are those that wait for the newsletter: requests to answer, words to approve or to ask for because they are late, what did
 * not run on its day, invoices that were not paid in thirty days, and final reports that nobody could be mailed.
 */
const BookingFilter = z.enum(['all', 'due', 'coming', 'over'])

export const listBookings = endpoint('GET /api/newsletters/:newsletterId/sponsorship/bookings', {
  permission: 'sponsorship.read',
  cost: 'search',
  summary: 'Bookings, the newest day first; those that are due, with the nearest day first',
  params: Newsletter,
  query: Paging.extend({ which: BookingFilter.default('all') }),
  reply: pageOf(Booking),
})

/** What a sponsor paid by card, with what became of it. */
const CardPayment = z.object({
  /** As in the list of payments. */
  id: z.string(),
  at: When,
  amount: z.int(),
  currency: Currency,
  test: z.boolean(),
  /** What Stripe keeps of it; 0 also while Stripe has not told it yet. */
  fee: z.int(),
  /** How much of it was given back. */
  refunded: z.int(),
  /** How much of it a bank took back. */
  disputed: z.int(),
  owed: z.boolean(),
  /** Where it is at Stripe; null while that is not known. */
  url: z.url().nullable(),
})
export type CardPayment = z.infer<typeof CardPayment>

const OneBooking = Newsletter.extend({ bookingId: z.string().max(40) })

export const getBooking = endpoint('GET /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId', {
  permission: 'sponsorship.read',
  summary: 'A booking with what was done with it',
  params: OneBooking,
  reply: Booking.extend({
    /** The day that its sponsor has in its place, or had when it ran; where all of them were cancelled, the last of these, and `stands` is false. */
    madeGoodBy: z.object({ id: z.string(), day: Day, stands: z.boolean() }).nullable(),
    /** Of one that makes another good: the day of that one. */
    insteadOf: Day.nullable(),
    /** Of one that makes another good: the booking that was sold, while it has a day that stands and its invoice is not paid. */
    unpaidFor: z.object({ id: z.string(), currency: Currency, amount: z.int() }).nullable(),
    /** Of one that makes another good: the booking that was sold, with what is here of the money that was paid for it, unless that ran. */
    paidFor: z.object({ id: z.string(), day: Day, currency: Currency, amount: z.int() }).nullable(),
    /** The day on which it ran, or another of the days that its sponsor was given for it; the last of these. */
    ranOn: Day.nullable(),
    /** Of one that makes another good: that day, while its price was not given back. Then the price stays, also when this one is cancelled. */
    ranBefore: Day.nullable(),
    /** What is here of the money that was paid for this booking, by card or outside. */
    paidHere: z.int(),
    /**
     * Of one that is sold and still to run, while no publication of its day has its slot: what goes out on that day without it, then drafts
     * with the slot. Else null.
     */
    couldRunIn: z.array(z.object({ id: z.string(), title: z.string(), isOfDay: z.boolean() })).nullable(),
    cardPayments: z.array(CardPayment),
    steps: z.array(
      z.object({
        at: When,
        act: z.string(),
        state: z.enum(bookingStates),
        actor: z.enum(['member', 'sponsor', 'system']),
        /** The member's name; null for others, for an API key, and once their account is deleted. */
        by: z.string().nullable(),
        words: z.string(),
        /** What was given back with it outside of here. */
        amount: z.int().nullable(),
      }),
    ),
  }),
  errors: ['booking_not_found'],
})

const Sponsor = z.object({
  sponsor: line(80),
  contact: line(80).or(z.literal('')).default(''),
  email: z.email().max(254).nullable().default(null),
  language: z.enum(languages),
  note: lines(1_000).or(z.literal('')).default(''),
})

export const createBooking = endpoint('POST /api/newsletters/:newsletterId/sponsorship/bookings', {
  permission: 'sponsorship.write',
  summary: 'Enter a booking that was agreed with a sponsor. It holds its slot until it is cancelled',
  params: Newsletter,
  body: Sponsor.extend({
    placementId: z.int().min(1).max(2_147_483_647),
    day: Day,
    currency: Currency,
    amount: z.int().min(1).max(99_999_999),
  }),
  audit: { act: 'booking_made', keeps: ['placementId', 'day', 'currency', 'amount'] },
  reply: Booking,
  errors: ['placement_not_found', 'placement_closed', 'slot_taken', 'day_not_sold', 'too_many_bookings'],
})

export const updateBooking = endpoint('PATCH /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId', {
  permission: 'sponsorship.write',
  summary: 'Correct who the sponsor is, and the note',
  params: OneBooking,
  body: Sponsor.partial(),
  reply: Booking,
  errors: ['booking_not_found'],
})

const said = lines(1_000).or(z.literal('')).default('')
const refusals = ['booking_not_found', 'booking_moved_on', 'slot_taken', 'too_many_requests'] as const

export const actOnBooking = endpoint('POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/acts', {
  permission: 'sponsorship.write',
  summary: 'Accept or decline a request, approve what a sponsor says or ask for changes, note that it ran, or cancel',
  params: OneBooking,
  body: z.object({
    act: z.enum(['accept', 'decline', 'ask_changes', 'approve', 'run', 'cancel']),
    /** What the sponsor is told with it. `ask_changes` needs them. */
    words: said,
    /** With `approve` and `ask_changes`: the `creativeSent` of the booking as it was read. Words that came in after it are not judged. */
    seen: z.int().min(0).optional(),
  }),
  audit: { act: 'booking_changed', keeps: ['act'] },
  reply: Booking,
  errors: [...refusals, 'creative_changed', 'day_not_sold', 'day_to_come'],
})

export const moneyOfBooking = endpoint('POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/money', {
  permission: 'charge.write',
  summary: 'Note that a booking was invoiced, paid or given back outside of here, in part or in all',
  params: OneBooking,
  body: z.object({
    act: z.enum(['invoice', 'pay', 'refund']),
    words: said,
    /** With `refund`: how much was given back. Without it all that is left was. */
    amount: z.int().min(1).max(99_999_999).optional(),
    /** With `amount`: the `givenBack` of the booking as it was read. It stops what was sent twice, or noted by somebody else meanwhile. */
    seen: z.int().min(0).max(99_999_999).optional(),
  }),
  audit: { act: 'booking_money_noted', keeps: ['act'] },
  reply: Booking,
  errors: [...refusals, 'charged_by_stripe', 'given_back_meanwhile', 'more_than_is_left'],
})

export const setCreative = endpoint('PUT /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/creative', {
  permission: 'sponsorship.write',
  summary: 'Enter what a sponsor says, for the sponsor',
  params: OneBooking,
  body: Creative.extend({
    /** The `creativeSent` of the booking as it was read. Words that came in after it are not replaced. */
    seen: z.int().min(0).optional(),
  }),
  audit: { act: 'booking_creative_set' },
  reply: Booking,
  errors: ['booking_not_found', 'booking_moved_on', 'creative_changed', 'media_not_found'],
})

export const makeGood = endpoint('POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/make-good', {
  permission: 'sponsorship.write',
  summary:
    'Give a sponsor another day for nothing, with what they say. The booking that did not run as agreed leaves its slot',
  params: OneBooking,
  body: z.object({ day: Day }),
  audit: { act: 'booking_made_good', keeps: ['day'] },
  reply: Booking,
  errors: [...refusals, 'day_not_sold'],
})

export const linkOfBooking = endpoint('POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/link', {
  permission: 'sponsorship.write',
  summary: 'The address of the sponsor’s own page; with `renew` another one, and the old one works no more',
  params: OneBooking,
  body: z.object({ renew: z.boolean().default(false) }),
  audit: { act: 'booking_link_made', keeps: ['renew'] },
  reply: z.object({ url: z.url() }),
  errors: ['booking_not_found'],
})

/** Those of bookings that are over and did not run. */
const endedStates: readonly ShownState[] = ['declined', 'expired', 'cancelled', 'refunded', 'made_good']

/** Whether what the sponsor says was shown to no reader and will not be in this booking: it ended, or its day is over. */
export const isUnseen = ({ day, state, ranAt }: Pick<Booking, 'day' | 'state' | 'ranAt'>, today: string): boolean =>
  ranAt === null && (day < today || endedStates.includes(state))
