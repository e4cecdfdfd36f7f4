import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Job } from '../../jobs/queue.ts'
import { type Language, locales } from '../../languages.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { translator } from '../../translator.ts'
import { type BookingKey, lockBooking } from '../bookings/bookings.ts'
import { changeBooking } from '../bookings/change.ts'
import { BookingChanges } from '../tell.ts'
import type { Figures } from './contract.ts'
import { countFigures } from './count.ts'
import { dueSince, findReported } from './report.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    report_bookings: Record<string, unknown>
  }
}

const BATCH = 200

interface Kept {
  figures: Figures
  language: Language
}

/** Keeps the figures of what ran seven days ago, says that it is reported, and mails the sponsor: all of it or nothing, and once. */
export function reportBookingsJob(context: WithRelays): Job<'report_bookings'> {
  const { db, now } = context
  const changes = new BookingChanges(context)
  return async () => {
    const at = now()
    let due: BookingKey[]
    do {
      due = await findDue(db, at)
      for (const key of due)
        await db.transaction().execute(async (tx) => {
          const kept = await keepReport(tx, { key, at })
          if (kept) await changes.tellSponsor(tx, key, { act: 'report', words: mailed(kept) })
        })
    } while (due.length === BATCH)
  }
}

async function findDue(db: Db, at: Date): Promise<BookingKey[]> {
  const { rows } = await sql<BookingKey>`
    select b.newsletter_id as "newsletterId", b.id as "bookingId" from booking b
    where b.state in ('ran', 'refunded', 'made_good') and b.ran_at <= ${dueSince(at)}
      and not exists (select from booking_report r where r.newsletter_id = b.newsletter_id and r.booking_id = b.id)
    order by b.ran_at limit ${BATCH}`.execute(db)
  return rows
}

/**
 * Keeps the figures of a booking for good. Whoever comes second keeps nothing. What was given back or made good has its report too, and stays
 * what it is.
 *
 * @returns the figures of a booking that is reported by this, with the sponsor's language; null otherwise
 */
export async function keepReport(tx: Db, { key, at }: { key: BookingKey; at: Date }): Promise<Kept | null> {
  const { state } = await lockBooking(tx, key)
  const reported = await findReported(tx, key)
  if (!reported || reported.takenAt || reported.ranAt > dueSince(at)) return null
  const figures = await countFigures(tx, reported)
  await tx
    .insertInto('booking_report')
    .values({
      newsletter_id: key.newsletterId,
      booking_id: key.bookingId,
      taken_at: at,
      figures: JSON.stringify(figures),
    })
    .execute()
  if (state !== 'ran') return null
  await changeBooking(tx, key, { act: 'report', actor: 'system', at })
  return { figures, language: reported.language }
}

/** The sums in the sponsor's language, a line each, for the mail. */
function mailed({ figures: { copies, clicks, yes }, language }: Kept): string {
  const t = translator(language)
  const number = (count: number) => new Intl.NumberFormat(locales[language]).format(count)
  return [
    copies && t('sponsorReport.mail.accepted', { count: copies.accepted, n: number(copies.accepted) }),
    clicks
      ? t('sponsorReport.mail.clicks', { count: clicks.human, n: number(clicks.human), raw: number(clicks.raw) })
      : t('sponsorReport.mail.noClicks'),
    clicks?.interrupted && t('sponsorReport.interrupted'),
    yes && t('sponsorReport.mail.yes', { count: yes.confirmed, n: number(yes.confirmed) }),
  ]
    .filter(Boolean)
    .join('\n')
}
