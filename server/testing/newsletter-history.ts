import { type RawBuilder, sql } from 'kysely'
import sharp from 'sharp'
import { uuidv7 } from '../database/ids.ts'
import { paragraph, type TestNewsletter } from './newsletter.ts'
import { uploadImage } from './upload.ts'

type Newsletter = Pick<TestNewsletter, 'context' | 'newsletterId' | 'addSubscribers' | 'draft' | 'send' | 'work'>

const run = ({ context }: Newsletter, statement: RawBuilder<unknown>) => statement.execute(context.db)

export const doc = (...content: object[]) => ({ type: 'doc', content })

/** A paragraph that is a link. */
export const link = (href: string) => ({
  type: 'paragraph',
  content: [{ type: 'text', text: 'The tide', marks: [{ type: 'link', attrs: { href } }] }],
})

export const image = (mediaId: string) => ({
  type: 'image',
  attrs: { mediaId, src: `http://tirage.test/media/${mediaId}` },
})

/** A new image's id. */
export async function upload({
  inject,
  path,
  owner,
}: Pick<TestNewsletter, 'inject' | 'path' | 'owner'>): Promise<string> {
  const data = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#0C5C5A' } })
    .jpeg()
    .toBuffer()
  return (await uploadImage({ inject }, { path, cookie: owner.cookie, data })).json().id
}

/** A publication that went to new subscribers with these names before the @. The first of them opened it and clicked. */
export async function sent(
  server: Newsletter,
  domain: string,
  names: string[],
): Promise<{ id: string; subscriberIds: string[] }> {
  const subscriberIds = await server.addSubscribers(names.map((name) => `${name}@${domain}`))
  const { id } = await server.draft({ content: doc(link('https://example.org/tide'), paragraph('Twice a day.')) })
  await server.send(id)
  await server.work()
  const [first] = subscriberIds
  const { newsletterId } = server
  await run(
    server,
    sql`update delivery set opened_at = now() where newsletter_id = ${newsletterId} and publication_id = ${id} and subscriber_id = ${first}`,
  )
  await run(
    server,
    sql`insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
    values (${newsletterId}, ${uuidv7()}, now(), 'opened', ${first}, ${id})`,
  )
  await run(
    server,
    sql`insert into click (newsletter_id, short_link_id, publication_id, subscriber_id, at, device)
    select newsletter_id, id, publication_id, ${first}, now(), 'desktop' from short_link
    where newsletter_id = ${newsletterId} and publication_id = ${id} and not canary`,
  )
  return { id, subscriberIds }
}

/** Deliveries as a relay that refuses, defers or says nothing would leave them. */
export const troubled = (
  server: Newsletter,
  [publicationId, subscriberId]: [string, string | undefined],
  state: 'failed' | 'deferred' | 'uncertain',
) =>
  run(
    server,
    sql`update delivery set state = ${state}, answer = '550 5.1.1 no such user', gone = false,
      due_at = case when ${state} = 'deferred' then now() + interval '1 day' end
    where newsletter_id = ${server.newsletterId} and publication_id = ${publicationId} and subscriber_id = ${subscriberId}`,
  )

/** Subscribers whom a bounce has ended. */
export async function bounced(server: Newsletter, emails: string[], publicationId: string): Promise<string[]> {
  const ids = await server.addSubscribers(emails)
  await run(
    server,
    sql`update subscriber set status = 'bounced', left_reason = 'bounced', left_at = now()
    where newsletter_id = ${server.newsletterId} and id = any(${ids})`,
  )
  await run(
    server,
    sql`insert into suppression (newsletter_id, email_normalised, reason, detail, publication_id)
    select newsletter_id, email_normalised, 'bounced', '550 5.1.1 no such user', ${publicationId} from subscriber
    where newsletter_id = ${server.newsletterId} and id = any(${ids})`,
  )
  return ids
}
