import type { BookingPayments } from './payment.ts'

/** The newsletter sends an invoice, and notes by hand what came. */
export const invoicedOutside: BookingPayments = { means: 'outside', test: false, begin: () => Promise.resolve(null) }
