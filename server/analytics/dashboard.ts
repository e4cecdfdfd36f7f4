import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import type { Event } from '../database/types.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { defaultAccent } from '../newsletters/branding.ts'
import type { WithRelays } from '../relays/relays.ts'
import { countByStatus } from '../subscribers/subscriber-count.ts'
import type { ActivityItem, getDashboard } from './contract.ts'
import { listResults, listRunning } from './results.ts'

type Dashboard = z.infer<typeof getDashboard.reply>

const ACTIVITY_LENGTH = 20

/** Everything that the dashboard shows. Few statements find it, and they run at the same time. */
export async function readDashboard(
  context: Pick<WithRelays, 'db' | 'relays' | 'now'>,
  newsletter: NewsletterRow,
  weeks: number,
): Promise<Dashboard> {
  const { db } = context
  const { id } = newsletter
  const [growth, pending, running, publications, activity, steps] = await Promise.all([
    readGrowth(db, newsletter, { days: weeks * 7, now: context.now() }),
    countByStatus(db, id, 'pending'),
    listRunning(context, id),
    listResults(db, id),
    readActivity(db, id),
    readSteps(db, id),
  ])
  const active = growth.at(-1)?.subscribers ?? 0
  const gained = (days: number) => active - (growth.at(-1 - days)?.subscribers ?? 0)
  const before = (growth[0]?.subscribers ?? 0) - (growth[0]?.gained ?? 0)
  return {
    subscribers: {
      active,
      pending,
      thisWeek: growth.length > 7 ? gained(7) : active - before,
      inRange: active - before,
    },
    growth: growth.map(({ day, subscribers, sent }) => ({ day, subscribers, sent })),
    running,
    publications,
    activity,
    checklist: checklistOf(newsletter, steps, growth),
  }
}

interface Day {
  day: string
  subscribers: number
  gained: number
  sent: string[]
}

/** Days in the newsletter's timezone: the number before the range, and who joined and left on each day. */
async function readGrowth(
  db: Db,
  { id, timezone }: NewsletterRow,
  { days, now }: { days: number; now: Date },
): Promise<Day[]> {
  const { rows } = await sql<Day>`
    with range as (
      select (${now}::timestamptz at time zone ${timezone})::date - (${days}::integer - 1) as first,
        (${now}::timestamptz at time zone ${timezone})::date as last
    ), counted as (
      select d.day, d.joined - d.departed as gained from daily_count d, range
      where d.newsletter_id = ${id} and d.day between range.first and range.last
    ), sent as (
      select (coalesce(s.started_at, p.published_at) at time zone ${timezone})::date as day,
        array_agg(p.title order by coalesce(s.started_at, p.published_at)) as titles
      from publication p
      join publication_status s on s.newsletter_id = p.newsletter_id and s.publication_id = p.id
      where p.newsletter_id = ${id} and s.status in ('sending', 'paused', 'sent') group by 1
    )
    select to_char(g.day, 'YYYY-MM-DD') as day, coalesce(c.gained, 0) as gained, coalesce(s.titles, '{}') as sent,
      (coalesce((select sum(joined - departed) from daily_count where newsletter_id = ${id} and day < (select first from range)), 0)
        + sum(coalesce(c.gained, 0)) over (order by g.day))::integer as subscribers
    from (select generate_series(first, last, '1 day')::date as day from range) g
    left join counted c on c.day = g.day left join sent s on s.day = g.day
    order by g.day`.execute(db)
  return rows
}

/** With every kind that an event can have, so that the contract must name each. */
type Activity = Omit<z.infer<typeof ActivityItem>, 'at' | 'kind'> & { at: Date; kind: Event['kind'] | 'clicked' }

/** The newest events and the newest clicks, each found by its own index, and then the newest of both. */
async function readActivity(db: Db, newsletterId: string): Promise<Dashboard['activity']> {
  const { rows } = await sql<Activity>`
    with latest as (
      (select kind, at, subscriber_id, publication_id from event
        where newsletter_id = ${newsletterId} order by at desc, id desc limit ${ACTIVITY_LENGTH})
      union all
      (select 'clicked', at, subscriber_id, publication_id from click
        where newsletter_id = ${newsletterId} and excluded_by is null order by id desc limit ${ACTIVITY_LENGTH})
    )
    select l.kind, l.at, s.email, p.title as "publicationTitle"
    from latest l
    left join subscriber s on s.newsletter_id = ${newsletterId} and s.id = l.subscriber_id
    left join publication p on p.newsletter_id = ${newsletterId} and p.id = l.publication_id
    order by l.at desc, l.subscriber_id limit ${ACTIVITY_LENGTH}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

interface Steps {
  account: boolean
  write: boolean
  send: boolean
  subscribed: boolean
}

async function readSteps(db: Db, newsletterId: string): Promise<Steps> {
  const { rows } = await sql<Steps>`select
    exists (select from member m join "user" u on u.id = m.user_id
      where m.newsletter_id = ${newsletterId} and m.role = 'owner' and u.is_anonymous is not true) as account,
    exists (select from publication where newsletter_id = ${newsletterId} and (title <> '' or words <> '')) as write,
    exists (select from publication_status where newsletter_id = ${newsletterId} and status = 'sent') as send,
    exists (select from daily_count where newsletter_id = ${newsletterId} and joined > 0) as subscribed`.execute(db)
  return rows[0] ?? { account: false, write: false, send: false, subscribed: false }
}

function checklistOf(newsletter: NewsletterRow, steps: Steps, growth: Day[]): Dashboard['checklist'] {
  const dressed =
    newsletter.logo_media_id !== null ||
    newsletter.pairing !== 'gazette' ||
    newsletter.accent.toLowerCase() !== defaultAccent.toLowerCase()
  return [
    { step: 'account', done: steps.account },
    { step: 'sender', done: newsletter.postal_address !== '' },
    { step: 'branding', done: dressed },
    { step: 'subscriber', done: steps.subscribed || (growth.at(-1)?.subscribers ?? 0) > 0 },
    { step: 'write', done: steps.write },
    { step: 'send', done: steps.send },
  ]
}
