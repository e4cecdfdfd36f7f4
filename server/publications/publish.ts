import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { enqueue } from '../jobs/queue.ts'
import { countAudience, everyone } from '../subscribers/audience.ts'
import { type Translate, translator } from '../translator.ts'
import { requireSendable } from './check.ts'
import { type Act, after, alreadyDone, from } from './publication-status.ts'
import { findPublication, type PublicationRow, touchNewsletter } from './queries.ts'
import { keepRevision } from './revisions.ts'
import { wrongStatus } from './save.ts'
import { freeSlug } from './slug.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    /** A scheduled publication is due; one that was rescheduled meanwhile has another time. */
    start_publication: { newsletterId: string; publicationId: string; at: string }
  }
}

type Channel = 'everywhere' | 'web'

/**
 * Sends now, to the web and, unless `channel` is web, to every inbox. However often and however many at once ask, the
 * guard in the statement lets one through and the others get the publication as it is.
 *
 * @throws AppError wrong_status, or the first problem that blocks
 */
export async function sendNow(
  db: Db,
  newsletter: NewsletterRow,
  publicationId: string,
  channel: Channel,
  t: Translate,
): Promise<PublicationRow> {
  const act = channel === 'web' ? 'publish' : 'send'
  const before = await findPublication(db, newsletter.id, publicationId)
  if (!after(act, before.status)) return unlessDone(act, before, channel, t)
  const { receive } = await countAudience(db, newsletter.id, everyone)
  requireSendable({ publication: before, newsletter, receive, channel })
  return inTransaction(db, async (tx) => {
    const moved = await move(tx, newsletter.id, publicationId, act, {
      channel,
      stopped_by: null,
      published_at: sql<Date>`now()`,
      ...(channel === 'web' && { finished_at: sql<Date>`now()` }),
    })
    if (!moved) return unlessDone(act, await findPublication(tx, newsletter.id, publicationId), channel, t)
    await nameAndNumber(tx, moved)
    await keepRevision(tx, newsletter.id, publicationId, null)
    return findPublication(tx, newsletter.id, publicationId)
  })
}

/** Sends at a time. @throws AppError scheduled_in_past, wrong_status, or the first problem that blocks */
export async function schedule(
  db: Db,
  newsletter: NewsletterRow,
  publicationId: string,
  { channel, at, now }: { channel: Channel; at: Date; now: Date },
  t: Translate,
): Promise<PublicationRow> {
  if (at <= now) throw new AppError('scheduled_in_past', { fields: { at: 'wrong' } })
  const before = await findPublication(db, newsletter.id, publicationId)
  if (!after('schedule', before.status)) throw wrongStatus(before, t)
  const { receive } = await countAudience(db, newsletter.id, everyone)
  requireSendable({ publication: before, newsletter, receive, channel })
  return inTransaction(db, async (tx) => {
    const fields = { channel, scheduled_at: at, stopped_by: null }
    const moved = await move(tx, newsletter.id, publicationId, 'schedule', fields)
    if (!moved) throw wrongStatus(await findPublication(tx, newsletter.id, publicationId), t)
    const payload = { newsletterId: newsletter.id, publicationId, at: at.toISOString() }
    await enqueue(tx, 'start_publication', payload, { runAt: at, key: startKey(publicationId) })
    return moved
  })
}

/** Begins what was scheduled. What can no longer be sent becomes a draft again and says why. */
export async function startScheduled(
  db: Db,
  newsletter: NewsletterRow,
  { publicationId, at }: { publicationId: string; at: string },
): Promise<void> {
  const publication = await findPublication(db, newsletter.id, publicationId)
  if (publication.status !== 'scheduled' || publication.scheduled_at?.toISOString() !== at) return
  try {
    await sendNow(db, newsletter, publicationId, publication.channel, translator(publication.language))
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'wrong_status') throw error
    await move(db, newsletter.id, publicationId, 'unschedule', { scheduled_at: null, stopped_by: error.code })
  }
}

export async function unschedule(db: Db, newsletterId: string, publicationId: string, t: Translate) {
  return inTransaction(db, async (tx) => {
    await sql`select graphile_worker.remove_job(${startKey(publicationId)})`.execute(tx)
    return act(tx, newsletterId, publicationId, 'unschedule', { scheduled_at: null }, t)
  })
}

/** Nothing more leaves; those who are being sent to this second still get it. */
export const pause = (db: Db, newsletterId: string, publicationId: string, t: Translate) =>
  act(db, newsletterId, publicationId, 'pause', {}, t)

export const resume = (db: Db, newsletterId: string, publicationId: string, t: Translate) =>
  act(db, newsletterId, publicationId, 'resume', { stopped_by: null }, t)

/** Stops for good: those who wait are recorded as left out, so that the counts still add up. */
export const cancel = (db: Db, newsletterId: string, publicationId: string, t: Translate) =>
  inTransaction(db, async (tx) => {
    const cancelled = await act(tx, newsletterId, publicationId, 'cancel', { finished_at: sql<Date>`now()` }, t)
    await tx
      .updateTable('delivery')
      .set({ state: 'suppressed', answer: 'cancelled', changed_at: sql`now()` })
      .where('newsletter_id', '=', newsletterId)
      .where('publication_id', '=', publicationId)
      .where('state', 'in', ['queued', 'deferred'])
      .execute()
    return cancelled
  })

async function act(
  db: Db,
  newsletterId: string,
  publicationId: string,
  name: Act,
  fields: Fields,
  t: Translate,
): Promise<PublicationRow> {
  const moved = await move(db, newsletterId, publicationId, name, fields)
  return moved ?? unlessDone(name, await findPublication(db, newsletterId, publicationId), null, t)
}

type Fields = Partial<{
  channel: Channel
  scheduled_at: Date | null
  published_at: ReturnType<typeof sql<Date>>
  finished_at: ReturnType<typeof sql<Date>>
  stopped_by: string | null
}>

/** The one statement by which a status changes; null where the act is not possible from the status of this moment. */
async function move(db: Db, newsletterId: string, publicationId: string, name: Act, fields: Fields) {
  const [start] = from(name)
  const target = start && after(name, start)
  if (!target) throw new Error(`${name} leads nowhere`)
  const row = await db
    .updateTable('publication')
    .set({ status: target, ...fields })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .where('status', 'in', from(name))
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

function unlessDone(name: Act, row: PublicationRow, channel: Channel | null, t: Translate): PublicationRow {
  // Saying yes to mailing what went to the web only would be mail that silently is not sent.
  if (alreadyDone(name, row.status) && (channel === null || channel === row.channel)) return row
  throw wrongStatus(row, t)
}

/** The number is taken and the address chosen under the newsletter's row lock: no two sendings get the same. */
async function nameAndNumber(tx: Db, { newsletter_id, id, number, slug, title }: PublicationRow): Promise<void> {
  if (number !== null && slug !== null) return touchNewsletter(tx, newsletter_id).then(() => {})
  const { last_number } = await tx
    .updateTable('newsletter')
    .set({ last_number: sql`last_number + ${number === null ? 1 : 0}`, version: sql`version + 1` })
    .where('id', '=', newsletter_id)
    .returning('last_number')
    .executeTakeFirstOrThrow()
  const others = await tx
    .selectFrom('publication')
    .select('slug')
    .where('newsletter_id', '=', newsletter_id)
    .where('slug', 'is not', null)
    .execute()
  const taken = new Set(others.map((row) => row.slug ?? ''))
  await tx
    .updateTable('publication')
    .set({ number: number ?? last_number, slug: slug ?? freeSlug(title, taken) })
    .where('newsletter_id', '=', newsletter_id)
    .where('id', '=', id)
    .execute()
}

const startKey = (publicationId: string) => `start:${publicationId}`

const inTransaction = <T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run)
