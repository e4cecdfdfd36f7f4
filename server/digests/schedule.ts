import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { type DigestPace, digestPaces } from '../subscribers/contract.ts'
import { nextMoment, type Schedule } from './moment.ts'

export const scheduleOf = (
  newsletter: Pick<NewsletterRow, 'timezone' | 'digest_hour' | 'digest_weekday'>,
): Schedule => ({
  timezone: newsletter.timezone,
  hour: newsletter.digest_hour,
  weekday: newsletter.digest_weekday,
})

/** When the next digests go out, and to how many. */
export async function findNextDigests(db: Db, newsletter: NewsletterRow, now: Date) {
  const { rows } = await sql<{ pace: DigestPace; subscribers: number; waiting: number }>`
    select s.pace, count(*)::integer as subscribers,
      count(*) filter (where exists (select from digest_item i where i.newsletter_id = s.newsletter_id
        and i.subscriber_id = s.id and i.digested_at is null))::integer as waiting
    from subscriber s
    where s.newsletter_id = ${newsletter.id} and s.pace <> 'every' and s.status = 'active' group by s.pace`.execute(db)
  return digestPaces.map((pace) => {
    const { subscribers = 0, waiting = 0 } = rows.find((row) => row.pace === pace) ?? {}
    return { pace, at: nextMoment(scheduleOf(newsletter), pace, now).toISOString(), subscribers, waiting }
  })
}
