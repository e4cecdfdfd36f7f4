import { type Kysely, sql } from 'kysely'
import { publicId, uuidv7 } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { type Session, startTestApp, type TestApp } from './app.ts'

export interface TestNewsletter extends TestApp {
  owner: Session
  newsletterId: string
  path: string
  /** The API's address of the subscriber with this id of the database. */
  subscriberPath(id: string): string
  /** Active subscribers; answers their ids. */
  addSubscribers(emails: string[], name?: string | null): Promise<string[]>
  /** A draft that may be sent. */
  draft(values?: Record<string, unknown>): Promise<{ id: string; revision: number }>
  send(publicationId: string, body?: Record<string, unknown>): ReturnType<Session['call']>
  counts(publicationId: string): Promise<Record<string, number>>
  state(publicationId: string): Promise<{ status: string; stopped_by: string | null }>
}

export const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

/** A whole server with an owner and a newsletter that may send. */
export async function startTestNewsletter(env: Record<string, string> = {}, now?: () => Date): Promise<TestNewsletter> {
  const server = await startTestApp({ env, ...(now && { now }) })
  const { db } = server.context
  const owner = await server.signUp({ name: 'Inès', email: 'ines@example.org' })
  await db.updateTable('user').set({ email_verified: true }).where('id', '=', owner.userId).execute()
  const newsletterId = await addNewsletter(db, owner.userId)
  // The mail that greets a new account would be counted among the newsletter's.
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  const path = `/api/newsletters/${newsletterId}`
  return {
    ...server,
    owner,
    newsletterId,
    path,
    subscriberPath: (id) => `${path}/subscribers/${server.context.shownIds.show(id)}`,
    async addSubscribers(emails, name = null) {
      const rows = emails.map((email) => ({
        newsletter_id: newsletterId,
        id: uuidv7(),
        email,
        email_normalised: email.toLowerCase(),
        name,
        language: 'en' as const,
        status: 'active' as const,
        confirmed_at: new Date(),
      }))
      await db.insertInto('subscriber').values(rows).execute()
      return rows.map(({ id }) => id)
    },
    async draft(values = {}) {
      const content = { type: 'doc', content: [paragraph('Twice a day the sea leaves.')] }
      const answer = await owner.call('POST', `${path}/publications`, { title: 'Low tide', content, ...values })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json()
    },
    send: (publicationId, body = {}) => owner.call('POST', `${path}/publications/${publicationId}/send`, body),
    async counts(publicationId) {
      const row = await db
        .selectFrom('publication_count')
        .selectAll()
        .where('publication_id', '=', publicationId)
        .executeTakeFirst()
      const kinds = [
        'intended',
        'queued',
        'claimed',
        'accepted',
        'caught',
        'deferred',
        'failed',
        'suppressed',
        'uncertain',
      ] as const
      return Object.fromEntries(kinds.flatMap((kind) => (row?.[kind] ? [[kind, row[kind]]] : [])))
    },
    state: (publicationId) =>
      db
        .selectFrom('publication_status')
        .select(['status', 'stopped_by'])
        .$narrowType<{ status: string }>()
        .where('publication_id', '=', publicationId)
        .executeTakeFirstOrThrow(),
  }
}

/** A newsletter with everything that a sending asks for. */
export async function addNewsletter(db: Kysely<DB>, ownerId: string, name = 'Low Water'): Promise<string> {
  const id = publicId()
  await db
    .insertInto('newsletter')
    .values({
      id,
      name,
      sender_name: name,
      sender_address: 'ines@lowwater.test',
      postal_address: '4 quai de la Criée, Audierne',
      language: 'en',
      timezone: 'Europe/Paris',
      currency: 'eur',
      // What is sent in a test leaves at once, but where this is what it asks about.
      take_back_seconds: 0,
    })
    .execute()
  await db.insertInto('member').values({ newsletter_id: id, user_id: ownerId, role: 'owner' }).execute()
  const proof = { newsletter_id: id, address: 'ines@lowwater.test', proved_at: new Date() }
  await db.insertInto('sender_proof').values(proof).execute()
  return id
}
