import { sql, type UpdateObject } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { enqueueAt } from '../jobs/queue.ts'
import { audienceOf } from '../segments/audience.ts'
import type { AudienceChoice } from '../segments/contract.ts'
import type { PublicationKey } from '../sending/sending.ts'
import { beginSending, dropPlanned, planSending } from '../sending/state.ts'
import { dayAt } from '../sponsorship/days.ts'
import { fillSlots } from '../sponsorship/slots/fill.ts'
import type { BookingChanges } from '../sponsorship/tell.ts'
import { countAudience, countLacking } from '../subscribers/audience.ts'
import type { Translate } from '../translator.ts'
import type { SponsorSlot } from './document/sponsor-slots.ts'
import { nameAndNumber } from './name-and-number.ts'
import { sendableJob } from './pre-flight.ts'
import { type Act, alreadyDone, type PublicationAct, publicationActs } from './publication-status.ts'
import { findPublication, findRenderable, type PublicationRow, type StoredPublication } from './queries.ts'
import { keepRevision } from './revisions.ts'
import { lockPublication, wrongStatus } from './save.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    /** A scheduled publication is due; one that was rescheduled meanwhile has another time. */
    start_publication: { newsletterId: string; publicationId: string; at: string }
  }
}

type Channel = StoredPublication['channel']
type Scheduling = Pick<Context, 'db' | 'threads'>
export type Publishing = Scheduling & { bookings: BookingChanges }

interface Order {
  publicationId: string
  channel: Channel
  /** Absent: whom it is scheduled to, or was before it was taken back, and else everyone. */
  audience?: AudienceChoice | undefined
  /** The time for which it was scheduled, when that has come: the day of its sponsors is that one, even where it starts after midnight. */
  dueAt?: Date
  t: Translate
}

/**
 * Publishes now, to the web and, unless `channel` is web, to every inbox. However often and however many at once ask, the
 * guard in the statement lets one through and the others get the publication as it is.
 *
 * @throws AppError publication_not_found, segment_not_found, plan_not_found, wrong_status, or the first problem that blocks
 */
export async function sendNow(context: Publishing, newsletter: NewsletterRow, order: Order): Promise<PublicationRow> {
  const { db } = context
  const { publicationId, channel } = order
  const key = { newsletterId: newsletter.id, publicationId }
  const before = await findPublication(db, newsletter.id, publicationId)
  if (before.state === 'published') return unlessSent(before, order)
  const choice = choiceOf(before, order)
  await requireReady(context, newsletter, { publicationId, channel, choice })
  return inTransaction(db, async (tx) => {
    const published = await change(tx, key, {
      ...{ act: 'publish', channel, unscheduled_by: null, leaving: false },
      published_at: sql<Date>`now()`,
      scheduled_at: sql<Date | null>`case when not leaving then scheduled_at end`,
      // It may have been taken back, or put off, at this moment.
      ...(order.dueAt && { only: { scheduled_at: order.dueAt } }),
    })
    if (!published && order.dueAt) return findPublication(tx, newsletter.id, publicationId)
    if (!published) return unlessSent(await findPublication(tx, newsletter.id, publicationId), order)
    if (channel === 'web') await dropPlanned(tx, key)
    else await beginSending(tx, key, await audienceOf(tx, newsletter.id, choice))
    await fillSlots(tx, newsletter, {
      ...{ publicationId, changes: context.bookings, slots: published.sponsor_slots, language: published.language },
      audience: channel === 'web' ? null : choice,
      day: dayAt(newsletter, order.dueAt ?? published.published_at ?? new Date()),
      at: published.published_at ?? new Date(),
    })
    await nameAndNumber(tx, published)
    await keepRevision(tx, key, { userId: null, keyId: null })
    return findPublication(tx, newsletter.id, publicationId)
  })
}

/**
 * Sends now, but lets it be taken back for as long as the newsletter says. Until then it is scheduled, so nothing of it is
 * anywhere, and whatever happens to this process it leaves. However often it is asked, the first time counts.
 *
 * @throws AppError as `sendNow`
 */
export async function sendSoon(context: Publishing, newsletter: NewsletterRow, order: Order): Promise<PublicationRow> {
  const { db } = context
  const { take_back_seconds: seconds } = newsletter
  if (seconds === 0) return sendNow(context, newsletter, order)
  const { publicationId, channel, t } = order
  const key = { newsletterId: newsletter.id, publicationId }
  const before = await findPublication(db, newsletter.id, publicationId)
  if (before.leaving || before.state === 'published') return unlessOnItsWay(before, order)
  const choice = choiceOf(before, order)
  await requireReady(context, newsletter, { publicationId, channel, choice })
  return inTransaction(db, async (tx) => {
    const scheduled_at = sql<Date>`date_trunc('milliseconds', now()) + make_interval(secs => ${seconds})`
    const fields = { channel, scheduled_at, leaving: true, unscheduled_by: null }
    const held = await change(tx, key, { act: 'schedule', ...fields, only: { leaving: false } })
    const row = await findPublication(tx, newsletter.id, publicationId)
    if (!held?.scheduled_at) return unlessOnItsWay(row, order)
    await planFor(tx, newsletter, { key, channel, choice, at: held.scheduled_at })
    return findPublication(tx, newsletter.id, publicationId)
  })

  function unlessOnItsWay(row: PublicationRow, asked: Order): PublicationRow {
    if (!row.leaving) return unlessSent(row, asked)
    if (row.channel === channel) return row
    throw wrongStatus(row, t)
  }
}

/** Publishes at a time. @throws AppError scheduled_in_past, segment_not_found, plan_not_found, wrong_status, or the first problem that blocks */
export async function schedule(
  context: Scheduling,
  newsletter: NewsletterRow,
  order: Order & { at: Date; now: Date },
): Promise<PublicationRow> {
  const { db } = context
  const { publicationId, channel, t, at, now } = order
  if (at <= now) throw new AppError('scheduled_in_past', { field: 'at' })
  const key = { newsletterId: newsletter.id, publicationId }
  const before = await findPublication(db, newsletter.id, publicationId)
  if (before.state === 'published') throw wrongStatus(before, t)
  const choice = choiceOf(before, order)
  await requireReady(context, newsletter, { publicationId, channel, choice })
  return inTransaction(db, async (tx) => {
    const fields = { channel, scheduled_at: at, leaving: false, unscheduled_by: null }
    const scheduled = await change(tx, key, { act: 'schedule', ...fields })
    if (!scheduled) throw wrongStatus(await findPublication(tx, newsletter.id, publicationId), t)
    await planFor(tx, newsletter, { key, channel, choice, at })
    return findPublication(tx, newsletter.id, publicationId)
  })
}

interface Plan {
  key: PublicationKey
  channel: Channel
  choice: AudienceChoice
  at: Date
}

/** Keeps whom a scheduled publication goes to, and queues its beginning. */
async function planFor(tx: Db, newsletter: NewsletterRow, { key, channel, choice, at }: Plan): Promise<void> {
  if (channel === 'web') await dropPlanned(tx, key)
  else await planSending(tx, key, { audience: await audienceOf(tx, newsletter.id, choice), at })
  const payload = { ...key, at: at.toISOString() }
  await enqueueAt(tx, 'start_publication', { payload, runAt: at, key: startKey(key.publicationId) })
}

/** A draft again, with the reason, unless it got another time meanwhile. */
export const missStart = (db: Db, { at, ...key }: PublicationKey & { at: string }, because: string): Promise<boolean> =>
  inTransaction(db, (tx) => backToDraft(tx, key, { because, only: { scheduled_at: new Date(at) } }))

/** Takes a publication that has not left yet back to draft. @throws AppError publication_not_found, too_late_to_take_back */
export const unschedule = (db: Db, key: PublicationKey): Promise<PublicationRow> =>
  inTransaction(db, async (tx) => {
    // The publication before its job, as whoever schedules takes them. Two in opposite orders would wait for each other.
    await lockPublication(tx, key)
    const changed = await backToDraft(tx, key, { because: null })
    if (changed) await sql`select graphile_worker.remove_job(${startKey(key.publicationId)})`.execute(tx)
    const row = await findPublication(tx, key.newsletterId, key.publicationId)
    if (!changed && !alreadyDone('unschedule', row.status)) throw new AppError('too_late_to_take_back')
    return row
  })

async function backToDraft(
  tx: Db,
  key: PublicationKey,
  { because, only = {} }: { because: string | null } & Pick<Change, 'only'>,
): Promise<boolean> {
  const fields = { scheduled_at: null, leaving: false, unscheduled_by: because }
  const planned = tx
    .selectFrom('sending')
    .select('audience')
    .where('newsletter_id', '=', key.newsletterId)
    .where('publication_id', '=', key.publicationId)
    .where('state', '=', 'planned')
  const changed = await change(tx, key, { act: 'unschedule', ...fields, last_audience: planned, only })
  if (changed) await dropPlanned(tx, key)
  return changed !== null
}

/** @throws AppError wrong_status for a digest, which has its readers */
function choiceOf(before: PublicationRow, { audience, t }: Order): AudienceChoice {
  if (before.audience?.kind === 'digest') throw wrongStatus(before, t)
  return audience ?? before.audience ?? { kind: 'everyone' }
}

/** The database writes them, which the type of a JSON column cannot say. */
const storedSlots = (slots: unknown): SponsorSlot[] => slots as SponsorSlot[]

type Change = { act: PublicationAct; only?: { scheduled_at?: Date; leaving?: boolean } } & Omit<
  UpdateObject<DB, 'publication'>,
  'state'
>

/** The one statement by which a publication's own state changes; null where the act is not possible at this moment. */
async function change(
  db: Db,
  { newsletterId, publicationId }: PublicationKey,
  { act, only: { scheduled_at: due, leaving } = {}, ...fields }: Change,
) {
  const row = await db
    .updateTable('publication')
    .set(fields)
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .where('state', 'in', publicationActs[act].from)
    .$if(due !== undefined, (query) => query.where('state', '=', 'scheduled').where('scheduled_at', '=', due ?? null))
    .$if(leaving !== undefined, (query) => query.where('leaving', '=', leaving ?? false))
    .returning([
      'newsletter_id',
      'id',
      'number',
      'slug',
      'title',
      'language',
      'published_at',
      'sponsor_slots',
      'scheduled_at',
    ])
    .executeTakeFirst()
  return row ? { ...row, sponsor_slots: storedSlots(row.sponsor_slots) } : null
}

async function requireReady(
  { db, threads }: Scheduling,
  newsletter: NewsletterRow,
  { publicationId, channel, choice }: Pick<Order, 'publicationId' | 'channel'> & { choice: AudienceChoice },
): Promise<void> {
  const publication = await findRenderable(db, newsletter.id, publicationId)
  const audience = channel === 'web' ? null : await audienceOf(db, newsletter.id, choice)
  const { receive, onDigest } = audience
    ? await countAudience(db, newsletter.id, { publicationId, audience })
    : { receive: 0, onDigest: 0 }
  const facts = { publication, newsletter, receive: receive + onDigest, channel }
  const tags = await threads.run(sendableJob, facts, publication.content.length)
  if (!audience) return
  const lacking = await countLacking(db, newsletter.id, { publicationId, audience, tags })
  if (lacking.length > 0)
    throw new AppError('empty_merge_fields', { detail: lacking.map(({ field, count }) => ({ field, count })) })
}

function unlessSent(row: PublicationRow, { channel, t }: Order): PublicationRow {
  const act: Act = channel === 'web' ? 'publish' : 'send'
  // Saying yes to mailing what went to the web only would be mail that silently is not sent.
  if (alreadyDone(act, row.status) && channel === row.channel) return row
  throw wrongStatus(row, t)
}

const startKey = (publicationId: string) => `start:${publicationId}`

const inTransaction = <T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run)
