import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { publicationUrl } from '../../publications/present.ts'
import type { BookingKey } from '../bookings/bookings.ts'
import { Creative } from '../bookings/contract.ts'
import { reportAddress } from '../public/links.ts'
import { Figures, type Report } from './contract.ts'
import { countFigures, DAYS, type Ran } from './count.ts'

const DAYS_MS = DAYS * 86_400_000

/** When the figures of what ran at a moment stay as they are. */
const finalAt = (ranAt: Date): Date => new Date(ranAt.getTime() + DAYS_MS)
/** What ran at this moment or before has had its days. */
export const dueSince = (now: Date): Date => new Date(now.getTime() - DAYS_MS)

interface Reported extends Ran {
  sponsor: string
  language: Language
  day: string
  creative: unknown
  reportVersion: number
  slug: string | null
  publishedAt: Date | null
  offWebAt: Date | null
  takenAt: Date | null
  /** As `Figures`, once they are final. */
  figures: unknown
}

/** A booking that ran, with its figures where they are final; null before it ran. @throws AppError booking_not_found */
export async function findReported(db: Db, { newsletterId, bookingId }: BookingKey): Promise<Reported | null> {
  if (!isUuid(bookingId)) throw new AppError('booking_not_found')
  const { rows } = await sql<Omit<Reported, 'ranAt'> & { ranAt: Date | null }>`
    select b.newsletter_id as "newsletterId", b.ran_at as "ranAt", b.publication_id as "publicationId", b.short_link_id as "shortLinkId",
      b.sponsor, b.language, to_char(b.day, 'YYYY-MM-DD') as day, b.creative, b.report_version as "reportVersion",
      coalesce(p.sponsor_slots @> jsonb_build_array(jsonb_build_object('placementId', b.placement_id, 'hideFromPaid', true)), false) as "hiddenFromPaid",
      l.words as placement, p.number, p.title, p.language as "publicationLanguage", p.slug, p.published_at as "publishedAt", p.off_web_at as "offWebAt",
      r.taken_at as "takenAt", r.figures
    from booking b join placement l on l.newsletter_id = b.newsletter_id and l.id = b.placement_id
    left join publication p on p.newsletter_id = b.newsletter_id and p.id = b.publication_id
    left join booking_report r on r.newsletter_id = b.newsletter_id and r.booking_id = b.id
    where b.newsletter_id = ${newsletterId} and b.id = ${bookingId}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('booking_not_found')
  return row.ranAt === null ? null : { ...row, ranAt: row.ranAt }
}

type Reading = Pick<Context, 'db' | 'config'>

/** The report of what ran: as it was kept once its days are over, and counted now until then. */
export async function presentReport(
  { db, config }: Reading,
  newsletter: Pick<NewsletterRow, 'handle' | 'id'>,
  reported: Reported,
): Promise<Report> {
  const { sponsor, day, creative, ranAt, slug, publishedAt, offWebAt, takenAt } = reported
  return {
    ...(takenAt ? Figures.parse(reported.figures) : await countFigures(db, reported)),
    ...{ sponsor, day, creative: Creative.nullable().catch(null).parse(creative), ranAt: ranAt.toISOString() },
    url: publicationUrl(config, newsletter, { slug, published_at: publishedAt, off_web_at: offWebAt }),
    takenAt: takenAt?.toISOString() ?? null,
    finalAt: finalAt(ranAt).toISOString(),
  }
}

/** @throws AppError booking_not_found */
export async function readReport(
  reading: Reading,
  newsletter: NewsletterRow,
  bookingId: string,
): Promise<{ report: Report | null }> {
  const reported = await findReported(reading.db, { newsletterId: newsletter.id, bookingId })
  return { report: reported && (await presentReport(reading, newsletter, reported)) }
}

/** The address of the report, a new one where it is renewed. @throws AppError booking_not_found */
export async function linkOfReport(
  context: Pick<Context, 'db' | 'signer' | 'config'>,
  key: BookingKey,
  { renew }: { renew: boolean },
): Promise<{ url: string }> {
  if (!isUuid(key.bookingId)) throw new AppError('booking_not_found')
  const row = await context.db
    .updateTable('booking')
    .set({ report_version: sql`report_version + ${renew ? 1 : 0}::smallint` })
    .where('newsletter_id', '=', key.newsletterId)
    .where('id', '=', key.bookingId)
    .returning('report_version')
    .executeTakeFirst()
  if (!row) throw new AppError('booking_not_found')
  return { url: reportAddress(context, { ...key, linkVersion: row.report_version }) }
}
