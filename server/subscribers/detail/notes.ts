import { type Kysely, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { SubscriberKey } from '../change.ts'
import { lockSubscriber } from '../queries.ts'
import { MOST_NOTES } from './contract.ts'

interface Note {
  id: string
  at: Date
  text: string
  by: string | null
}

/** Newest first; a member who has left is not named. */
export async function listNotes(db: Db, { newsletterId, subscriberId }: SubscriberKey): Promise<Note[]> {
  const { rows } = await sql<Note>`
    select n.id, n.at, n.text, u.name as by from subscriber_note n
    left join member m on m.newsletter_id = n.newsletter_id and m.user_id = n.user_id
    left join "user" u on u.id = m.user_id
    where n.newsletter_id = ${newsletterId} and n.subscriber_id = ${subscriberId} order by n.id desc`.execute(db)
  return rows
}

/** Requests at the same moment are counted one after the other. @throws AppError subscriber_not_found, too_many_notes */
export const addNote = (
  db: Kysely<DB>,
  key: SubscriberKey,
  { text, userId }: { text: string; userId: string | null },
): Promise<Note> =>
  db.transaction().execute(async (tx) => {
    if (!(await lockSubscriber(tx, key))) throw new AppError('subscriber_not_found')
    if ((await listNotes(tx, key)).length >= MOST_NOTES)
      throw new AppError('too_many_notes', { params: { maximum: MOST_NOTES } })
    const note = {
      newsletter_id: key.newsletterId,
      id: uuidv7(),
      subscriber_id: key.subscriberId,
      user_id: userId,
      text,
    }
    await tx.insertInto('subscriber_note').values(note).execute()
    const [newest] = await listNotes(tx, key)
    if (!newest) throw new Error('the note is gone')
    return newest
  })

/** @throws AppError note_not_found */
export async function deleteNote(db: Db, { newsletterId, subscriberId }: SubscriberKey, noteId: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('subscriber_note')
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .where('id', '=', noteId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('note_not_found')
}
