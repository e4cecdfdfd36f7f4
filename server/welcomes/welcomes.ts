import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import { findSegment } from '../segments/segments.ts'
import { openSending, pauseSendings, resumeSendings } from '../sending/state.ts'
import { everyone } from '../subscribers/audience.ts'
import type { setWelcome, Welcome } from './contract.ts'
import { sendingsOf } from './end.ts'
import { isPreparing, passOver } from './pass-over.ts'

type Choice = z.output<typeof setWelcome.body>
type Counts = Welcome['counts']

interface Row extends Counts {
  id: number
  segmentId: number | null
  segmentName: string | null
  publicationId: string
  title: string
  delayDays: number
  state: string
  stoppedBy: string | null
  stoppedAnswer: string | null
  preparing: boolean
  earlierWaiting: number
  earlierPaused: boolean
  earlierStoppedBy: string | null
}

/** That of the newsletter first, then those of segments by name; or the one with the id. */
export async function listWelcomes(db: Db, newsletterId: string, id: number | null = null): Promise<Welcome[]> {
  const { rows } = await sql<Row>`
    select w.id, w.segment_id as "segmentId", g.name as "segmentName", p.id as "publicationId", p.title,
      w.delay_days as "delayDays", s.state, s.stopped_by as "stoppedBy", s.stopped_answer as "stoppedAnswer",
      coalesce(c.queued + c.claimed + c.deferred, 0)::integer + e.waiting as waiting, coalesce(c.accepted, 0) as accepted,
      coalesce(c.caught, 0) as caught,
      coalesce(c.failed, 0) as failed, coalesce(c.suppressed, 0) as suppressed, coalesce(c.uncertain, 0) as uncertain,
      ${isPreparing(sql`w.newsletter_id`, sql`w.segment_id`)} as preparing,
      e.waiting as "earlierWaiting", e.paused as "earlierPaused", e.stopped_by as "earlierStoppedBy"
    from welcome w
    join publication p on p.newsletter_id = w.newsletter_id and p.id = w.publication_id
    join sending s on s.newsletter_id = w.newsletter_id and s.id = w.sending_id
    left join segment g on g.newsletter_id = w.newsletter_id and g.id = w.segment_id
    left join sending_count c on c.newsletter_id = w.newsletter_id and c.sending_id = w.sending_id
    cross join lateral (
      select coalesce(sum(k.queued + k.claimed + k.deferred), 0)::integer as waiting,
        coalesce(bool_or(b.state = 'paused'), false) as paused,
        max(b.stopped_by) filter (where b.state = 'paused') as stopped_by
      from sending b join sending_count k on k.newsletter_id = b.newsletter_id and k.sending_id = b.id
      where b.newsletter_id = w.newsletter_id and b.welcome_id = w.id and b.id <> w.sending_id and b.state in ('sending', 'paused')
        and k.queued + k.claimed + k.deferred > 0
    ) e
    where w.newsletter_id = ${newsletterId} and (${id}::integer is null or w.id = ${id})
    order by g.name is not null, lower(g.name), w.id`.execute(db)
  return rows.map(present)
}

function present(row: Row): Welcome {
  const { segmentId, segmentName, waiting, accepted, caught, failed, suppressed, uncertain } = row
  const paused = row.state === 'paused'
  return {
    id: row.id,
    segment: segmentId === null ? null : { id: segmentId, name: segmentName ?? '' },
    publication: { id: row.publicationId, title: row.title },
    delayDays: row.delayDays,
    preparing: row.preparing,
    paused,
    stoppedBy: paused ? row.stoppedBy : null,
    stoppedAnswer: paused && row.stoppedBy ? row.stoppedAnswer : null,
    counts: { waiting, accepted, caught, failed, suppressed, uncertain },
    earlier: earlierOf(row, paused),
  }
}

function earlierOf(
  { earlierWaiting, earlierPaused, earlierStoppedBy }: Row,
  welcomePaused: boolean,
): Welcome['earlier'] {
  const paused = earlierPaused && !welcomePaused
  return { waiting: earlierWaiting, paused, stoppedBy: paused ? earlierStoppedBy : null }
}

/**
 * Makes the welcome of the newsletter or of a segment, or changes it. With another publication, who joined before still gets the one
 * that was chosen then, and is held and let go on together with those who come. Of a segment, whoever is in it already is passed over.
 *
 * @throws AppError publication_not_found, segment_not_found
 */
export const setWelcomeOf = (db: Kysely<DB>, newsletterId: string, choice: Choice): Promise<Welcome> =>
  db.transaction().execute(async (tx) => {
    const { publicationId } = choice
    await lockPublication(tx, newsletterId, publicationId)
    // Two who set it at once come one after the other. Publishing takes the locks in this order too.
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
    const before = await lockWelcome(tx, newsletterId, choice.segmentId)
    const set = before ? await change(tx, before, choice) : await make(tx, newsletterId, choice)
    for (const sending of await sendingsOf(tx, set)) {
      if (choice.paused) await pauseSendings(tx, sending)
      else await resumeSendings(tx, sending)
    }
    const [welcome] = await listWelcomes(tx, newsletterId, set.id)
    if (!welcome) throw new Error('the welcome that was set is gone')
    return welcome
  })

/** It cannot be deleted until the transaction ends. */
async function lockPublication(tx: Db, newsletterId: string, publicationId: string): Promise<void> {
  const query = tx.selectFrom('publication').select('id').where('newsletter_id', '=', newsletterId)
  const found = await query.where('id', '=', publicationId).forNoKeyUpdate().executeTakeFirst()
  if (!found) throw new AppError('publication_not_found')
}

interface Locked {
  newsletterId: string
  id: number
  publicationId: string
  sendingId: string
}

const columns = [
  'newsletter_id as newsletterId',
  'id',
  'publication_id as publicationId',
  'sending_id as sendingId',
] as const

/** Its sending is one to everybody who comes. */
const welcome = { audience: everyone, welcome: true }

/** Nobody is enrolled until the transaction ends. */
async function lockWelcome(tx: Db, newsletterId: string, segmentId: number | null): Promise<Locked | null> {
  const query = tx.selectFrom('welcome').select(columns).where('newsletter_id', '=', newsletterId)
  const row = await query.where('segment_id', 'is not distinct from', segmentId).forUpdate().executeTakeFirst()
  return row ?? null
}

async function change(tx: Db, before: Locked, { publicationId, delayDays }: Choice): Promise<Locked> {
  const { newsletterId, id } = before
  const isSame = before.publicationId === publicationId
  const sendingId = isSame ? before.sendingId : await openSending(tx, { newsletterId, publicationId }, welcome)
  if (!isSame) await nameWelcome(tx, { newsletterId, sendingId, id })
  await tx
    .updateTable('welcome')
    .set({ publication_id: publicationId, sending_id: sendingId, delay_days: delayDays })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .execute()
  return { ...before, publicationId, sendingId }
}

async function make(tx: Db, newsletterId: string, { segmentId, publicationId, delayDays }: Choice): Promise<Locked> {
  if (segmentId === null) {
    // Those whom an earlier welcome was ended for.
    await tx.deleteFrom('newcomer').where('newsletter_id', '=', newsletterId).execute()
  } else {
    const { filter } = await findSegment(tx, { newsletterId, segmentId }, 'lock')
    await passOver(tx, { newsletterId, segmentId, filter })
  }
  const made = await tx
    .insertInto('welcome')
    .values({
      newsletter_id: newsletterId,
      segment_id: segmentId,
      publication_id: publicationId,
      sending_id: await openSending(tx, { newsletterId, publicationId }, welcome),
      delay_days: delayDays,
      look_at: segmentId === null ? null : sql`now()`,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  await nameWelcome(tx, made)
  return made
}

const nameWelcome = (tx: Db, { newsletterId, sendingId, id }: Pick<Locked, 'newsletterId' | 'sendingId' | 'id'>) =>
  tx
    .updateTable('sending')
    .set({ welcome_id: id })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', sendingId)
    .execute()
