import { holdMarks } from '../../i18n/french-spaces.ts'
import { writtenSum } from '../charge/money.ts'
import type { Db } from '../database/client.ts'
import { hiddenKey, SharedLimit } from '../http/limits.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { mailedAddress } from '../http/studio-paths.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Language } from '../languages.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import { membersToMail } from '../newsletters/members-to-mail.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import type { WithRelays } from '../relays/relays.ts'
import { renderLinkMail } from '../subscribers/link.email.ts'
import { type SentenceKey, type Translate, translator } from '../translator.ts'
import {
  type BookingKey,
  dayRun,
  findBooking,
  isUnpaidInvoice,
  leftOf,
  lockBooking,
  readBooking,
  type StoredBooking,
  soldBooking,
  wentWithMoney,
} from './bookings/bookings.ts'
import { changeBooking, noteOnBooking, type Step } from './bookings/change.ts'
import type { BookingAct } from './bookings/contract.ts'
import { owedFor } from './bookings/state.ts'
import { dayAt } from './days.ts'
import { paymentsOf } from './payment/payments-of.ts'
import { findPlacement } from './placements.ts'
import { bookingAddress, reportAddress } from './public/links.ts'
import { dueOf, placementNameIn, writtenDay, writtenMoment } from './public/words.ts'

/** What others do with a booking, of which its sponsor hears. */
const told = [
  'accept',
  'decline',
  'expire',
  'invoice',
  'pay',
  'ask_changes',
  'approve',
  'run',
  'report',
  'cancel',
  'refund',
] as const
/**
 * What else a sponsor is mailed: that their request came in, with the link that is their key; that they withdrew; of what was made good, the other day;
 * that there is no slot for their money; and that a part of it was given back.
 */
type ToldToo = 'request' | 'withdraw' | 'make_good' | 'owed' | 'refund_part'
type Told = (typeof told)[number] | ToldToo
type OwnersNews = 'request' | 'creative' | 'withdrawn' | 'paid' | 'owed' | 'disputed'
const HOUR = 3600
const isTold = (act: BookingAct): act is (typeof told)[number] => told.some((one) => one === act)

/** Changes bookings and tells those whom it concerns, in the same transaction: so each change is told once, wherever a process ends. */
export class BookingChanges {
  readonly #permissions: MailPermissions
  readonly #ofBooking: SharedLimit
  readonly #ofNewsletter: SharedLimit
  readonly #toAddress: SharedLimit

  constructor(private readonly context: WithRelays) {
    const { pool } = context
    this.#permissions = new MailPermissions(context)
    this.#ofBooking = new SharedLimit(pool, { name: 'sponsor mails of booking', points: 12, seconds: HOUR })
    this.#ofNewsletter = new SharedLimit(pool, { name: 'sponsor mails of newsletter', points: 120, seconds: HOUR })
    this.#toAddress = new SharedLimit(pool, { name: 'sponsor mails to address', points: 24, seconds: HOUR })
  }

  /**
   * Counts a mail that a member is about to cause, so that nobody fills an inbox by doing and undoing. It comes before the transaction.
   *
   * @throws AppError booking_not_found, too_many_requests
   */
  async admitMail({ newsletterId, bookingId }: BookingKey, act: BookingAct): Promise<void> {
    const { email } = await findBooking(this.context.db, { newsletterId, bookingId })
    if (!email || !(isTold(act) || act === 'make_good')) return
    await this.#ofBooking.take(bookingId)
    await this.#toAddress.take(hiddenKey(this.context.signer, email.toLowerCase()))
    await this.#ofNewsletter.take(newsletterId)
  }

  /** As `changeBooking`, with a mail to the sponsor where they have an address and the newsletter may send. */
  async change(tx: Db, key: BookingKey, step: Step): Promise<void> {
    const before = await lockBooking(tx, key)
    await changeBooking(tx, key, step)
    if (step.actor === 'sponsor' || !isTold(step.act)) return
    const { act, words } = step
    await this.tellSponsor(tx, key, { act, words, ...(act === 'refund' && { amount: leftOf(before) }) })
  }

  /** Notes that a member gave a part of the money back, and mails the sponsor as `change` does. */
  async notePart(
    tx: Db,
    key: BookingKey,
    part: { amount: number; words: string; userId: string | null; at: Date },
  ): Promise<void> {
    await noteOnBooking(tx, key, { act: 'refund_part', actor: 'member', ...part })
    await this.tellSponsor(tx, key, { act: 'refund_part', ...part })
  }

  /**
   * Mails the sponsor, where they have an address and the newsletter may send. `make_good` is told of the booking that they get instead;
   * `amount` is what went back by hand.
   */
  async tellSponsor(tx: Db, key: BookingKey, { act, words = '', amount }: Telling): Promise<void> {
    const booking = await lockBooking(tx, key)
    const newsletter = booking.email && (await findNewsletter(tx, key.newsletterId))
    if (!booking.email || !newsletter || !(await this.#permissions.mayMail(newsletter.id))) return
    const { language } = booking
    const t = translator(language)
    // Another day costs nothing: who loses it is owed what they paid for the first, and who gets it owes what they owed for that.
    const isOfSold = act === 'cancel' || act === 'make_good'
    const sold = isOfSold ? await soldBooking(tx, newsletter.id, booking) : booking
    const soldKey = { newsletterId: newsletter.id, bookingId: sold.id }
    const paidHere = act === 'cancel' ? (await readBooking(tx, soldKey)).paidHere : 0
    // Who got all of it back keeps no price.
    const isReplacement = sold.id !== key.bookingId && sold.refundedAt === null
    const ran = act === 'cancel' && isReplacement ? await dayRun(tx, newsletter.id, sold) : null
    const about = await this.#aboutOf(tx, key, { act, booking: sold, amount, paidHere, ran })
    const sum = amount ?? (paidHere > 0 ? paidHere : sold.amount)
    const price = { amount: sold.amount, currency: sold.currency }
    const today = dayAt(newsletter, this.context.now())
    const valued = { booking: { ...booking, ...price }, t, language, sum, today }
    const values = { ...(await valuesOf(tx, newsletter, valued)), ran: ran ? writtenDay(ran, language) : '' }
    const mail = renderLinkMail(this.context.config, {
      ...{ newsletter, language },
      address:
        act === 'report'
          ? reportAddress(this.context, { ...key, linkVersion: booking.reportVersion })
          : bookingAddress(this.context, { ...key, linkVersion: booking.linkVersion }),
      words: (part) => t(sentenceOf(about, part), values),
      more: [
        ...(act === 'refund' && wentWithMoney(await readBooking(tx, key), today)
          ? [t('sponsors.mail.notRun', values)]
          : []),
        ...holdMarks(words)
          .split('\n')
          .filter((line) => line.trim() !== ''),
      ],
    })
    await enqueue(tx, 'send_mail', { to: booking.email, newsletterId: newsletter.id, ...mail })
  }

  /** What is said of an act depends on what its sponsor still has to do, and on what they paid. */
  async #aboutOf(
    tx: Db,
    { newsletterId, bookingId }: BookingKey,
    { act, booking, amount, paidHere, ran }: About,
  ): Promise<Said> {
    if (act === 'accept') {
      const { means } = await paymentsOf({ ...this.context, db: tx }, newsletterId)
      return means === 'card' ? 'accept_card' : act
    }
    if (act === 'owed') return owedFor(booking.state)
    if (act === 'make_good' && isUnpaidInvoice(booking)) return 'make_good_unpaid'
    if (ran) return isUnpaidInvoice(booking) ? 'cancel_other_unpaid' : 'cancel_other'
    if (act === 'pay' && booking.state !== 'paid') return 'pay_later'
    if (paidHere > 0) return paidHere < booking.amount ? 'cancel_part' : 'cancel_paid'
    if (act === 'cancel' && booking.id !== bookingId) return 'cancel_given'
    if (act === 'refund' && amount !== undefined && amount < booking.amount) return 'refund_rest'
    return act
  }

  /** Tells the owners, in their own languages, what a sponsor did, or what became of their payment. */
  async tellOwners(tx: Db, key: BookingKey, about: OwnersNews): Promise<void> {
    const booking = await lockBooking(tx, key)
    const newsletter = await findNewsletter(tx, key.newsletterId)
    if (!newsletter) return
    const said = about === 'owed' ? owedFor(booking.state) : about
    const today = dayAt(newsletter, this.context.now())
    for (const { email, language } of await membersToMail(tx, newsletter, 'charge.write')) {
      const t = translator(language)
      const due = t(`sponsors.owners.due.${dueOf(booking, today)}`, { due: writtenDay(booking.creativeDue, language) })
      const valued = { booking, t, language, sum: booking.amount, today }
      const values = { ...(await valuesOf(tx, newsletter, valued)), due }
      const mail = renderLinkMail(this.context.config, {
        ...{ newsletter, language },
        address: mailedAddress(this.context.config.publicUrl, `/advertise/calendar/${key.bookingId}`, newsletter.id),
        words: (part) => t(`sponsors.owners.${said}.${part === 'title' ? 'subject' : part}`, values),
        more: about === 'request' ? booking.message.split('\n').filter((line) => line.trim() !== '') : [],
      })
      await enqueue(tx, 'send_mail', { to: email, newsletterId: newsletter.id, ...mail })
    }
  }
}

type Part = 'subject' | 'title' | 'preheader' | 'text' | 'action' | 'after'

interface Telling {
  act: Told
  words?: string | undefined
  amount?: number | undefined
}

interface About extends Pick<Telling, 'act' | 'amount'> {
  booking: StoredBooking
  /** Of one that is cancelled: what is here of the money. */
  paidHere: number
  /** Of a day that was given and is cancelled: the day on which the text ran before. */
  ran: string | null
}

/** `owed_twice`, `owed_again`: as `owedFor` says. `pay_later`: its words are in already, or it has another day. `make_good_unpaid`: the first day was invoiced and not paid. `cancel_given`, `cancel_other`: a day that was given, the second after the text had run. `cancel_part`, `refund_rest`: a part of the money went back before. */
type Said =
  | Told
  | ReturnType<typeof owedFor>
  | 'accept_card'
  | 'pay_later'
  | 'make_good_unpaid'
  | 'cancel_given'
  | 'cancel_other'
  | 'cancel_other_unpaid'
  | 'cancel_paid'
  | 'cancel_part'
  | 'refund_rest'

/** A report is read with its link; with that of a booking one acts. */
function sentenceOf(act: Said, part: Part): SentenceKey {
  if (part === 'title') return `sponsors.mail.${act}.subject`
  if (part !== 'action' && part !== 'after') return `sponsors.mail.${act}.${part}`
  return act === 'report' ? `sponsors.mail.report.${part}` : `sponsors.mail.${part}`
}

interface Valued {
  booking: StoredBooking
  t: Translate
  language: Language
  sum: number
  /** By the newsletter's calendar. */
  today: string
}

async function valuesOf(tx: Db, newsletter: NewsletterRow, { booking, t, language, sum, today }: Valued) {
  const { day, sponsor, amount, currency, creative, creativeDue, heldUntil, placementId, makesGood } = booking
  const placement = await findPlacement(tx, { newsletterId: newsletter.id, placementId })
  const days = { day: writtenDay(day, language), due: writtenDay(creativeDue, language) }
  const due = t(`sponsors.due.${dueOf(booking, today)}`, days)
  const before = makesGood && (await findBooking(tx, { newsletterId: newsletter.id, bookingId: makesGood })).day
  return {
    ...{ newsletter: newsletter.name, sponsor, placement: placementNameIn(placement, language) },
    ...{ ...days, due, before: before ? writtenDay(before, language) : '' },
    ofText: creative ? t('sponsors.mail.textGoesAlong') : due,
    until: heldUntil ? writtenMoment(heldUntil, newsletter, language) : '',
    ...{ sum: writtenSum(sum, currency, language), whole: writtenSum(amount, currency, language) },
  }
}
