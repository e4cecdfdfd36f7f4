import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { PasswordHashes } from '../identity/password-hashes.ts'
import { canaryLink } from '../links/shorten.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { schedule } from '../publications/publish.ts'
import { translator } from '../translator.ts'
import { insertCampaignForOther, insertCampaigns } from './campaigns.ts'
import { insertCharge } from './charge.ts'
import { findJoiners } from './joiners.ts'
import { insertLinks } from './links.ts'
import { lowWater, type NewsletterPlan, quartDHeure } from './newsletters.ts'
import { demoOwner } from './owner.ts'
import { drawPictures } from './pictures.ts'
import { type DatedPublication, datePublications, insertPublications, type Pictures } from './publications.ts'
import { Random } from './random.ts'
import { insertRecommendations, RECOMMENDED_DAYS } from './recommendations.ts'
import { insertClicks, insertDeliveries, insertFeedback, insertOpens, type PastSending } from './sendings.ts'
import { insertRuns, keepReports } from './sponsor-runs.ts'
import { insertSlots } from './sponsor-slots.ts'
import { insertSponsorship } from './sponsorship.ts'
import { DAY, insertSubscribers, type Joined } from './subscribers.ts'
import { type UsualTimes, usualTimes } from './usual-times.ts'
import { keepVisitors, type Visitors } from './visitors.ts'
import { insertYesReceipts } from './yes-receipts.ts'

export { demoOwner }

export interface SeedOptions {
  /** Of the first newsletter; the second has an eighth of it. */
  subscribers: number
}

export interface Seeded {
  /** False when the demo was there already: nothing was written. */
  created: boolean
  newsletters: { id: string; name: string }[]
}

/**
 * Inserts two newsletters with half a year of history. When they exist already, nothing changes.
 * The same number of subscribers gives the same people and figures, with dates counted back from today.
 */
export async function seed(context: Context, { subscribers }: SeedOptions): Promise<Seeded> {
  const plans: [NewsletterPlan, NewsletterPlan] = [lowWater(subscribers), quartDHeure(Math.ceil(subscribers / 8))]
  const newsletters = plans.map(({ id, name }) => ({ id, name }))
  const { db } = context
  const there = await db.selectFrom('user').select('id').where('email', '=', demoOwner.email).executeTakeFirst()
  if (there) return { created: false, newsletters }
  const password = await new PasswordHashes(db).hash(demoOwner.password)
  await db.transaction().execute(async (tx) => {
    const ownerId = await addOwner(tx, password)
    const now = context.now().getTime()
    const visitors = await keepVisitors(tx)
    const [first, second] = plans
    const to = { newsletterId: first.id, visitors, now }
    await addNewsletter(context, tx, { ownerId, plan: first, visitors, joined: [] })
    const { subscribers: most, weeks } = second
    const joined = await findJoiners(tx, {
      newsletterId: first.id,
      subscribers: most,
      from: now - weeks * 7 * DAY,
      now,
    })
    await addNewsletter(context, tx, { ownerId, plan: second, visitors, joined })
    await insertCampaignForOther(tx, context.config, { ...to, toNewsletterId: second.id })
    await insertYesReceipts(tx, { newsletterId: first.id, newsletterName: first.name })
    await insertRecommendations(tx, { plans, now })
  })
  // Without fresh statistics PostgreSQL would plan the first queries for empty tables.
  await sql`analyze`.execute(db)
  return { created: true, newsletters }
}

async function addOwner(db: Db, password: string): Promise<string> {
  const id = 'demo-ines-kerbrat'
  const { name, email } = demoOwner
  await db.insertInto('user').values({ id, name, email, email_verified: true }).execute()
  await db
    .insertInto('account')
    .values({ id: `${id}-password`, user_id: id, account_id: id, provider_id: 'credential', password })
    .execute()
  await db.insertInto('profile').values({ user_id: id, timezone: 'Europe/Paris' }).execute()
  return id
}

async function addNewsletter(
  context: Context,
  db: Db,
  { ownerId, plan, visitors, joined }: { ownerId: string; plan: NewsletterPlan; visitors: Visitors; joined: Joined[] },
): Promise<void> {
  const random = new Random(plan.seed)
  const now = context.now().getTime()
  const from = now - plan.weeks * 7 * DAY
  await sql`select ensure_event_partitions(${new Date(from)}::timestamptz::date, ${new Date(now)}::timestamptz::date)`.execute(
    db,
  )
  const usual = usualTimes(plan.usual, { timezone: plan.settings.timezone, now })
  const publications = datePublications(random, plan.samples, { ...usual, now })
  const sent = publications.filter(({ status }) => status === 'sent')
  await db
    .insertInto('newsletter')
    .values({ ...plan.settings, id: plan.id, name: plan.name, last_number: sent.length, created_at: new Date(from) })
    .execute()
  await db
    .insertInto('member')
    .values({ newsletter_id: plan.id, user_id: ownerId, role: 'owner', created_at: new Date(from) })
    .execute()
  const scenes = new Set(publications.flatMap(({ sample }) => sample.cover ?? []))
  const pictures: Pictures = await drawPictures(context, db, {
    newsletterId: plan.id,
    ownerId,
    accent: plan.settings.accent,
    scenes,
  })
  await insertPublications(db, { newsletterId: plan.id, authorId: ownerId }, { publications, pictures })
  await insertSubscribers(db, random, {
    newsletterId: plan.id,
    newsletterName: plan.name,
    subscribers: plan.subscribers,
    from,
    to: now,
    radioAt: plan.radioDaysAgo === null ? null : now - plan.radioDaysAgo * DAY,
    sendings: sent.map(({ id, at }) => ({ publicationId: id, at })),
    frenchShare: plan.frenchShare,
    recommendedFrom: plan.sells ? now - (RECOMMENDED_DAYS - 1) * DAY : null,
    joined,
  })
  await insertSuppressions(db, plan.id)
  const sendings = sent.map(({ id, at }) => ({ publicationId: id, at }))
  if (plan.sells) await insertCharge(db, new Random(plan.seed + 1), { newsletterId: plan.id, from, to: now, sendings })
  const runs = plan.sells
    ? await insertAdvertising(context, db, { plan, publications: sent, visitors, coming: usual.coming, now })
    : []
  for (const publication of sent) {
    if (publication.sample.webOnly) continue
    await canaryLink({ ...context, db }, { newsletterId: plan.id, publicationId: publication.id })
    await insertSending(db, visitors, sendingOf(random, plan.id, publication))
  }
  if (plan.sells) await insertSlots(db, { newsletterId: plan.id, publications, now })
  await keepReports(db, runs, now)
  await db
    .updateTable('booking_step')
    .set({ user_id: ownerId })
    .where('newsletter_id', '=', plan.id)
    .where('actor', '=', 'member')
    .execute()
  for (const { id, at } of publications.filter(({ status }) => status === 'scheduled')) {
    const newsletter = await findNewsletter(db, plan.id)
    const when = { channel: 'everywhere', at: new Date(at), now: new Date(now) } as const
    const t = translator(plan.settings.language)
    if (newsletter) await schedule({ ...context, db }, newsletter, { publicationId: id, ...when, t })
  }
}

/** What sponsors buy and bought, links, and campaigns. Returns what ran, whose clicks are still to come. */
async function insertAdvertising(
  { config }: Context,
  db: Db,
  {
    plan,
    publications,
    visitors,
    coming,
    now,
  }: { plan: NewsletterPlan; publications: DatedPublication[]; visitors: Visitors; now: number } & Pick<
    UsualTimes,
    'coming'
  >,
) {
  const selling = { newsletterId: plan.id, timezone: plan.settings.timezone }
  const placementIds = await insertSponsorship(db, {
    ...selling,
    weekday: plan.usual.weekday,
    coming,
    publications,
    now,
  })
  await insertLinks(db, config, { newsletterId: plan.id, visitors, now })
  await insertCampaigns(db, config, { newsletterId: plan.id, visitors, now })
  return insertRuns(db, config, { ...selling, placementIds, publications })
}

/** A few people asked for no more mail and kept their subscription. */
const insertSuppressions = (db: Db, newsletterId: string) =>
  sql`
    insert into suppression (newsletter_id, email_normalised, reason, detail, at)
    select newsletter_id, email_normalised, 'by_hand', 'Asked by letter', least(confirmed_at + interval '40 days', now() - interval '1 day')
    from subscriber
    where newsletter_id = ${newsletterId} and status = 'active' order by id limit 6`.execute(db)

const sendingOf = (random: Random, newsletterId: string, { id, at }: DatedPublication): PastSending => ({
  newsletterId,
  publicationId: id,
  at: new Date(at),
  opens: 0.44 + random.next() * 0.12,
  clicks: 0.13 + random.next() * 0.1,
})

async function insertSending(db: Db, visitors: Visitors, sending: PastSending): Promise<void> {
  await insertDeliveries(db, sending)
  await insertOpens(db, sending)
  await insertClicks(db, visitors, sending)
  await insertFeedback(db, sending)
}
