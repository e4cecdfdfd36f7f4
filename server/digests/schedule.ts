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
  const moments = digestPaces.map((pace) => ({ pace, at: nextMoment(scheduleOf(newsletter), pace, now).toISOString() }))
  const { rows } = await sql<{ pace: DigestPace; subscribers: number; away: number; waiting: number }>`
    select pace, count(*)::integer as subscribers, count(*) filter (where away)::integer as away,
      count(*) filter (where not away and waits)::integer as waiting
    from (
      select s.pace, s.paused_until > m.at is true or exists (select from suppression x
          where x.newsletter_id = s.newsletter_id and x.email_normalised = s.email_normalised) as away,
        exists (select from digest_item i
          join publication p on p.newsletter_id = i.newsletter_id and p.id = i.publication_id and p.off_web_at is null
          where i.newsletter_id = s.newsletter_id and i.subscriber_id = s.id and i.digested_at is null) as waits
      from subscriber s
      join unnest(${moments.map(({ pace }) => pace)}::text[], ${moments.map(({ at }) => at)}::timestamptz[]) m (pace, at) on m.pace = s.pace
      where s.newsletter_id = ${newsletter.id} and s.pace <> 'every' and s.status = 'active') each group by pace`.execute(
    db,
  )
  return moments.map(({ pace, at }) => {
    const { subscribers = 0, away = 0, waiting = 0 } = rows.find((row) => row.pace === pace) ?? {}
    return { pace, at, subscribers, away, waiting }
  })
}
