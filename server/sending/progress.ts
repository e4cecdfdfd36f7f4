import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { type Capacity, capacityOf, unlimited } from '../relays/capacity.ts'
import type { WithRelays } from '../relays/relays.ts'
import type { Progress } from './contract.ts'
import { rateOf, type Samples, secondsLeft } from './rate.ts'

interface Row extends Samples {
  id: string
  status: string
  elapsed: number | null
  waiting: number
  deferred: number
  from: Date | null
  until: Date | null
  deferredDueInSeconds: number | null
}

/** The progress of sendings, by publication. It is read from their counts, never from their deliveries. */
export async function readProgress(
  context: Pick<WithRelays, 'db' | 'relays' | 'now'>,
  newsletterId: string,
  ids: string[],
) {
  const rows = await readCounts(context.db, newsletterId, ids)
  const running = rows.some(({ status, waiting }) => status === 'sending' && waiting > 0)
  const capacity = running ? await capacityOf(context, newsletterId) : unlimited
  return new Map(rows.map((row) => [row.id, present(row, capacity)]))
}

async function readCounts(db: Db, newsletterId: string, ids: string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.publication_id as id, p.status, c.answered, c.sampled, c.queued as waiting, c.deferred,
      array(select extract(epoch from clock_timestamp() - at)::float8
        from unnest(c.sampled_at) with ordinality s (at, place) order by place) as ages,
      extract(epoch from coalesce(p.finished_at, clock_timestamp()) - p.started_at)::float8 as elapsed,
      due.first as from, due.last as until,
      extract(epoch from due.first - clock_timestamp())::float8 as "deferredDueInSeconds"
    from publication_status p
    join delivery_count c on c.newsletter_id = p.newsletter_id and c.sending_id = p.sending_id
    left join lateral (
      select min(due_at) as first, max(due_at) as last from delivery d
      where d.newsletter_id = p.newsletter_id and d.sending_id = p.sending_id and d.due_at is not null
        and d.state = 'deferred'
    ) due on c.deferred > 0
    where p.newsletter_id = ${newsletterId} and p.publication_id = any(${ids})`.execute(db)
  return rows
}

export const noProgress: z.input<typeof Progress> = {
  perSecond: null,
  averagePerSecond: null,
  secondsLeft: null,
  later: null,
  held: null,
}

function present(row: Row, capacity: Capacity): z.input<typeof Progress> {
  const sending = row.status === 'sending'
  const rate = sending ? rateOf(row) : null
  const held = sending && row.waiting > 0 ? capacity.held : null
  return {
    perSecond: rate,
    averagePerSecond: row.elapsed && row.answered > 0 ? row.answered / Math.max(row.elapsed, 1) : null,
    secondsLeft: held ? null : secondsLeft(rate, row, capacity),
    later:
      row.from && row.until
        ? { count: row.deferred, from: row.from.toISOString(), until: row.until.toISOString() }
        : null,
    held: held && { reason: held.reason, until: new Date(held.untilMs).toISOString() },
  }
}
