import { hashPassword } from 'better-auth/crypto'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { schedule } from '../publications/publish.ts'
import { translator } from '../translator.ts'
import { inOrder, type Pictures, type Printed, printArchive } from './archive.ts'
import { DAY, growAudience } from './audience.ts'
import { Chance } from './chance.ts'
import { lowWater, type NewsletterPlan, quartDHeure } from './newsletters.ts'
import { demoOwner } from './owner.ts'
import { drawPictures } from './pictures.ts'
import { deliver, recordClicks, recordFeedback, recordOpens, type Sending } from './readership.ts'

export { demoOwner }

/** The newest publication has opens and clicks to show. */
const ENOUGH_TO_BE_READ = 20 * 3_600_000

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
 * Writes a believable newsletter house with half a year of history, all of it or, when it exists already, nothing.
 * The same size gives the same people and figures, counted back from today.
 */
export async function seed(context: Context, { subscribers }: SeedOptions): Promise<Seeded> {
  const plans = [lowWater(subscribers), quartDHeure(Math.ceil(subscribers / 8))]
  const newsletters = plans.map(({ id, name }) => ({ id, name }))
  const { db } = context
  const there = await db.selectFrom('user').select('id').where('email', '=', demoOwner.email).executeTakeFirst()
  if (there) return { created: false, newsletters }
  const password = await hashPassword(demoOwner.password)
  await db.transaction().execute(async (tx) => {
    const ownerId = await addOwner(tx, password)
    for (const plan of plans) await addNewsletter(context, tx, ownerId, plan)
  })
  // Half a million new rows: without fresh statistics the first pages would be planned for empty tables.
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

async function addNewsletter(context: Context, db: Db, ownerId: string, plan: NewsletterPlan): Promise<void> {
  const chance = new Chance(plan.seed)
  const now = context.now().getTime()
  const from = now - plan.weeks * 7 * DAY
  await sql`select ensure_event_partitions(${new Date(from)}::timestamptz::date, ${new Date(now)}::timestamptz::date)`.execute(
    db,
  )
  const printed = inOrder(chance, plan.pieces, lastUsualDay(plan, now - ENOUGH_TO_BE_READ), now)
  const sent = printed.filter(({ status }) => status === 'sent')
  await db
    .insertInto('newsletter')
    .values({ ...plan.settings, id: plan.id, name: plan.name, last_number: sent.length, created_at: new Date(from) })
    .execute()
  await db
    .insertInto('member')
    .values({ newsletter_id: plan.id, user_id: ownerId, role: 'owner', created_at: new Date(from) })
    .execute()
  const scenes = new Set(printed.flatMap(({ piece }) => piece.cover ?? []))
  const pictures: Pictures = await drawPictures(context, db, {
    newsletterId: plan.id,
    ownerId,
    accent: plan.settings.accent,
    scenes,
  })
  await printArchive(db, plan.id, ownerId, printed, pictures)
  await growAudience(db, chance, {
    newsletterId: plan.id,
    newsletterName: plan.name,
    subscribers: plan.subscribers,
    from,
    to: now,
    bump: plan.bumpDaysAgo === null ? null : now - plan.bumpDaysAgo * DAY,
    sendings: sent.map(({ id, at }) => ({ publicationId: id, at })),
    french: plan.french,
  })
  await suppressSome(db, plan.id)
  for (const publication of sent) await sendOut(db, plan, publication, chance)
  for (const { id, at } of printed.filter(({ status }) => status === 'scheduled')) {
    const newsletter = await findNewsletter(db, plan.id)
    const when = { channel: 'everywhere', at: new Date(at), now: new Date(now) } as const
    if (newsletter) await schedule(db, newsletter, id, when, translator(plan.settings.language))
  }
}

/** The newest usual moment before `now`: seven on Saturdays, noon on Wednesdays. */
function lastUsualDay({ usual: { weekday, hour } }: NewsletterPlan, now: number): number {
  const day = new Date(now)
  day.setUTCHours(hour, 0, 0, 0)
  while (day.getUTCDay() !== weekday || day.getTime() > now) day.setUTCDate(day.getUTCDate() - 1)
  return day.getTime()
}

/** A few people wrote to ask for no more mail and kept their subscription. */
const suppressSome = (db: Db, newsletterId: string) =>
  sql`
    insert into suppression (newsletter_id, email_normalised, reason, detail)
    select newsletter_id, email_normalised, 'by_hand', 'Asked by letter' from subscriber
    where newsletter_id = ${newsletterId} and status = 'active' order by id limit 6`.execute(db)

async function sendOut(db: Db, plan: NewsletterPlan, { id, at, piece }: Printed, chance: Chance): Promise<void> {
  if (piece.webOnly) return
  const sending: Sending = {
    newsletterId: plan.id,
    publicationId: id,
    at: new Date(at),
    opens: 0.44 + chance.next() * 0.12,
    clicks: 0.13 + chance.next() * 0.1,
  }
  await deliver(db, sending)
  await recordOpens(db, sending)
  await recordClicks(db, sending)
  await recordFeedback(db, sending)
}
