import { sql } from 'kysely'
import { addLine, type By, type Line, logLine } from '../audit/lines.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { findPublication, type PublicationRow, touchNewsletter } from './queries.ts'

/** What each of the two acts leaves in the audit. */
const acts = { off: 'publication_taken_off_web', back: 'publication_put_back_on_web' } as const

/**
 * Takes the page of a publication off the web, or puts it back, with the line in the audit. Its mails, its deliveries and its figures stay
 * as they are. However often it is asked, the first time counts and leaves the only line.
 *
 * @throws AppError publication_not_found, publication_deleted, not_on_web where it was never published
 */
export async function moveOnWeb(
  { db, log }: Pick<Context, 'db' | 'log'>,
  by: By,
  { publicationId, to }: { publicationId: string; to: keyof typeof acts },
): Promise<PublicationRow> {
  const { newsletterId } = by
  const line: Line = { ...by, act: acts[to], outcome: 'done', detail: { publicationId } }
  const { row, isChanged } = await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('publication')
      .set({ off_web_at: to === 'off' ? sql<Date>`now()` : null })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', publicationId)
      .where('published_at', 'is not', null)
      .where('off_web_at', to === 'off' ? 'is' : 'is not', null)
      .returning('id')
      .executeTakeFirst()
    const row = await findPublication(tx, newsletterId, publicationId)
    if (!row.published_at) throw new AppError('not_on_web')
    if (!changed) return { row, isChanged: false }
    await addLine(tx, line)
    await touchNewsletter(tx, newsletterId)
    await sql`select notify_live(${newsletterId}, 'publications')`.execute(tx)
    return { row, isChanged: true }
  })
  if (isChanged) logLine(log, { ...line })
  return row
}
