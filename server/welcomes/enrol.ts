import { type Kysely, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { withHashJoins } from '../database/hash-joins.ts'
import type { DB } from '../database/types.ts'
import { Filter } from '../segments/filter/contract.ts'
import { addToSending } from '../sending/state.ts'
import { type Audience, everyone, recipientsToPlan } from '../subscribers/audience.ts'
import { isPreparing } from './pass-over.ts'
import { noteWelcomed, notWelcomed } from './welcomed.ts'

// Enrolling adds people to the sending of a welcome and notes that they were, in one transaction. So whoever is killed in between
// leaves nothing half done, and nobody is added twice: by their row in `welcomed`, and by the primary key of deliveries.

/** People enrolled in one transaction. */
const ENROLLED_AT_ONCE = 2_000
/** A segment is looked at once a minute, or so rarely that looking takes a twentieth of the time. */
const LOOK_SECONDS = 60
const SHARE_OF_TIME = 20

/** Whoever fits a segment within this time after their import is passed over. */
const IMPORT_HOURS = 1

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

/** A look at who has come. It goes on after the last of those who were found, and began at this time of `performance`. */
export interface Look {
  after: string
  begun: number
}

export const newLook = (): Look => ({ after: '00000000-0000-0000-0000-000000000000', begun: performance.now() })

/**
 * Enrols up to 2,000 people who came since. When another process does it at this moment, this call does nothing and does not
 * wait.
 * @returns how the look goes on when more may be waiting, else null
 */
export const enrol = (db: Kysely<DB>, key: WelcomeKey, look: Look): Promise<Look | null> =>
  db.transaction().execute(async (tx) => {
    const welcome = await lockWelcome(tx, key)
    if (!welcome) return null
    const { newsletterId, segmentId } = welcome
    const found = segmentId === null ? await findNewcomers(tx, newsletterId, look) : await findJoined(tx, welcome, look)
    const [imported, ids] = [true, false].map((was) => idsOf(found.filter((one) => one.wasImported === was)))
    if (imported?.length) await passOverThese(tx, welcome, imported)
    const added = !ids?.length || (await add(tx, welcome, ids))
    const last = found.at(-1)
    if (added && last && found.length === ENROLLED_AT_ONCE) return { ...look, after: last.id }
    if (segmentId !== null) await lookAgain(tx, key, (performance.now() - look.begun) / 1000)
    return null
  })

/** The welcome stays as it is until the transaction ends; null when somebody changes it, or it is being prepared. */
async function lockWelcome(tx: Db, { newsletterId, id }: WelcomeKey): Promise<Enrolling | null> {
  const { rows } = await sql<Enrolling>`
    select w.newsletter_id as "newsletterId", w.id, w.publication_id as "publicationId", w.sending_id as "sendingId",
      w.delay_days as "delayDays", w.segment_id as "segmentId", g.filter
    from welcome w left join segment g on g.newsletter_id = w.newsletter_id and g.id = w.segment_id
    where w.newsletter_id = ${newsletterId} and w.id = ${id} for no key update of w skip locked`.execute(tx)
  const [welcome] = rows
  if (!welcome) return null
  // Asked once it is locked: whoever changed the conditions of the segment had it until then.
  const asked = sql<{
    is: boolean
  }>`select ${isPreparing(sql`${newsletterId}::text`, sql`${welcome.segmentId}::integer`)} as is`
  return (await asked.execute(tx)).rows[0]?.is ? null : welcome
}

interface Found {
  id: string
  /** A moment ago, so that they fit because of their import and did not join. */
  wasImported: boolean
}

const idsOf = (rows: Found[]): string[] => rows.map(({ id }) => id)

async function findNewcomers(tx: Db, newsletterId: string, { after }: Look): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select subscriber_id as id, false as "wasImported" from newcomer
    where newsletter_id = ${newsletterId} and subscriber_id > ${after}
    order by subscriber_id limit ${ENROLLED_AT_ONCE}`.execute(tx)
  return rows
}

const audienceOf = (filter: unknown): Audience =>
  filter === null ? everyone : { kind: 'segment', filter: Filter.parse(filter) }

async function findJoined(tx: Db, { newsletterId, segmentId, filter }: Enrolling, { after }: Look): Promise<Found[]> {
  const query = sql<Found>`
    select id, exists (select from consent c where c.newsletter_id = ${newsletterId} and c.subscriber_id = r.id
      and c.means = 'import' and c.at > now() - ${IMPORT_HOURS} * interval '1 hour') as "wasImported"
    from (${recipientsToPlan(newsletterId, audienceOf(filter))}) r
    where r.id > ${after} and ${notWelcomed({ newsletterId, segmentId })} order by id limit ${ENROLLED_AT_ONCE}`
  return (await withHashJoins(tx, () => query.execute(tx))).rows
}

const passOverThese = (tx: Db, { newsletterId, segmentId }: Enrolling, ids: string[]) =>
  noteWelcomed(
    tx,
    { newsletterId, segmentId },
    sql`select id from subscriber where newsletter_id = ${newsletterId} and id = any(${ids})`,
  )

/** @returns false when it has to be tried again */
async function add(tx: Db, welcome: Enrolling, ids: string[]): Promise<boolean> {
  const { newsletterId, publicationId, sendingId, delayDays, segmentId } = welcome
  // Whoever erases one of them waits and then finds the delivery too, or was first, and they are not here any more.
  await sql`select from subscriber where newsletter_id = ${newsletterId} and id = any(${ids}) order by id for key share`.execute(
    tx,
  )
  const recipients = sql`
    select r.* from (${recipientsToPlan(newsletterId, everyone)}) r
    where r.id = any(${ids}) and ${notWelcomed({ newsletterId, segmentId })}`
  const sending = { newsletterId, publicationId, id: sendingId }
  if (!(await addToSending(tx, sending, { recipients, delayDays }))) return false
  const who = sql`select subscriber_id as id from delivery
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and subscriber_id = any(${ids})`
  await noteWelcomed(tx, { newsletterId, segmentId }, who)
  if (segmentId === null)
    await sql`delete from newcomer where newsletter_id = ${newsletterId} and subscriber_id = any(${ids})`.execute(tx)
  return true
}

/** The times are the database's, as those of everything that is due. */
const lookAgain = (tx: Db, { newsletterId, id }: WelcomeKey, tookSeconds: number) =>
  sql`update welcome set look_at = clock_timestamp()
      + ${Math.max(LOOK_SECONDS, tookSeconds * SHARE_OF_TIME)} * interval '1 second'
    where newsletter_id = ${newsletterId} and id = ${id}`.execute(tx)

/** Keeps people from being enrolled in the welcome of a segment until the transaction ends. @returns whether there is one */
export async function holdWelcomeOf(
  tx: Db,
  { newsletterId, segmentId }: { newsletterId: string; segmentId: number },
): Promise<boolean> {
  const query = tx.selectFrom('welcome').select('id').where('newsletter_id', '=', newsletterId)
  return (await query.where('segment_id', '=', segmentId).forUpdate().executeTakeFirst()) !== undefined
}
