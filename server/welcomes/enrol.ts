import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { conditionOf } from '../segments/condition.ts'
import { Filter } from '../segments/filter/contract.ts'
import { addToSending } from '../sending/state.ts'
import { type Audience, everyone, recipientsToPlan } from '../subscribers/audience.ts'

// Enrolling adds people to the sending of a welcome and notes that they were, in one transaction. So whoever is killed in between
// leaves nothing half done, and nobody is added twice: by their row in `welcomed`, and by the primary key of deliveries.

/** People enrolled in one transaction. */
const ENROLLED_AT_ONCE = 2_000
/** A segment is looked at once a minute, or so rarely that looking takes a twentieth of the time. */
const LOOK_SECONDS = 60
const SHARE_OF_TIME = 20

/** Whoever fits a segment within this time after their import is passed over. */
const IMPORT_HOURS = 1

/** In `welcomed`, where every welcome of the newsletter itself has this number. */
const OF_NEWSLETTER = 0

interface WelcomeKey {
  newsletterId: string
  id: number
}

interface Enrolling extends WelcomeKey {
  publicationId: string
  sendingId: string
  delayDays: number
  segmentId: number | null
  filter: unknown
}

/** Welcomes for which somebody may have come. Closed newsletters welcome nobody. */
export async function findDueWelcomes(db: Db): Promise<WelcomeKey[]> {
  const { rows } = await sql<WelcomeKey>`
    select w.newsletter_id as "newsletterId", w.id from welcome w
    join newsletter n on n.id = w.newsletter_id and n.deleted_at is null
    where w.look_at <= now()
      or w.segment_id is null and exists (select from newcomer c where c.newsletter_id = w.newsletter_id)`.execute(db)
  return rows
}

/**
 * Enrols up to 2,000 people who came since. When another process does it at this moment, this call does nothing and does not
 * wait.
 * @returns whether more may be waiting
 */
export const enrol = (db: Kysely<DB>, key: WelcomeKey): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const begun = performance.now()
    const welcome = await lockWelcome(tx, key)
    if (!welcome) return false
    const { newsletterId, segmentId } = welcome
    const found = segmentId === null ? await findNewcomers(tx, newsletterId) : await findJoined(tx, welcome)
    const [imported, ids] = [true, false].map((was) => idsOf(found.filter((one) => one.wasImported === was)))
    if (imported?.length) await passOverThese(tx, welcome, imported)
    const added = !ids?.length || (await add(tx, welcome, ids))
    const isMore = added && found.length === ENROLLED_AT_ONCE
    if (segmentId !== null && !isMore) await lookAgain(tx, key, (performance.now() - begun) / 1000)
    return isMore
  })

/** The welcome stays as it is until the transaction ends; null when somebody changes it. */
async function lockWelcome(tx: Db, { newsletterId, id }: WelcomeKey): Promise<Enrolling | null> {
  const { rows } = await sql<Enrolling>`
    select w.newsletter_id as "newsletterId", w.id, w.publication_id as "publicationId", w.sending_id as "sendingId",
      w.delay_days as "delayDays", w.segment_id as "segmentId", g.filter
    from welcome w left join segment g on g.newsletter_id = w.newsletter_id and g.id = w.segment_id
    where w.newsletter_id = ${newsletterId} and w.id = ${id} for no key update of w skip locked`.execute(tx)
  return rows[0] ?? null
}

interface Found {
  id: string
  /** A moment ago, so that they fit because of their import and did not join. */
  wasImported: boolean
}

const idsOf = (rows: Found[]): string[] => rows.map(({ id }) => id)

async function findNewcomers(tx: Db, newsletterId: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select subscriber_id as id, false as "wasImported" from newcomer where newsletter_id = ${newsletterId}
    order by subscriber_id limit ${ENROLLED_AT_ONCE}`.execute(tx)
  return rows
}

const audienceOf = (filter: unknown): Audience =>
  filter === null ? everyone : { kind: 'segment', filter: Filter.parse(filter) }

async function findJoined(tx: Db, { newsletterId, segmentId, filter }: Enrolling): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select id, exists (select from consent c where c.newsletter_id = ${newsletterId} and c.subscriber_id = r.id
      and c.means = 'import' and c.at > now() - ${IMPORT_HOURS} * interval '1 hour') as "wasImported"
    from (${recipientsToPlan(newsletterId, audienceOf(filter))}) r
    where ${notWelcomed(newsletterId, segmentId)} order by id limit ${ENROLLED_AT_ONCE}`.execute(tx)
  return rows
}

const passOverThese = (tx: Db, { newsletterId, segmentId }: Enrolling, ids: string[]) =>
  noteWelcomed(tx, {
    newsletterId,
    segmentId,
    who: sql`select id from subscriber where newsletter_id = ${newsletterId} and id = any(${ids})`,
  })

const notWelcomed = (newsletterId: string, segmentId: number | null) =>
  sql<SqlBool>`not exists (select from welcomed x where x.newsletter_id = ${newsletterId} and x.subscriber_id = r.id
    and x.segment_id = ${segmentId ?? OF_NEWSLETTER})`

/** @returns false when it has to be tried again */
async function add(tx: Db, welcome: Enrolling, ids: string[]): Promise<boolean> {
  const { newsletterId, publicationId, sendingId, delayDays, segmentId } = welcome
  // Whoever erases one of them waits and then finds the delivery too, or was first, and they are not here any more.
  await sql`select from subscriber where newsletter_id = ${newsletterId} and id = any(${ids}) order by id for key share`.execute(
    tx,
  )
  const recipients = sql`
    select r.* from (${recipientsToPlan(newsletterId, everyone)}) r
    where r.id = any(${ids}) and ${notWelcomed(newsletterId, segmentId)}`
  const sending = { newsletterId, publicationId, id: sendingId }
  if (!(await addToSending(tx, sending, { recipients, delayDays }))) return false
  const who = sql`select subscriber_id as id from delivery
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and subscriber_id = any(${ids})`
  await noteWelcomed(tx, { newsletterId, segmentId, who })
  if (segmentId === null)
    await sql`delete from newcomer where newsletter_id = ${newsletterId} and subscriber_id = any(${ids})`.execute(tx)
  return true
}

const noteWelcomed = (
  tx: Db,
  { newsletterId, segmentId, who }: { newsletterId: string; segmentId: number | null; who: RawBuilder<unknown> },
) =>
  sql`
    insert into welcomed (newsletter_id, subscriber_id, segment_id)
    select ${newsletterId}, w.id, ${segmentId ?? OF_NEWSLETTER} from (${who}) w order by w.id
    on conflict do nothing`.execute(tx)

/** The times are the database's, as those of everything that is due. */
const lookAgain = (tx: Db, { newsletterId, id }: WelcomeKey, tookSeconds: number) =>
  sql`update welcome set look_at = clock_timestamp()
      + ${Math.max(LOOK_SECONDS, tookSeconds * SHARE_OF_TIME)} * interval '1 second'
    where newsletter_id = ${newsletterId} and id = ${id}`.execute(tx)

interface Members {
  newsletterId: string
  segmentId: number
  filter: Filter
}

/** Takes the subscribers as welcomed who are in a segment now: its welcome is for who joins later. */
export const passOver = (tx: Db, { newsletterId, segmentId, filter }: Members) =>
  noteWelcomed(tx, {
    newsletterId,
    segmentId,
    who: sql`select s.id from subscriber s where s.newsletter_id = ${newsletterId} and s.status = 'active'
      and ${conditionOf(filter, { newsletterId, asOf: sql<Date>`now()` })}`,
  })

/** Keeps people from being enrolled in the welcome of a segment until the transaction ends. @returns whether there is one */
export async function holdWelcomeOf(
  tx: Db,
  { newsletterId, segmentId }: { newsletterId: string; segmentId: number },
): Promise<boolean> {
  const query = tx.selectFrom('welcome').select('id').where('newsletter_id', '=', newsletterId)
  return (await query.where('segment_id', '=', segmentId).forUpdate().executeTakeFirst()) !== undefined
}

/** Forgets who was welcomed to a segment that is deleted. Its number is never used again. */
export const forgetWelcomed = (tx: Db, { newsletterId, segmentId }: { newsletterId: string; segmentId: number }) =>
  tx.deleteFrom('welcomed').where('newsletter_id', '=', newsletterId).where('segment_id', '=', segmentId).execute()
