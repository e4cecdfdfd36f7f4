import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../database/client.ts'

const MAX_KNOWN = 20_000

/** The ids of what browsers and programs say they are. Each text is stored once. */
export class Agents {
  readonly #known = new LRUCache<string, number>({ max: MAX_KNOWN })

  constructor(private readonly db: Db) {}

  /** The id of each text, in their order; null for those that are empty. Those that are new are stored. */
  async idsOf(agents: readonly string[]): Promise<(number | null)[]> {
    const unknown = new Set(agents.filter((agent) => agent !== '' && !this.#known.has(agent)))
    const found = unknown.size > 0 ? await this.#find([...unknown]) : new Map<string, number>()
    for (const [agent, id] of found) this.#known.set(agent, id)
    return agents.map((agent) => found.get(agent) ?? this.#known.get(agent) ?? null)
  }

  async #find(agents: string[]): Promise<Map<string, number>> {
    // In order, so that two processes that store the same ones do not wait for each other in a circle.
    const { rows } = await sql<{ agent: string; id: number }>`
      with asked as (select agent from unnest(${agents}::text[]) agent),
      added as (
        insert into user_agent (agent) select agent from asked a
        where not exists (select from user_agent u where md5(u.agent) = md5(a.agent)) order by md5(agent)
        on conflict (md5(agent)) do update set agent = excluded.agent returning agent, id
      )
      select agent, id from added
      union all select u.agent, u.id from asked a join user_agent u on md5(u.agent) = md5(a.agent)`.execute(this.db)
    return new Map(rows.map(({ agent, id }) => [agent, id]))
  }
}
