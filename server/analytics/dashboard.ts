import { sql } from 'kysely'
import type { z } from 'zod'
import { dayIn, daysLater } from '../charge/figures/range.ts'
import type { Db } from '../database/client.ts'
import type { Event } from '../database/types.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { defaultAccent } from '../newsletters/branding.ts'
import { sampleId } from '../publications/sample.ts'
import type { WithRelays } from '../relays/relays.ts'
import { atOnceMeans } from '../subscribers/contract.ts'
import { countByStatus } from '../subscribers/subscriber-count.ts'
import { type ActivityItem, type getChecklist, type getDashboard, skipStep } from './contract.ts'
import { type Asked, rangesOf, readFigures } from './figures.ts'
import { listResults, listRunning } from './results.ts'

type Dashboard = z.infer<typeof getDashboard.reply>
type Step = Dashboard['checklist'][number]['step']

const ACTIVITY_LENGTH = 20

/** Everything that the dashboard shows. Few statements find it, and they run at the same time. @throws AppError invalid when the range is none */
export async function readDashboard(
  context: Pick<WithRelays, 'db' | 'relays' | 'now'>,
  newsletter: NewsletterRow,
  asked: Asked,
): Promise<Dashboard> {
  const { db } = context
  const { id } = newsletter
  const today = dayIn(context.now(), newsletter.timezone)
  const ranges = await rangesOf(db, { newsletter, today, asked })
  const [figures, subscribers, pending, running, publications, activity, steps, draft] = await Promise.all([
    readFigures(db, newsletter, ranges),
    countSubscribers(db, id, today),
    countByStatus(db, id, 'pending'),
    listRunning(context, id),
    listResults(db, id),
    readActivity(db, id),
    readSteps(db, id),
    findNewestDraft(db, id),
  ])
  const checklist = checklistOf(newsletter, { ...steps, subscribed: steps.subscribed || subscribers.active > 0 })
  return {
    ...ranges,
    ...figures,
    subscribers: { ...subscribers, pending },
    running,
    publications,
    activity,
    draft,
    checklist,
  }
}

/** The steps of the set-up, and the draft that they go on with. */
export async function readChecklist(
  { db, now }: Pick<WithRelays, 'db' | 'now'>,
  newsletter: NewsletterRow,
): Promise<z.infer<typeof getChecklist.reply>> {
  const { id, timezone } = newsletter
  const [{ active }, steps, draft] = await Promise.all([
    countSubscribers(db, id, dayIn(now(), timezone)),
    readSteps(db, id),
    findNewestDraft(db, id),
  ])
  return { draft, checklist: checklistOf(newsletter, { ...steps, subscribed: steps.subscribed || active > 0 }) }
}

/** It sums a row for each day, however many subscribers there are. */
async function countSubscribers(db: Db, newsletterId: string, today: string) {
  const { rows } = await sql<{ active: number; thisWeek: number }>`
    select coalesce(sum(joined - departed), 0)::integer as active,
      coalesce(sum(joined - departed) filter (where day > ${daysLater(today, -7)}::date), 0)::integer as "thisWeek"
    from daily_count where newsletter_id = ${newsletterId}`.execute(db)
  return rows[0] ?? { active: 0, thisWeek: 0 }
}

/** With every kind that an event can have, so that the contract must name each. */
type Activity = Omit<z.infer<typeof ActivityItem>, 'at' | 'kind'> & {
  at: Date
  kind: Event['kind'] | 'added' | 'subscribed' | 'clicked' | 'visited'
}

/** The newest events and the newest clicks, each found by its own index, and then the newest of both. Who asks and confirms in one act has asked first. */
async function readActivity(db: Db, newsletterId: string): Promise<Dashboard['activity']> {
  const { rows } = await sql<Activity>`
    with latest as (
      (select kind, at, subscriber_id, publication_id from event
        where newsletter_id = ${newsletterId} order by at desc, id desc limit ${ACTIVITY_LENGTH})
      union all
      (select case when exists (select from opt_in_campaign o where o.newsletter_id = ${newsletterId} and o.short_link_id = click.short_link_id)
          then 'visited' else 'clicked' end, at, subscriber_id, publication_id from click
        where newsletter_id = ${newsletterId} and excluded_by is null order by id desc limit ${ACTIVITY_LENGTH})
    )
    select case when l.kind = 'asked' and s.source = 'by-hand' then 'added'
      -- A change and its receipt have the same time.
      when l.kind = 'confirmed' and exists (select from consent c where c.newsletter_id = ${newsletterId} and c.subscriber_id = l.subscriber_id
        and c.at = l.at and c.means = any(${[...atOnceMeans]})) then 'subscribed'
      else l.kind end as kind, l.at, s.email, p.title as "publicationTitle"
    from latest l
    left join subscriber s on s.newsletter_id = ${newsletterId} and s.id = l.subscriber_id
    left join publication p on p.newsletter_id = ${newsletterId} and p.id = l.publication_id
    order by l.at desc, l.kind = 'asked', l.subscriber_id limit ${ACTIVITY_LENGTH}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

interface Steps {
  account: boolean
  write: boolean
  send: boolean
  subscribed: boolean
}

async function readSteps(db: Db, newsletterId: string): Promise<Steps> {
  const sample = sampleId(newsletterId)
  const { rows } = await sql<Steps>`select
    exists (select from member m join "user" u on u.id = m.user_id
      where m.newsletter_id = ${newsletterId} and m.role = 'owner' and u.is_anonymous is not true) as account,
    exists (select from publication where newsletter_id = ${newsletterId} and jsonb_path_exists(content, '$.**.text')
      and (id <> ${sample} or revision > 1)) as write,
    -- A digest is made by the server.
    (exists (select from publication p join publication_status x on x.newsletter_id = p.newsletter_id and x.publication_id = p.id
      where p.newsletter_id = ${newsletterId} and p.digest is null and x.status = 'sent')
      -- Also while a few wait for another attempt, and after the rest was cancelled.
      or exists (select from sending s
        join delivery_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
        where s.newsletter_id = ${newsletterId} and not s.welcome and s.audience ->> 'kind' is distinct from 'digest'
          and c.accepted + c.caught > 0)) as send,
    exists (select from daily_count where newsletter_id = ${newsletterId} and joined > 0) as subscribed`.execute(db)
  return rows[0] ?? { account: false, write: false, send: false, subscribed: false }
}

/** What somebody goes on with. */
async function findNewestDraft(db: Db, newsletterId: string): Promise<Dashboard['draft']> {
  const { rows } = await sql<{ id: string; title: string }>`
    select p.id, p.title from publication p
    join publication_status s on s.newsletter_id = p.newsletter_id and s.publication_id = p.id
    where p.newsletter_id = ${newsletterId} and s.status = 'draft' and (p.id <> ${sampleId(newsletterId)} or p.revision > 1)
      and not exists (select from welcome w where w.newsletter_id = p.newsletter_id and w.publication_id = p.id)
    order by p.edited_at desc, p.id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** A sample that nobody asked for is no step of those who send already. */
function checklistOf(newsletter: NewsletterRow, steps: Steps): Dashboard['checklist'] {
  const dressed =
    newsletter.branding_chosen ||
    newsletter.logo_media_id !== null ||
    newsletter.pairing !== 'gazette' ||
    newsletter.accent.toLowerCase() !== defaultAccent.toLowerCase()
  const done: Record<Step, boolean> = {
    sample: newsletter.sample_mailed,
    account: steps.account,
    sender: newsletter.postal_address !== '',
    branding: dressed,
    subscriber: steps.subscribed,
    write: steps.write,
    send: steps.send,
  }
  const shown = skipStep.body.shape.step.options.filter(
    (step) => step !== 'sample' || newsletter.sample_mailed || !steps.send,
  )
  return shown.map((step) => ({
    step,
    done: done[step],
    skipped: newsletter.skipped_steps.includes(step),
  }))
}

/** Leaves a step of the checklist out, or brings it back. */
export async function setSkipped(
  db: Db,
  newsletterId: string,
  { step, skipped }: { step: Step; skipped: boolean },
): Promise<void> {
  await sql`
    update newsletter set skipped_steps = array_remove(skipped_steps, ${step}) || case when ${skipped} then array[${step}] else '{}' end
    where id = ${newsletterId}`.execute(db)
}
