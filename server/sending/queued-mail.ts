import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { deleteJobs, findJobs } from '../jobs/payloads.ts'

/** A person's address, and the newsletter that writes to it; null for the instance's own mail. */
export interface MailRecipient {
  email: string
  newsletterId: string | null
}

/**
 * The system mails to a person that are in the job queue. A mail that no relay took in twelve attempts stays there with
 * its text. Of the text only the subject is returned, because links in it are secrets.
 */
export async function findQueuedMail(
  db: Db,
  recipient: MailRecipient,
): Promise<{ subject: string; queued_at: string }[]> {
  const jobs = await findJobs(db, 'send_mail', isTo(recipient))
  return jobs.map(({ payload, queuedAt }) => ({ subject: payload.subject, queued_at: queuedAt.toISOString() }))
}

/** Removes the system mails to people, and those about subscribers, from the job queue. */
export const deleteQueuedMail = (
  db: Db,
  {
    emails,
    newsletterId,
    subscriberIds = [],
  }: { emails: string[]; newsletterId: string | null; subscriberIds?: string[] },
): Promise<void> =>
  deleteJobs(
    db,
    'send_mail',
    sql<SqlBool>`(${isToOneOf(emails, newsletterId)}
      or payload ->> 'newsletterId' = ${newsletterId} and payload ->> 'subscriberId' = any(${subscriberIds}::text[]))`,
  )

/** Removes all system mails of a newsletter from the job queue. */
export const deleteQueuedMailOf = (db: Db, newsletterId: string): Promise<void> =>
  deleteJobs(db, 'send_mail', sql<SqlBool>`payload ->> 'newsletterId' = ${newsletterId}`)

const isToOneOf = (emails: string[], newsletterId: string | null) =>
  sql<SqlBool>`lower(payload ->> 'to') = any(select lower(email) from unnest(${emails}::text[]) as one (email))
    and payload ->> 'newsletterId' is not distinct from ${newsletterId}`

const isTo = ({ email, newsletterId }: MailRecipient) => isToOneOf([email], newsletterId)
