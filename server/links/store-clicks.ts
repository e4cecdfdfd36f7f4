import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { proveDeliveries } from '../sending/delivery-state.ts'
import type { AgentIds, Agents } from './agents.ts'
import type { Click } from './click.ts'
import { RULES_VERSION } from './human.ts'

interface ClickWriting {
  agents: Agents
  /** Whether they are put down as one row of arrays, and counted a moment later (`moveWaitingClicks`). Otherwise they are counted at once. */
  wait: boolean
}

/** Stores any number of clicks in one statement. Those that wait cost little more than one. */
export async function insertClicks(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  clicks: Click[],
  { agents, wait }: ClickWriting,
): Promise<void> {
  const agentIds = await agents.idsOf(clicks.map(({ agent }) => agent))
  const values = columns.map((column) => literalOf(valuesOf(column, clicks, agentIds)))
  // With a name, a connection keeps its plan: to make it takes longer than to run it.
  await pool.query({ ...(wait ? putDown : storeAtOnce), values })
  await proveDeliveries(db, 'proved_by_click', clicks.flatMap(provenBy))
}

interface Column {
  name: string
  type: string
  of(click: Click, agentIds: AgentIds): Value
  /** How the column of `click` is made of it, where it is another. */
  read?: (value: string) => string
  /** Whether its value of each click is written, although all may be the same: so a batch says how many clicks it has. */
  each?: true
}

/** The columns of `click` that are written. */
const columns: Column[] = [
  { name: 'newsletter_id', type: 'text', of: (click) => click.newsletterId },
  { name: 'short_link_id', type: 'text', of: (click) => click.shortLinkId, each: true },
  { name: 'publication_id', type: 'text', of: (click) => click.publicationId },
  { name: 'subscriber_id', type: 'uuid', of: (click) => click.subscriberId },
  // PostgreSQL reads a number in a tenth of the time of a date.
  {
    name: 'at',
    type: 'bigint',
    of: (click) => click.at,
    read: (ms) => `to_timestamp(${ms}::float8 / 1000)`,
    each: true,
  },
  { name: 'excluded_by', type: 'text', of: (click) => click.excludedBy },
  { name: 'device', type: 'text', of: (click) => click.device },
  { name: 'agent_id', type: 'integer', of: ({ agent }, agentIds) => agentIds.get(agent) ?? null },
  { name: 'signs', type: 'smallint', of: (click) => click.signs },
  { name: 'referrer', type: 'text', of: (click) => click.referrer },
  { name: 'country', type: 'text', of: (click) => click.country },
  { name: 'rules', type: 'smallint', of: () => RULES_VERSION },
]
const names = columns.map(({ name }) => name).join(', ')

type Value = string | number | null

/** Clicks of one moment are alike. So a column is kept as its one value where all are the same, and as null where there is none. */
function valuesOf({ of, each }: Column, clicks: Click[], agentIds: AgentIds): Value[] | null {
  const [one] = clicks
  const first = one ? of(one, agentIds) : null
  if (each || clicks.some((click) => of(click, agentIds) !== first)) return clicks.map((click) => of(click, agentIds))
  return first === null ? null : [first]
}

/** As PostgreSQL writes an array, where nothing in it has to be escaped: the driver looks at each value for itself, which takes longer. */
function literalOf(values: Value[] | null): Value[] | string | null {
  if (!values || values.includes(null)) return values
  const joined = values.join('","')
  return joined.split('"').length === 2 * values.length - 1 && !joined.includes('\\') ? `{"${joined}"}` : values
}

/** The parameters as a batch: a row of arrays. */
const batch = columns.map(({ name, type }, i) => `$${i + 1}::${type}[] as ${name}`).join(', ')

/** The clicks of batches, with the values of those columns that `shortened` has shortened. */
const clicksIn = (batches: string) => {
  const whole = columns.map(({ name, each }) =>
    each
      ? `b.${name}`
      : `case cardinality(b.${name}) when 1 then array_fill(b.${name}[1], array[cardinality(b.at)]) else b.${name} end`,
  )
  const read = columns.map(({ name, read }) => (read ? `${read(`c.${name}`)} as ${name}` : `c.${name}`))
  return `select ${read.join(', ')} from (${batches}) b, unnest(${whole.join(', ')}) as c (${names})`
}

/**
 * Stores the clicks of `came`, of those newsletters that keep any. Anybody can write another id into an address, so a subscriber is stored only
 * when they belong to the link's own newsletter, and it keeps who clicks. No newsletter is deleted meanwhile.
 *
 * @param ids the query of the newsletters of `came`; whoever knows the few saves a look at each click
 */
const storeClicks = (ids: string) => `
  insert into click (${names})
  select c.newsletter_id, short_link_id, publication_id,
    case when n.click_privacy = 'person' and c.subscriber_id is not null then
      (select s.id from subscriber s where s.newsletter_id = c.newsletter_id and s.id = c.subscriber_id) end,
    at, excluded_by, device, agent_id, signs, referrer, country, rules
  from came c join (
    select id, click_privacy from newsletter where id in (${ids}) and click_privacy <> 'off' for key share
  ) n on n.id = c.newsletter_id`

const putDown = { name: 'put_down_clicks', text: `insert into click_waiting (${names}) select ${batch}` }

const storeAtOnce = {
  name: 'store_clicks',
  text: `with came as (${clicksIn(`select ${batch}`)}) ${storeClicks('select newsletter_id from came')}`,
}

/**
 * So many are moved by one statement. More at once are cheaper each, since one row counts all clicks of a link; fewer are seen earlier and
 * need less memory. A batch is of at most 500 (`click-log.ts`).
 */
const MOST_BATCHES = 1_000
const MOST_CLICKS = 50_000

/**
 * Moves the clicks of at most `limit` batches that wait to where triggers count them. What changed since they came holds: nobody is named whom a
 * newsletter does not keep any more.
 *
 * @returns whether there may be more, and the newsletters that have new clicks
 */
export async function moveWaitingClicks(
  db: Db,
  limit = MOST_BATCHES,
): Promise<{ more: boolean; newsletterIds: string[] }> {
  const { rows } = await sql<{ more: boolean; newsletterIds: string[] | null }>`
    with waiting as (
      select ctid, cardinality(at) as clicks from click_waiting limit ${limit} for update skip locked
    ), first as (
      select ctid from (select ctid, sum(clicks) over (order by ctid) - clicks as before from waiting) w where before < ${MOST_CLICKS}
    ), batch as (
      delete from click_waiting where ctid = any(array(select ctid from first)) returning *
    ), came as materialized (${sql.raw(clicksIn('select * from batch'))}), newsletters as materialized (
      select distinct id from batch, unnest(newsletter_id) id
    ), stored as (${sql.raw(storeClicks('select id from newsletters'))})
    select (select count(*) from waiting) = ${limit} or (select count(*) from batch) < (select count(*) from waiting) as more,
      array_agg(id) as "newsletterIds" from newsletters`.execute(db)
  return { more: rows[0]?.more ?? false, newsletterIds: rows[0]?.newsletterIds ?? [] }
}

/** So many rows of hours that are over are moved by one statement, which others may have to wait for. */
const MOST_COUNTS = 20_000

/**
 * Moves what was counted of hours that are over to where it is kept: by hour, and by source. A page reads both (`link_clicks_by_hour`,
 * `link_clicks_by_source`), and sees one statement of this whole or not at all. Rows that somebody else moves are left to them.
 *
 * @returns whether there may be more
 */
export async function moveCountsOfPastHours(db: Db, now: Date, limit = MOST_COUNTS): Promise<boolean> {
  const { rows } = await sql<{ moved: number }>`
    with over as (
      select ctid from link_current_count where hour < date_trunc('hour', ${now}::timestamptz) limit ${limit} for update skip locked
    ), moved as (
      delete from link_current_count where ctid = any(array(select ctid from over)) returning *
    ), sources as (
      insert into link_source_count as s (newsletter_id, short_link_id, device, referrer, country, raw, human)
      select newsletter_id, short_link_id, device, referrer, country, sum(clicks), coalesce(sum(clicks) filter (where rule = ''), 0)
      from moved group by 1, 2, 3, 4, 5 order by 2, 1, 3, 4, 5
      on conflict (short_link_id, newsletter_id, device, referrer, country) do update set raw = s.raw + excluded.raw, human = s.human + excluded.human
      returning 1
    ), hours as (
      insert into link_count as l (newsletter_id, short_link_id, hour, rule, clicks)
      select newsletter_id, short_link_id, hour, rule, sum(clicks) from moved
      -- Sources are written first, as the triggers of clicks do.
      where (select count(*) from sources) >= 0 group by 1, 2, 3, 4 order by 2, 1, 3, 4
      on conflict (short_link_id, newsletter_id, hour, rule) do update set clicks = l.clicks + excluded.clicks
    )
    select count(*)::integer as moved from moved`.execute(db)
  return rows[0]?.moved === limit
}

/** The delivery that a person's click shows to have arrived. */
const provenBy = ({ newsletterId, publicationId, subscriberId, excludedBy }: Click) =>
  publicationId && subscriberId && !excludedBy ? [{ newsletterId, publicationId, subscriberId }] : []

/** Notifies the owners of these newsletters of new clicks. */
export async function announceClicks(db: Db, newsletterIds: string[]): Promise<void> {
  await sql`select notify_live(id, 'clicks') from unnest(${newsletterIds}::text[]) as n (id)`.execute(db)
}
