import { sql } from 'kysely'
import { writtenSum } from '../charge/money.ts'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { enqueue } from '../jobs/queue.ts'
import { isLanguage, type Language } from '../languages.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import type { WithRelays } from '../relays/relays.ts'
import { renderLinkMail } from '../subscribers/link.email.ts'
import { translator } from '../translator.ts'
import { type BookingKey, lockBooking, type StoredBooking } from './bookings/bookings.ts'
import { changeBooking, type Step } from './bookings/change.ts'
import type { BookingAct } from './bookings/contract.ts'
import { findPlacement } from './placements.ts'
import { bookingAddress } from './public/links.ts'
import { placementNameIn, writtenDay } from './public/words.ts'

/** The acts of which a sponsor hears. Of what they do themselves, their page tells them. */
const told = [
  'accept',
  'decline',
  'expire',
  'invoice',
  'pay',
  'ask_changes',
  'approve',
  'run',
  'cancel',
  'refund',
] as const
type Told = (typeof told)[number]
const isTold = (act: BookingAct): act is Told => told.some((one) => one === act)

/** Changes bookings and tells those whom it concerns, in the same transaction: so each change is told once, wherever a process ends. */
export class BookingChanges {
  readonly #permissions: MailPermissions

  constructor(private readonly context: WithRelays) {
    this.#permissions = new MailPermissions(context)
  }

  /** As `changeBooking`, with a mail to the sponsor where they have an address and the newsletter may send. */
  async change(tx: Db, key: BookingKey, step: Step): Promise<void> {
    await changeBooking(tx, key, step)
    if (step.actor === 'sponsor' || !isTold(step.act)) return
    await this.tellSponsor(tx, key, { act: step.act, words: step.words ?? '' })
  }

  /** Mails the sponsor, where they have an address and the newsletter may send. `make_good` is told of the booking that they get instead. */
  async tellSponsor(
    tx: Db,
    key: BookingKey,
    { act, words }: { act: Told | 'make_good'; words: string },
  ): Promise<void> {
    const booking = await lockBooking(tx, key)
    const newsletter = booking.email && (await findNewsletter(tx, key.newsletterId))
    if (!booking.email || !newsletter || !(await this.#permissions.mayMail(newsletter.id))) return
    const { language } = booking
    const t = translator(language)
    const values = await valuesOf(tx, newsletter, { booking, language })
    const mail = renderLinkMail(this.context.config, {
      ...{ newsletter, language },
      address: bookingAddress(this.context, { ...key, linkVersion: booking.linkVersion }),
      words: (part) =>
        part === 'action' || part === 'after'
          ? t(`sponsors.mail.${part}`, values)
          : t(`sponsors.mail.${act}.${part === 'title' ? 'subject' : part}`, values),
      more: words.split('\n').filter((line) => line.trim() !== ''),
    })
    await enqueue(tx, 'send_mail', { to: booking.email, newsletterId: newsletter.id, ...mail })
  }

  /** Tells the owners, in their own languages, that somebody asks or that words came in. */
  async tellOwners(tx: Db, key: BookingKey, about: 'request' | 'creative' | 'withdrawn'): Promise<void> {
    const booking = await lockBooking(tx, key)
    const newsletter = await findNewsletter(tx, key.newsletterId)
    if (!newsletter) return
    for (const { email, language } of await ownersOf(tx, newsletter)) {
      const t = translator(language)
      const values = await valuesOf(tx, newsletter, { booking, language })
      const mail = renderLinkMail(this.context.config, {
        ...{ newsletter, language },
        address: `${this.context.config.publicUrl}/advertise/calendar/${key.bookingId}`,
        words: (part) => t(`sponsors.owners.${about}.${part === 'title' ? 'subject' : part}`, values),
        more: about === 'request' ? booking.message.split('\n').filter((line) => line.trim() !== '') : [],
      })
      await enqueue(tx, 'send_mail', { to: email, newsletterId: newsletter.id, ...mail })
    }
  }
}

async function valuesOf(
  tx: Db,
  newsletter: NewsletterRow,
  { booking, language }: { booking: StoredBooking; language: Language },
) {
  const { day, sponsor, amount, currency, creativeDue, placementId } = booking
  const placement = await findPlacement(tx, { newsletterId: newsletter.id, placementId })
  return {
    ...{ newsletter: newsletter.name, sponsor, placement: placementNameIn(placement, language) },
    ...{ day: writtenDay(day, language), due: writtenDay(creativeDue, language) },
    sum: writtenSum(amount, currency, language),
  }
}

/** Owners who proved their address, in the language of their profile, else the newsletter's. */
async function ownersOf(tx: Db, newsletter: NewsletterRow): Promise<{ email: string; language: Language }[]> {
  const { rows } = await sql<{ email: string; language: string | null }>`
    select u.email, p.language from member m join "user" u on u.id = m.user_id left join profile p on p.user_id = u.id
    where m.newsletter_id = ${newsletter.id} and m.role = 'owner' and u.email_verified and u.is_anonymous is not true
    order by u.email`.execute(tx)
  return rows.map(({ email, language }) => ({
    email,
    language: language && isLanguage(language) ? language : newsletter.language,
  }))
}
