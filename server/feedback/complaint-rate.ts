import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { COMPLAINT_DAYS, type ComplaintLevel, MAX_COMPLAINT_RATE, WATCHED_COMPLAINT_RATE } from './contract.ts'

/** Fewer say nothing about a list: one click may be a mistake. */
const MIN_COMPLAINTS = 3
/** Among fewer accepted mails a rate in thousandths has no meaning. */
const MIN_ACCEPTED = 1_000

/** The complaints and the accepted deliveries of all publications whose sending began in the last 30 days, and of welcomes that go on. */
export interface ComplaintFigures {
  complaints: number
  accepted: number
}

/**
 * `high` pauses what is being sent: 0.3 % or more, at least 3 complaints, among at least 1,000 accepted. `watched` tells the
 * owner: 0.1 % or more, with one of the two minima.
 */
export function complaintLevel({ complaints, accepted }: ComplaintFigures): ComplaintLevel {
  const rate = complaints / Math.max(1, accepted)
  const several = complaints >= MIN_COMPLAINTS
  const many = accepted >= MIN_ACCEPTED
  if (several && many && rate >= MAX_COMPLAINT_RATE) return 'high'
  return (several || many) && rate >= WATCHED_COMPLAINT_RATE ? 'watched' : 'fine'
}

/** Counts each delivery once, however many sources complain about it. */
export async function complaintFigures(db: Db, newsletterId: string): Promise<ComplaintFigures> {
  const { rows } = await sql<ComplaintFigures>`
    with recent as materialized (
      select distinct publication_id from sending
      where newsletter_id = ${newsletterId}
        and (started_at > now() - ${COMPLAINT_DAYS} * interval '1 day' or welcome and state = 'sending')
    )
    select coalesce((select sum(accepted) from publication_count
        where newsletter_id = ${newsletterId} and publication_id in (select publication_id from recent)), 0)::integer as accepted,
      (select count(distinct (publication_id, subscriber_id)) from feedback
        where newsletter_id = ${newsletterId} and kind = 'complaint'
          and publication_id in (select publication_id from recent))::integer as complaints`.execute(db)
  return rows[0] ?? { complaints: 0, accepted: 0 }
}
