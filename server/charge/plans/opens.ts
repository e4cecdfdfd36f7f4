import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { planOpens } from './contract.ts'
import { findPlan, type PlanKey } from './plans.ts'

type Opened = z.infer<typeof planOpens.reply>

/** Reading the documents of more would take long; older ones are seldom changed for a plan. */
const LOOKED_AT = 500
const SHOWN = 12

/**
 * Which of the newest publications a plan opens more of: those with a paywall or a block that names it, and those that any paid plan opens.
 *
 * @throws AppError plan_not_found
 */
export async function opensOf(db: Db, key: PlanKey, now: Date): Promise<Opened> {
  const { newsletterId, planId } = key
  await findPlan(db, key, now)
  const { rows } = await sql<Opened['publications'][number] & { named: number; any: number; more: boolean }>`
    with newest as materialized (
      select id, title, number, state, content, edited_at from publication
      where newsletter_id = ${newsletterId} order by edited_at desc limit ${LOOKED_AT + 1}
    ), gate as (
      select n.id, g.node ->> 'type' = 'paywall' as paywall,
        case g.node ->> 'type' when 'paywall' then g.node -> 'attrs' -> 'plans' else g.node -> 'attrs' -> 'for' end as asked
      from (select * from newest order by edited_at desc limit ${LOOKED_AT}) n
      cross join lateral jsonb_path_query(n.content, '$.content[*] ? (@.type == "paywall" || @.type == "onlyFor")') as g (node)
    ), opened as (
      select id, bool_or(paywall) as paywall, count(*) filter (where not paywall) as blocks, bool_or(by_name) as "byName"
      from (
        select id, paywall, asked @> to_jsonb(${planId}::integer) as by_name, coalesce(asked, '[]') as asked from gate
        where asked is null or asked not in ('"free"', '"web"', '"email"')
      ) g
      where by_name or jsonb_typeof(asked) <> 'array' or jsonb_array_length(asked) = 0
      group by id
    )
    select o.id, n.title, n.number, n.state in ('draft', 'scheduled') as draft, o.paywall, o.blocks, coalesce(o."byName", false) as "byName",
      count(*) filter (where o."byName") over () as named, count(*) filter (where o."byName" is not true) over () as any,
      (select count(*) from newest) > ${LOOKED_AT} as more
    from opened o join newest n using (id)
    order by o."byName" desc nulls last, n.edited_at desc limit ${SHOWN}`.execute(db)
  const [first] = rows
  return {
    named: first?.named ?? 0,
    any: first?.any ?? 0,
    onlyNewest: first?.more ? LOOKED_AT : null,
    publications: rows.map(({ named: _, any: __, more: ___, ...publication }) => publication),
  }
}
