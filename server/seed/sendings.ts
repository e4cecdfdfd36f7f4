import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { RULES_VERSION } from '../links/human.ts'
import { addPastSending } from '../sending/state.ts'
import { countries, drawOf, oneOf, pick, referrers, type Visitors } from './visitors.ts'

export interface PastSending {
  newsletterId: string
  publicationId: string
  /** Start of sending. */
  at: Date
  /** The share of those accepted who open, and of those who open who click. */
  opens: number
  clicks: number
}

/** A uniform number from 0 to 1 that is always the same for a subscriber, a publication and a question. */
const draw = (question: string, { publicationId }: PastSending) =>
  drawOf(sql`s.id::text || ${publicationId + question}`)

/** A delivery in its final state for everybody who was active then. The triggers count them. */
export const insertDeliveries = (db: Db, sending: PastSending) =>
  addPastSending(db, sending, {
    startedAt: sending.at,
    finishedAt: new Date(sending.at.getTime() + 5 * 60_000),
    deliveries: pastDeliveries(sending),
  })

const pastDeliveries = (sending: PastSending) =>
  sql`
    select id as subscriber_id, email, state,
      case state
        when 'accepted' then '250 2.0.0 Ok: queued'
        when 'failed' then case when left_then then '550 5.1.1 No such mailbox' else '552 5.2.2 Mailbox full' end
        when 'suppressed' then 'by_hand'
        when 'uncertain' then 'read ECONNRESET'
      end as answer,
      changed_at,
      case when state = 'accepted' and would_open < ${sending.opens}::float8
        and changed_at + interval '1 minute' + interval '9 hours' * -ln(1 - wait) < now()
        then changed_at + interval '1 minute' + interval '9 hours' * -ln(1 - wait) end as opened_at
    from (
      select s.id, s.email, s.status = 'bounced' and s.left_at < ${sending.at}::timestamptz + interval '6 minutes' as left_then,
        case
          when s.status = 'bounced' and s.left_at < ${sending.at}::timestamptz + interval '6 minutes' then 'failed'
          when u.reason = 'by_hand' and u.at < ${sending.at} then 'suppressed'
          when ${draw('full', sending)} < 0.0006 then 'failed'
          when ${draw('line', sending)} < 0.00008 then 'uncertain'
          else 'accepted'
        end as state,
        ${sending.at}::timestamptz + interval '5 minutes' * ${draw('turn', sending)} as changed_at,
        ${draw('open', sending)} as would_open,
        ${draw('wait', sending)} as wait
      from subscriber s left join suppression u on u.newsletter_id = s.newsletter_id and u.email_normalised = s.email_normalised
      where s.newsletter_id = ${sending.newsletterId} and s.confirmed_at < ${sending.at}
        and (s.left_at is null or s.left_at > ${sending.at})
    ) recipient`

/** The opens as events, for the activity chart, and their number. */
export const insertOpens = (db: Db, { newsletterId, publicationId }: PastSending) =>
  sql`
    with opened as (
      select newsletter_id, publication_id, subscriber_id, opened_at from delivery
      where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and opened_at is not null
    ), counted as (
      update delivery_count set opened = (select count(*) from opened)
      where newsletter_id = ${newsletterId}
        and sending_id = (select id from sending where newsletter_id = ${newsletterId} and publication_id = ${publicationId})
    )
    insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
    select newsletter_id, md5(publication_id || subscriber_id)::uuid, opened_at, 'opened', subscriber_id, publication_id
    from opened`.execute(db)

/** Complaints of those who complained soon after a delivery, and a few mailboxes that were full. */
export const insertFeedback = (db: Db, sending: PastSending) =>
  sql`
    insert into feedback (newsletter_id, id, at, publication_id, subscriber_id, kind, source, status, words, suppressed)
    select newsletter_id, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3)
        || '8' || substr(hash, 4, 15))::uuid, at, publication_id, id, kind, source, status, words, kind = 'complaint'
    from (
      select d.newsletter_id, d.publication_id, s.id, md5(d.publication_id || s.id || 'feedback') as hash,
        s.status = 'complained' as spam, s.left_at, d.changed_at
      from delivery d join subscriber s on s.newsletter_id = d.newsletter_id and s.id = d.subscriber_id
      where d.newsletter_id = ${sending.newsletterId} and d.publication_id = ${sending.publicationId}
        and d.state = 'accepted' and (${draw('mailbox', sending)} < 0.0012
          or s.status = 'complained' and s.left_at between d.changed_at and d.changed_at + interval '5 days')
    ) reported
    cross join lateral (
      select least(now(), case when spam then left_at else changed_at + interval '40 minutes' end) as at,
        case when spam then 'complaint' else 'soft' end as kind, case when spam then 'arf' else 'dsn' end as source,
        case when spam then null else '4.2.2' end as status,
        case when spam then 'This is an email abuse report for an email message.'
          else '452 4.2.2 The email account that you tried to reach is over quota.' end as words
    ) feedback`.execute(db)

/**
 * Clicks of some of those who opened, most of them on the first link, and on a sponsor’s as if it were the third. The machines of some mail providers follow every
 * link within seconds of the delivery; the published rules exclude those clicks. One of them follows the hidden link too.
 */
export const insertClicks = (db: Db, visitors: Visitors, sending: PastSending) =>
  sql`
    insert into click (newsletter_id, short_link_id, publication_id, subscriber_id, at, excluded_by, device, agent_id, signs, referrer, country, rules)
    select d.newsletter_id, l.id, d.publication_id, s.id, least(now(), d.opened_at + interval '4 minutes' * (0.1 + ${draw('read', sending)})),
      v.excluded_by, v.device, v.agent_id, v.signs, ${pick(referrers.mail, draw('program', sending))},
      case s.language when 'fr' then ${pick(countries.fr, draw('home', sending))} else ${pick(countries.en, draw('home', sending))} end, ${RULES_VERSION}::smallint
    from delivery d
      join subscriber s on s.newsletter_id = d.newsletter_id and s.id = d.subscriber_id
      join short_link l on l.newsletter_id = d.newsletter_id and l.publication_id = d.publication_id and not l.canary
      ${oneOf(visitors.people, draw('device', sending))}
    where d.newsletter_id = ${sending.newsletterId} and d.publication_id = ${sending.publicationId} and d.opened_at is not null
      and ((hashtextextended(s.id::text || l.target, 7) & 1048575) / 1048576.0) < ${sending.clicks}::float8 / (1 + case when l.for_sponsor then 2 else coalesce(l.position, 0) end)
    union all
    select d.newsletter_id, l.id, d.publication_id, s.id, d.changed_at + interval '3 seconds', v.excluded_by, v.device, v.agent_id, v.signs,
      null, ${pick(countries.programs, draw('home', sending))}, ${RULES_VERSION}::smallint
    from delivery d
      join subscriber s on s.newsletter_id = d.newsletter_id and s.id = d.subscriber_id
      ${oneOf(visitors.scanners, draw('machine', sending))}
      join short_link l on l.newsletter_id = d.newsletter_id and l.publication_id = d.publication_id and (not l.canary or v.excluded_by = 'canary')
    where d.newsletter_id = ${sending.newsletterId} and d.publication_id = ${sending.publicationId} and d.state = 'accepted'
      and s.email like any (array['%@mailroom.example', '%@rade.example']) and ${draw('scanned', sending)} < 0.12
    order by 5`.execute(db)
