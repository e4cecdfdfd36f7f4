import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { ClickReplay } from '../database/types.ts'
import { enqueue, type Job } from '../jobs/queue.ts'
import type { getClickRules } from './contract.ts'
import { excludedBy, exclusionRules, factsOf, RULES_VERSION } from './human.ts'
import { judgePatterns } from './patterns.job.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    replay_clicks: { newsletterId: string }
  }
}

const BATCH = 5_000
const SHOWN = 10
const DAY_MS = 86_400_000

type Rules = z.input<typeof getClickRules.reply>
type Row = Selectable<ClickReplay>

/** Begins to judge all clicks of a newsletter by the rules of today. One replay is under way at a time: another call answers it. */
export async function beginReplay(
  { db, now }: Pick<Context, 'db' | 'now'>,
  newsletterId: string,
): Promise<Rules['replays'][number]> {
  return db.transaction().execute(async (tx) => {
    await sql`insert into click_replay (newsletter_id, id, version, begun_at)
      values (${newsletterId}, ${uuidv7(now().getTime())}, ${RULES_VERSION}, ${now()})
      on conflict (newsletter_id) where ended_at is null do nothing`.execute(tx)
    await enqueue(tx, 'replay_clicks', { newsletterId })
    const replays = tx.selectFrom('click_replay').selectAll().where('newsletter_id', '=', newsletterId)
    return shown(await replays.where('ended_at', 'is', null).executeTakeFirstOrThrow())
  })
}

/** The rules, and the last replays. */
export async function readClickRules(db: Db, newsletterId: string): Promise<Rules> {
  const replays = db.selectFrom('click_replay').selectAll().where('newsletter_id', '=', newsletterId)
  const rows = await replays.orderBy('begun_at', 'desc').limit(SHOWN).execute()
  return { version: RULES_VERSION, rules: [...exclusionRules], replays: rows.map(shown) }
}

const shown = (row: Row): Rules['replays'][number] => ({
  id: row.id,
  version: row.version,
  begunAt: row.begun_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  judged: row.judged,
  unknown: row.unknown,
  changes: Object.entries(row.changes as Record<string, number>).map(([change, clicks]) => {
    const [from, to] = change.split('>')
    return { from: from || null, to: to || null, clicks }
  }),
})

/** Judges clicks batch by batch, each with its place in one transaction: a process that is killed leaves a whole batch or nothing of it. */
export function replayClicksJob({ db, now }: Pick<Context, 'db' | 'now'>): Job<'replay_clicks'> {
  return async ({ newsletterId }, { abortSignal }) => {
    while (!abortSignal?.aborted) {
      const isMore = await db.transaction().execute((tx) => judgeBatch(tx, newsletterId, now()))
      if (!isMore) return
    }
  }
}

interface Judged {
  id: number
  excluded_by: string | null
  signs: number | null
  agent: string | null
}

/** @returns whether there may be more */
async function judgeBatch(tx: Db, newsletterId: string, now: Date): Promise<boolean> {
  const under = tx.selectFrom('click_replay').selectAll().where('newsletter_id', '=', newsletterId)
  const replay = await under.where('ended_at', 'is', null).forUpdate().executeTakeFirst()
  if (!replay) return false
  const { rows } = await sql<Judged>`
    select c.id, c.excluded_by, c.signs, u.agent from click c left join user_agent u on u.id = c.agent_id
    where c.newsletter_id = ${newsletterId} and c.id > ${replay.last_id} and c.at < ${replay.begun_at}
    order by c.id limit ${BATCH}`.execute(tx)
  const changes: Record<string, number> = { ...(replay.changes as Record<string, number>) }
  const note = (from: string | null, to: string | null, clicks = 1) => {
    if (clicks > 0) changes[`${from ?? ''}>${to ?? ''}`] = (changes[`${from ?? ''}>${to ?? ''}`] ?? 0) + clicks
  }
  const known = rows.filter((row) => row.signs !== null)
  const judged = known.map((row) => ({ ...row, rule: ruleOf(row) }))
  const changed = judged.filter(({ rule, excluded_by }) => rule !== excluded_by)
  for (const { excluded_by, rule } of changed) note(excluded_by, rule)
  await sql`update click c set excluded_by = j.rule, rules = ${RULES_VERSION}
    from unnest(${changed.map(({ id }) => id)}::bigint[], ${changed.map(({ rule }) => rule)}::text[]) j (id, rule)
    where c.newsletter_id = ${newsletterId} and c.id = j.id`.execute(tx)
  const isOver = rows.length < BATCH
  if (isOver) {
    const found = await judgeAllPatterns(tx, newsletterId)
    note(null, 'canary', found.canary)
    note(null, 'burst', found.burst)
  }
  await tx
    .updateTable('click_replay')
    .set({
      last_id: rows.at(-1)?.id ?? replay.last_id,
      judged: replay.judged + known.length,
      unknown: replay.unknown + rows.length - known.length,
      changes: JSON.stringify(changes),
      ...(isOver && { ended_at: now }),
    })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', replay.id)
    .execute()
  return !isOver
}

/** What several clicks have shown stays, unless a rule about the click alone excludes it. */
function ruleOf({ excluded_by, signs, agent }: Judged): string | null {
  const rule = excludedBy(factsOf(agent ?? '', signs ?? 0))
  return rule ?? (excluded_by === 'canary' || excluded_by === 'burst' ? excluded_by : null)
}

/** Day by day, of those that have clicks in mails. */
async function judgeAllPatterns(tx: Db, newsletterId: string): Promise<{ canary: number; burst: number }> {
  const { rows } = await sql<{ from: Date }>`
    select distinct date_trunc('day', hour) as "from" from link_clicks_by_hour where newsletter_id = ${newsletterId} order by 1`.execute(
    tx,
  )
  const found = { canary: 0, burst: 0 }
  for (const { from } of rows) {
    const some = await judgePatterns(tx, newsletterId, { from, to: new Date(from.getTime() + DAY_MS) })
    found.canary += some.canary
    found.burst += some.burst
  }
  return found
}
