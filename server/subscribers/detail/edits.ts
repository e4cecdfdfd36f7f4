import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { Asker } from '../asker.ts'

/** What changed of subscribers, for their timelines: tags by the name of the time, custom fields by their keys. */
interface Edit {
  newsletterId: string
  subscriberIds: string[]
  given?: string[]
  taken?: string[]
  fields?: string[]
  by: Asker
}

/** In the transaction of the change. It writes nothing when nothing changed. */
export async function noteEdit(tx: Db, edit: Edit): Promise<void> {
  const { newsletterId, subscriberIds, given = [], taken = [], fields = [], by } = edit
  if (subscriberIds.length === 0 || given.length + taken.length + fields.length === 0) return
  await sql`
    insert into subscriber_edit (newsletter_id, id, subscriber_id, user_id, api_key_id, given, taken, fields)
    select ${newsletterId}, e.id, e.subscriber_id, ${by.userId}, ${by.apiKeyId}, ${given}::text[], ${taken}::text[], ${fields}::text[]
    from unnest(${subscriberIds.map(() => uuidv7())}::uuid[], ${subscriberIds}::uuid[]) as e (id, subscriber_id)`.execute(
    tx,
  )
}
