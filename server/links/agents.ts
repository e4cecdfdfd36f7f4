import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../database/client.ts'

const MAX_KNOWN = 20_000

/** By text. */
export type AgentIds = ReadonlyMap<string, number>

/** The ids of what browsers and programs say they are. Each text is stored once. */
export class Agents {
  readonly #known = new LRUCache<string, number>({ max: MAX_KNOWN })

  constructor(private readonly db: Db) {}

  /** The id of each text but the empty one. Those that are new are stored. */
  async idsOf(agents: readonly string[]): Promise<AgentIds> {
    const ids = new Map<string, number>()
    const unknown: string[] = []
    for (const agent of new Set(agents)) {
      const id = this.#known.get(agent)
      if (id !== undefined) ids.set(agent, id)
      else if (agent !== '') unknown.push(agent)
    }
    if (unknown.length === 0) return ids
    for (const [agent, id] of await this.#find(unknown)) {
      ids.set(agent, id)
      this.#known.set(agent, id)
    }
    return ids
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
