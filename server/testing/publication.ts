import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import { everyone } from '../subscribers/audience.ts'

interface Started {
  newsletterId: string
  id?: string
  state?: 'sending' | 'paused' | 'sent' | 'cancelled'
  startedAt?: Date
}

/** A publication with a sending of the same id, whose deliveries are for the caller to add. */
export async function addPublication(
  db: Db,
  { newsletterId, id = publicId(), state = 'sent', startedAt = new Date() }: Started,
): Promise<string> {
  const content = JSON.stringify({ type: 'doc', content: [] })
  const written = { title: 'Low tide', language: 'en', content, published_at: startedAt } as const
  await db
    .insertInto('publication')
    .values({ newsletter_id: newsletterId, id, ...written })
    .execute()
  await db
    .insertInto('sending')
    .values({
      newsletter_id: newsletterId,
      id,
      publication_id: id,
      audience: JSON.stringify(everyone),
      state,
      started_at: startedAt,
    })
    .execute()
  return id
}
