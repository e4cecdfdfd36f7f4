import { sql } from 'kysely'
import { countStayed } from '../campaigns/recommendations/count-stayed.job.ts'
import type { Db } from '../database/client.ts'
import { frenchTypography } from './document-builder.ts'
import type { NewsletterPlan } from './newsletters.ts'
import { Random } from './random.ts'
import { DAY } from './subscribers.ts'

/** Since when both newsletters of the demo recommend each other, in days. */
export const RECOMMENDED_DAYS = 60

/** The two newsletters of the demo recommend each other, and the first one also a newsletter of another server. */
export async function insertRecommendations(
  db: Db,
  { plans: [first, second], now }: { plans: [NewsletterPlan, NewsletterPlan]; now: number },
): Promise<void> {
  await recommend(db, {
    ...{ from: first, to: second, now, position: 1 },
    reasons: {
      en: 'An object, a place, a habit, looked at a little too closely. In French, every other Wednesday.',
      fr: frenchTypography('Un objet, un lieu, une habitude : un quart d’heure d’attention, un mercredi sur deux.'),
    },
  })
  await recommend(db, {
    ...{ from: second, to: first, now, position: 1 },
    reasons: {
      en: 'Harbours, tide tables, and the people who look after them. Saturdays at seven.',
      fr: 'Les ports, les marées et ceux qui en vivent, le samedi à sept heures.',
    },
  })
  await recommend(db, {
    ...{ from: first, to: null, now, position: 2 },
    reasons: {
      en: 'Ferries that leave after dark, told by somebody who has taken most of them.',
      fr: 'Les traversées de nuit, racontées par quelqu’un qui les a presque toutes faites.',
    },
  })
  await db
    .insertInto('arrival_count')
    .values({ newsletter_id: first.id, ...nightFerry, confirmed: 4, last_at: new Date(now - 2 * DAY) })
    .execute()
  await countStayed(db, new Date(now))
}

const nightFerry = { origin: 'https://letters.nightferry.example', from_id: 'night-ferry' }

interface One {
  from: NewsletterPlan
  /** Null: a newsletter of another server. */
  to: NewsletterPlan | null
  position: number
  reasons: { en: string; fr: string }
  now: number
}

async function recommend(db: Db, { from, to, position, reasons, now }: One): Promise<void> {
  const key = { newsletter_id: from.id, id: new Random(from.seed + 90 + position).base58(10) }
  const at = new Date(now - RECOMMENDED_DAYS * DAY)
  await db
    .insertInto('campaign')
    .values({ ...key, kind: 'recommendation', name: to?.name ?? 'Night Ferry', starts_at: at, created_at: at })
    .execute()
  await db
    .insertInto('recommendation')
    .values({ ...key, to_newsletter_id: to?.id ?? null, position, accepted_at: to ? at : null })
    .execute()
  if (!to) await insertRemote(db, key, now)
  const words = { newsletter_id: key.newsletter_id, campaign_id: key.id, version: 1 }
  await db
    .insertInto('recommendation_words')
    .values([
      { ...words, language: 'en', reason: reasons.en },
      { ...words, language: 'fr', reason: reasons.fr },
    ])
    .execute()
  await countShown(db, { ...key, at, isRemote: !to })
  if (to) await insertYeses(db, { ...key, at, toNewsletterId: to.id })
}

async function insertRemote(db: Db, key: { newsletter_id: string; id: string }, now: number): Promise<void> {
  const { origin, from_id: id } = nightFerry
  await db
    .insertInto('remote_newsletter')
    .values({
      ...{ ...key, name: 'Night Ferry', language: 'en', key: 'pQz3hLwT0bXeVn7Rk1yDfG5uJ8sMcA2oYiB6tE9rN4w' },
      ...{
        document_url: `${origin}/.well-known/tirage/newsletters/${id}.json`,
        subscribe_url: `${origin}/subscribe/${id}`,
      },
      description: 'Timetables, cabins, and the lights of harbours that one passes asleep. On the first of each month.',
      ...{
        renewed_at: new Date(now - DAY / 2),
        signed_at: new Date(now - DAY / 2),
        read_at: new Date(now - DAY / 2),
        next_attempt_at: new Date(now),
        is_demo: true,
      },
    })
    .execute()
}

/** It was shown to everybody who confirmed since then. What came of it on another server nobody knows but that server. */
const countShown = (
  db: Db,
  { newsletter_id, id, at, isRemote }: { newsletter_id: string; id: string; at: Date; isRemote: boolean },
) =>
  sql`
  insert into recommendation_count (newsletter_id, campaign_id, day, part, shown, chosen)
  select newsletter_id, ${id}, (confirmed_at at time zone 'utc')::date, 0, count(*),
    count(*) filter (where ${isRemote} and abs(hashtext(id::text)) % 9 = 0)
  from subscriber where newsletter_id = ${newsletter_id} and confirmed_at > ${at} group by 1, 3`.execute(db)

/** Who came by it, as the rows say, and who has not confirmed yet. */
async function insertYeses(
  db: Db,
  { newsletter_id, id, at, toNewsletterId }: { newsletter_id: string; id: string; at: Date; toNewsletterId: string },
): Promise<void> {
  await sql`
    insert into recommendation_yes (newsletter_id, id, subscriber_id, from_newsletter_id, campaign_id, at)
    select newsletter_id, gen_random_uuid(), id, ${newsletter_id}, ${id}, confirmed_at from subscriber
    where newsletter_id = ${toNewsletterId} and source = 'recommendation' and confirmed_at > ${at}`.execute(db)
  await sql`
    insert into recommendation_asked (newsletter_id, subscriber_id, from_newsletter_id, campaign_id)
    select newsletter_id, id, ${newsletter_id}, ${id} from subscriber
    where newsletter_id = ${toNewsletterId} and source = 'recommendation' and status = 'pending'`.execute(db)
  await sql`
    insert into recommendation_count as c (newsletter_id, campaign_id, day, part, chosen, confirmed)
    select ${newsletter_id}, ${id}, (coalesce(confirmed_at, created_at) at time zone 'utc')::date, 0, count(*), count(confirmed_at)
    from subscriber where newsletter_id = ${toNewsletterId} and source = 'recommendation' group by 3
    on conflict (newsletter_id, campaign_id, day, part)
      do update set chosen = c.chosen + excluded.chosen, confirmed = c.confirmed + excluded.confirmed`.execute(db)
}
