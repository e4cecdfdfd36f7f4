import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Comparing, ComparisonRow } from './comparing.ts'
import { pageReaders } from './comparison-pages.ts'
import { repairDifference } from './comparison-repair.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    compare_with_stripe: { newsletterId: string }
  }
}

/** So many differences are repaired without asking, or a share of what was compared. More of them are evidence that something else is wrong. */
const ALWAYS_REPAIRED = 20
const REPAIRED_SHARE = 0.05

const DAY_MS = 86_400_000
/** Invoices, charges and refunds that are older than this are not read again: Stripe may add a fee to them some days later. */
const OVERLAP_DAYS = 7
const FIRST_DAYS = 40

/**
 * Begins a comparison of a newsletter with the lists of its account, and queues the work. One is under way at a time.
 *
 * @returns the one that is under way
 */
export async function beginComparison(db: Context['db'], newsletterId: string, now: Date): Promise<ComparisonRow> {
  return db.transaction().execute(async (tx) => {
    const last = await sql<{ at: Date | null }>`select max(begun_at) as at from stripe_comparison
      where newsletter_id = ${newsletterId} and state = 'done'`.execute(tx)
    const at = last.rows[0]?.at
    const since = new Date(at ? at.getTime() - OVERLAP_DAYS * DAY_MS : now.getTime() - FIRST_DAYS * DAY_MS)
    await sql`insert into stripe_comparison (newsletter_id, id, state, list, since, begun_at)
      values (${newsletterId}, ${uuidv7(now.getTime())}, 'listing', 'subscriptions', ${since}, ${now})
      on conflict (newsletter_id) where state in ('listing', 'repairing') do nothing`.execute(tx)
    await enqueue(tx, 'compare_with_stripe', { newsletterId })
    return (await findUnderWay(tx, newsletterId)) as ComparisonRow
  })
}

/**
 * Lets a comparison that has stopped go on to its repairs, because a member has looked at it, and queues the work.
 *
 * @returns whether there was one; not while another is under way, whose lists are newer
 */
export async function approveRepairs(db: Context['db'], { newsletterId, id }: { newsletterId: string; id: string }) {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql`update stripe_comparison set state = 'repairing', ended_at = null
      where newsletter_id = ${newsletterId} and id = ${id} and state = 'stopped' and not exists (
        select from stripe_comparison o where o.newsletter_id = ${newsletterId} and o.begun_at > stripe_comparison.begun_at
      ) returning 1`.execute(tx)
    if (rows.length > 0) await enqueue(tx, 'compare_with_stripe', { newsletterId })
    return rows.length > 0
  })
}

export async function findUnderWay(db: Db, newsletterId: string): Promise<ComparisonRow | null> {
  const query = db.selectFrom('stripe_comparison').selectAll().where('newsletter_id', '=', newsletterId)
  return (await query.where('state', 'in', ['listing', 'repairing']).executeTakeFirst()) ?? null
}

/**
 * Goes on with a comparison, a page of a list at a time, from where the last one was stored. Nothing is changed before it is known how much
 * differs: first of subscriptions and their payments, then of what belongs to these payments.
 *
 * @throws StripeError when Stripe does not answer: the next call goes on from there
 */
export async function continueComparison(comparing: Comparing, signal?: AbortSignal): Promise<void> {
  let next: ComparisonRow | null = comparing.comparison
  while (next && !signal?.aborted) {
    const at = { ...comparing, comparison: next }
    if (next.state === 'repairing') await repair(at, signal)
    else if (next.state === 'listing' && next.list !== 'end') await readPage(at, next.list)
    else return
    next = await find(comparing.db, next)
  }
}

async function find(db: Db, { newsletter_id, id }: ComparisonRow): Promise<ComparisonRow | null> {
  const query = db.selectFrom('stripe_comparison').selectAll().where('newsletter_id', '=', newsletter_id)
  return (await query.where('id', '=', id).executeTakeFirst()) ?? null
}

const nextList = {
  subscriptions: 'unlisted',
  unlisted: 'checkouts',
  checkouts: 'invoices',
  invoices: 'charges',
  charges: 'refunds',
  refunds: 'end',
} as const

async function readPage(comparing: Comparing, list: keyof typeof nextList): Promise<void> {
  const { db, comparison } = comparing
  const { differences, compared, after } = await pageReaders[list](comparing)
  const { newsletter_id, id } = comparison
  await db.transaction().execute(async (tx) => {
    if (!(await isStillAt(tx, comparison))) return
    for (const { objectId, customer, changes, body, at } of differences)
      await sql`insert into stripe_difference (newsletter_id, comparison_id, object_id, customer, changes, body, stated_at)
        values (${newsletter_id}, ${id}, ${objectId}, ${customer}, ${JSON.stringify(changes)}, ${body}, ${at}) on conflict do nothing`.execute(
        tx,
      )
    await tx
      .updateTable('stripe_comparison')
      .set((eb) => ({
        list: after === null ? nextList[list] : list,
        after_id: after,
        compared: eb('compared', '+', compared),
      }))
      .where('newsletter_id', '=', newsletter_id)
      .where('id', '=', id)
      .execute()
    if (after === null && (list === 'invoices' || list === 'refunds')) await conclude(comparing, tx)
  })
}

/** Another process may go on with the same comparison: the page counts for the one that is first. */
async function isStillAt(tx: Db, { newsletter_id, id, list, after_id, state }: ComparisonRow): Promise<boolean> {
  const query = tx.selectFrom('stripe_comparison').select(['list', 'after_id', 'state']).where('id', '=', id)
  const row = await query.where('newsletter_id', '=', newsletter_id).forUpdate().executeTakeFirst()
  return row?.list === list && row.after_id === after_id && row.state === state
}

/** What differs is repaired, unless it is so much that a member has to look. */
async function conclude({ now, log, comparison }: Comparing, tx: Db): Promise<void> {
  const { newsletter_id, id, compared } = comparison
  const { count } = await tx
    .selectFrom('stripe_difference')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('newsletter_id', '=', newsletter_id)
    .where('comparison_id', '=', id)
    .where('repaired_at', 'is', null)
    .where('problem', 'is', null)
    .executeTakeFirstOrThrow()
  const isTooMuch = count > Math.max(ALWAYS_REPAIRED, compared * REPAIRED_SHARE)
  if (isTooMuch) log.warn({ newsletter: newsletter_id, differences: count, compared }, 'too much differs from Stripe')
  await tx
    .updateTable('stripe_comparison')
    .set(isTooMuch ? { state: 'stopped', ended_at: now() } : { state: 'repairing' })
    .where('newsletter_id', '=', newsletter_id)
    .where('id', '=', id)
    .execute()
}

async function repair(comparing: Comparing, signal?: AbortSignal): Promise<void> {
  const { db, now, comparison } = comparing
  const { newsletter_id, id } = comparison
  const open = () =>
    db
      .selectFrom('stripe_difference')
      .selectAll()
      .where('newsletter_id', '=', newsletter_id)
      .where('comparison_id', '=', id)
      .where('repaired_at', 'is', null)
      .where('problem', 'is', null)
      // Subscriptions before their invoices, and these before what was given back.
      .orderBy(sql`case left(object_id, 3) when 'sub' then 1 when 'in_' then 2 else 3 end`)
      .orderBy('object_id')
      .limit(50)
      .execute()
  for (let rows = await open(); rows.length > 0; rows = await open()) {
    for (const row of rows) {
      if (signal?.aborted) return
      await db
        .transaction()
        .execute((tx) => repairDifference({ tx, newsletter: comparing.newsletter, now: now() }, row))
    }
  }
  await db.transaction().execute(async (tx) => {
    const isOver = comparison.list === 'end'
    if (isOver)
      await sql`delete from stripe_listed where newsletter_id = ${newsletter_id} and comparison_id = ${id}`.execute(tx)
    await tx
      .updateTable('stripe_comparison')
      .set(isOver ? { state: 'done', ended_at: now() } : { state: 'listing' })
      .where('newsletter_id', '=', newsletter_id)
      .where('id', '=', id)
      .execute()
  })
}
