import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { planName } from '../charge/plans/plan-name.ts'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { findQueuedMail } from '../sending/queued-mail.ts'
import { findSubscriberSubject, findUserSubject, rowsOfSubscriber, rowsOfUser } from './find.ts'
import { heldOfSubscribers, heldOfUsers } from './register.ts'

type Row = Record<string, unknown>
/** Rows by `table.column`, where the column is the one that names the person. Values are as JSON has them. */
export type PersonalData = Record<string, Row[]>

/** Mails in the job queue, which is not one of our tables. */
export const QUEUED_MAIL = 'queued_mail.to'

/** Everything that is held of a subscriber, or null when there is none. */
export function exportSubscriber(
  db: Kysely<DB>,
  key: { newsletterId: string; subscriberId: string },
): Promise<PersonalData | null> {
  return db.transaction().execute(async (tx) => {
    const subject = await findSubscriberSubject(tx, key)
    if (!subject) return null
    const data = await collect(heldOfSubscribers, (holding) =>
      selectRows(tx, holding, rowsOfSubscriber(holding, subject)),
    )
    return { ...data, [QUEUED_MAIL]: await findQueuedMail(tx, subject) }
  })
}

/** Everything that is held of a user, or null when there is none. */
export function exportUser(db: Kysely<DB>, userId: string): Promise<PersonalData | null> {
  return db.transaction().execute(async (tx) => {
    const subject = await findUserSubject(tx, userId)
    if (!subject) return null
    const data = await collect(heldOfUsers, (holding) => selectRows(tx, holding, rowsOfUser(holding, subject)))
    return { ...data, [QUEUED_MAIL]: await findQueuedMail(tx, { email: subject.email, newsletterId: null }) }
  })
}

interface Exported {
  table: string
  person: string
  exported: readonly string[]
}

async function collect<H extends Exported>(
  holdings: readonly H[],
  select: (holding: H) => Promise<Row[]>,
): Promise<PersonalData> {
  const data: PersonalData = {}
  for (const holding of holdings) data[`${holding.table}.${holding.person}`] = await select(holding)
  return data
}

/** What an id leads to, by the name that its person knows. */
const named = [
  {
    by: 'plan_id',
    table: 'plan',
    name: planName('n', sql`(select language from newsletter where id = n.newsletter_id)`),
  },
  { by: 'tag_id', table: 'tag', name: sql`n.name` },
  { by: 'publication_id', table: 'publication', name: sql`n.title` },
] as const

async function selectRows(db: Db, { table, exported }: Exported, where: RawBuilder<SqlBool>): Promise<Row[]> {
  const names = named
    .filter(({ by }) => exported.includes(by))
    .map(
      (to) => sql`(select ${to.name} from ${sql.table(to.table)} n
        where n.newsletter_id = ${sql.ref(`${table}.newsletter_id`)} and n.id = ${sql.ref(`${table}.${to.by}`)}) as ${sql.ref(to.table)}`,
    )
  const columns = sql.join([...exported.map((column) => sql.ref(column)), ...names])
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(r) as row from (select ${columns} from ${sql.table(table)} where ${where}) r`.execute(db)
  return rows.map(({ row }) => row)
}
