import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { GroupCommit } from '../database/group-commit.ts'

/** One act that is counted under a key, until `seconds` after the first one. */
export interface Counting {
  key: string
  seconds: number
}

export interface Counted {
  /** How many there were in this time, this one included. */
  acts: number
  /** Until counting begins again; at least 1. */
  secondsLeft: number
}

/**
 * Counts acts for all processes together, in the table of `SharedLimit`, for calls that come thousands a second: those that arrive while
 * one statement runs are counted together by the next. A count that a crash of the database loses is no harm, so none waits for the disk.
 */
export class SharedCounts {
  readonly #requests: GroupCommit<Counting[], Counted[]>

  constructor(db: Db) {
    this.#requests = new GroupCommit((requests) => countAll(db, requests), { limit: 500 })
  }

  /** Counts one act under each key. Answers in the order of the keys. */
  count(keys: Counting[]): Promise<Counted[]> {
    return this.#requests.add(keys)
  }
}

async function countAll(db: Db, requests: Counting[][]): Promise<Counted[][]> {
  const wanted = new Map<string, { seconds: number; acts: number }>()
  for (const { key, seconds } of requests.flat()) wanted.set(key, { seconds, acts: (wanted.get(key)?.acts ?? 0) + 1 })
  const keys = [...wanted.keys()]
  const values = [...wanted.values()]
  // In one order, so that two processes with the same keys wait for each other and do not deadlock.
  const { rows } = await sql<{ key: string; points: number; msLeft: number }>`
    insert into rate_limit as r (key, points, expire)
    select w.key, w.acts, moment.now + w.seconds * 1000
    from unnest(${keys}::text[], ${values.map(({ acts }) => acts)}::integer[], ${values.map(({ seconds }) => seconds)}::bigint[])
      w (key, acts, seconds),
      (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now, set_config('synchronous_commit', 'off', true)) moment
    order by w.key
    on conflict (key) do update set
      points = excluded.points + case when r.expire > extract(epoch from clock_timestamp()) * 1000 then r.points else 0 end,
      expire = case when r.expire > extract(epoch from clock_timestamp()) * 1000 then r.expire else excluded.expire end
    returning r.key, r.points, (r.expire - extract(epoch from clock_timestamp()) * 1000)::float8 as "msLeft"`.execute(
    db,
  )
  const found = new Map(rows.map(({ key, points, msLeft }) => [key, { points, msLeft }]))
  const counted = new Map<string, number>()
  return requests.map((request) =>
    request.map(({ key }) => {
      const { points = 0, msLeft = 0 } = found.get(key) ?? {}
      const before = points - (wanted.get(key)?.acts ?? 0) + (counted.get(key) ?? 0)
      counted.set(key, (counted.get(key) ?? 0) + 1)
      return { acts: before + 1, secondsLeft: Math.max(1, Math.ceil(msLeft / 1000)) }
    }),
  )
}
