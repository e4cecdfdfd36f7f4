import { type Kysely, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { isUuid, uuidv7 } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { readMessageId } from '../mail/message-id.ts'
import type { DeliveryKey } from '../mail/return-path.ts'
import { proveDeliveries } from '../sending/delivery-state.ts'
import { stopSendings } from '../sending/state.ts'
import { suppress } from '../subscribers/change.ts'
import type { OwnLiftReason } from '../subscribers/contract.ts'
import { liftSuppressions } from '../subscribers/lift.ts'
import { complaintFigures, complaintLevel } from './complaint-rate.ts'
import type { FeedbackSource } from './contract.ts'
import { asWords } from './report-fields.ts'
import { type Kind, SOFT_BOUNCE_DAYS, saysSomethingOfReader } from './rules.ts'

/** A bounce or a complaint about one delivery. */
export interface Feedback {
  source: FeedbackSource
  kind: Kind
  status: string | null
  words: string
}

/**
 * Records a bounce or a complaint and does what follows, in one transaction. A hard bounce or a complaint ends the
 * subscription at once, unless so many copies bounced that it cannot be about subscribers: then what the bounces of the
 * publication have done is taken back. A soft bounce ends it when there were too many. Too many complaints about the newsletter's
 * publications of the last weeks pause what it is sending. A report that came before, and one about no delivery of ours,
 * changes nothing.
 *
 * @returns whether it was new
 */
export async function recordFeedback(db: Kysely<DB>, delivery: DeliveryKey, feedback: Feedback): Promise<boolean> {
  const recorded = await db.transaction().execute(async (tx) => {
    const running = feedback.kind === 'complaint' ? await lockRunning(tx, delivery) : []
    const id = await insert(tx, delivery, feedback)
    if (id === null) return 'known'
    const abnormal = feedback.kind === 'hard' && (await hasAbnormalBounces(tx, delivery))
    if (abnormal) await takeBackBounces(tx, delivery)
    else if (feedback.kind !== 'soft' || (await hasTooManySoftBounces(tx, delivery))) {
      await endSubscription(tx, delivery, { ...feedback, id })
    }
    if (running.length > 0) await pauseWhenTooMany(tx, delivery.newsletterId, running)
    await proveDeliveries(tx, feedback.kind === 'complaint' ? 'proved_by_complaint' : 'proved_by_bounce', [delivery])
    return abnormal ? 'abnormal' : 'new'
  })
  // In a transaction of its own: who records answers locks the sending first.
  if (recorded === 'abnormal') {
    const { newsletterId, publicationId } = delivery
    const answer = asWords(feedback.words)
    await stopSendings(db, { newsletterId, publicationId, welcomesToo: true }, { code: 'too_many_refusals', answer })
  }
  return recorded !== 'known'
}

/** So many bounces of a publication may be chance, whatever their share. */
const FEW_BOUNCES = 15
/** Above this share of the accepted copies, hard bounces are not believed. */
const ABNORMAL_BOUNCES = 0.25

/** Whether so many copies of a publication bounced that it cannot be about its subscribers. */
async function hasAbnormalBounces(tx: Db, { newsletterId, publicationId }: DeliveryKey): Promise<boolean> {
  const { rows } = await sql<{ abnormal: boolean }>`
    select bounced >= ${FEW_BOUNCES} and bounced > ${ABNORMAL_BOUNCES}::float * coalesce((select accepted from publication_count
      where newsletter_id = ${newsletterId} and publication_id = ${publicationId}), 0) as abnormal
    from (select count(distinct subscriber_id) as bounced from feedback
      where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and kind = 'hard') hard`.execute(tx)
  return rows[0]?.abnormal ?? false
}

/** Lifts what the bounces of a publication have done. */
async function takeBackBounces(tx: Db, { newsletterId, publicationId }: DeliveryKey): Promise<void> {
  const reason: OwnLiftReason = 'abnormal_sending'
  const by = { actor: 'system', reason } as const
  await liftSuppressions(tx, newsletterId, { which: { publicationId }, by })
}

/** Returns the new id, or null when there is no such delivery or the report came before. */
async function insert(tx: Db, { newsletterId, publicationId, subscriberId }: DeliveryKey, feedback: Feedback) {
  const { source, kind, status, words } = feedback
  const { rows } = await sql<{ id: string }>`
    insert into feedback (newsletter_id, id, at, publication_id, subscriber_id, kind, source, status, words)
    select d.newsletter_id, ${uuidv7()}, now(), d.publication_id, d.subscriber_id, ${kind}, ${source}, ${status},
      ${asWords(words)}
    from delivery d
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = ${subscriberId}
    on conflict do nothing returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/**
 * Counts since the address was last confirmed, which proved that mail arrived, or since its suppression was lifted. What the
 * relay, the sender or the content caused does not count, nor what an address answered from which the subscriber has moved.
 */
async function hasTooManySoftBounces(tx: Db, { newsletterId, subscriberId }: DeliveryKey): Promise<boolean> {
  const { rows } = await sql<{ publication: string; status: string | null; words: string; most: number }>`
    select f.publication_id as publication, f.status, f.words, n.soft_bounce_limit as most
    from subscriber s
    join newsletter n on n.id = s.newsletter_id
    join feedback f on f.newsletter_id = s.newsletter_id and f.subscriber_id = s.id
    join delivery d on d.newsletter_id = s.newsletter_id and d.publication_id = f.publication_id and d.subscriber_id = s.id
      and d.email = s.email
    where s.newsletter_id = ${newsletterId} and s.id = ${subscriberId} and f.kind = 'soft'
      and f.at > greatest(s.confirmed_at, now() - ${SOFT_BOUNCE_DAYS} * interval '1 day',
        (select max(l.lifted_at) from lifted_suppression l
          where l.newsletter_id = s.newsletter_id and l.subscriber_id = s.id))`.execute(tx)
  const publications = new Set(rows.filter(saysSomethingOfReader).map(({ publication }) => publication))
  return rows.some(({ most }) => publications.size >= most)
}

async function endSubscription(
  tx: Db,
  delivery: DeliveryKey,
  { id, kind, words }: Feedback & { id: string },
): Promise<void> {
  const reason = kind === 'complaint' ? 'complained' : 'bounced'
  if ((await suppress(tx, reason, [{ ...delivery, words: asWords(words) }])) === 0) return
  await tx
    .updateTable('feedback')
    .set({ suppressed: true })
    .where('newsletter_id', '=', delivery.newsletterId)
    .where('id', '=', id)
    .execute()
}

/**
 * Locks what the newsletter is sending, and the sendings of the publication that the complaint is about. While something is
 * being sent, complaints are so recorded one after the other, and each counts those before it. The locks are taken first,
 * as they are when answers are recorded, so that the two cannot deadlock.
 *
 * @returns the publications that are being sent
 */
async function lockRunning(tx: Db, { newsletterId, publicationId }: DeliveryKey): Promise<string[]> {
  const { rows } = await sql<{ publication_id: string; state: string }>`
    select publication_id, state from sending
    where newsletter_id = ${newsletterId} and (publication_id = ${publicationId} or state = 'sending')
    order by id for no key update`.execute(tx)
  return [...new Set(rows.filter(({ state }) => state === 'sending').map((row) => row.publication_id))]
}

/** The answer of the sendings that it pauses holds the figures, as `complaints/accepted`. */
async function pauseWhenTooMany(tx: Db, newsletterId: string, running: string[]): Promise<void> {
  const figures = await complaintFigures(tx, newsletterId)
  if (complaintLevel(figures) !== 'high') return
  const answer = `${figures.complaints}/${figures.accepted}`
  for (const publicationId of running)
    await stopSendings(tx, { newsletterId, publicationId, welcomesToo: true }, { code: 'too_many_complaints', answer })
}

/** Finds the delivery that a Message-ID names. The caller checks that the Message-ID is one of ours. */
export async function findByMessageId(db: Db, messageId: string): Promise<DeliveryKey | null> {
  const { publicationId, subscriberId } = readMessageId(messageId) ?? { publicationId: '', subscriberId: '' }
  if (!isUuid(subscriberId)) return null
  const row = await db
    .selectFrom('publication as p')
    .innerJoin('delivery as d', (join) =>
      join.onRef('d.newsletter_id', '=', 'p.newsletter_id').onRef('d.publication_id', '=', 'p.id'),
    )
    .select('p.newsletter_id')
    .where('p.id', '=', publicationId)
    .where('d.subscriber_id', '=', subscriberId)
    .executeTakeFirst()
  return row ? { newsletterId: row.newsletter_id, publicationId, subscriberId } : null
}
