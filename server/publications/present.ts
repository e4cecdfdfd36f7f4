import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { mediaAddress } from '../media/address.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import type { Document, Publication, PublicationSummary } from './contract.ts'
import { coverOf } from './cover.tsx'
import type { PublicationRow, SummaryRow, WholePublicationRow } from './queries.ts'

type Instance = Pick<Config, 'publicUrl'>

/** The address of a publication on the web; null while it is not published, or taken off. */
export function publicationUrl(
  { publicUrl }: Instance,
  newsletter: Pick<NewsletterRow, 'handle' | 'id'>,
  { slug, published_at, off_web_at }: Pick<PublicationRow, 'slug' | 'published_at' | 'off_web_at'>,
): string | null {
  return slug && published_at && !off_web_at ? `${publicUrl}/n/${nameInAddress(newsletter)}/${slug}` : null
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export const presentSummary = (
  instance: Instance,
  newsletter: NewsletterRow,
  row: SummaryRow,
): z.input<typeof PublicationSummary> => ({
  id: row.id,
  number: row.number,
  title: row.title,
  subtitle: row.subtitle,
  language: row.language,
  channel: row.channel,
  digest: row.digest,
  status: row.status,
  audience: row.audience,
  caught: row.caught,
  stoppedBy: row.stopped_by,
  stoppedAnswer: row.stopped_by && row.stopped_answer,
  editedAt: row.edited_at.toISOString(),
  scheduledAt: iso(row.scheduled_at),
  takeBackSeconds: row.take_back_seconds,
  startedAt: iso(row.started_at),
  finishedAt: iso(row.finished_at),
  publishedAt: iso(row.published_at),
  offWebAt: iso(row.off_web_at),
  url: publicationUrl(instance, newsletter, row),
})

export const presentPublication = (
  instance: Instance,
  newsletter: NewsletterRow,
  row: WholePublicationRow,
): z.input<typeof Publication> => ({
  ...presentSummary(instance, newsletter, row),
  slug: row.slug,
  subject: row.subject,
  content: row.content as z.input<typeof Document>,
  coverMediaId: row.cover_media_id,
  coverUrl: row.cover_media_id ? mediaAddress(instance, row.cover_media_id) : null,
  drawnCoverUrl: coverOf(instance, { newsletter, publication: { id: row.id, cover_media_id: null } }, 'svg'),
  drawsCover: row.draws_cover,
  plannedDay: row.planned_day,
  revision: row.revision,
  savedBy: presentSaver(row),
})

function presentSaver(row: WholePublicationRow): z.input<typeof Publication>['savedBy'] {
  if (row.saved_by !== null) return { kind: 'person', userId: row.saved_by, name: row.saver_name ?? '' }
  return row.saved_by_key === null ? null : { kind: 'key', name: row.saver_key_name }
}
