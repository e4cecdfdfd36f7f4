import { LRUCache } from 'lru-cache'
import type { Db } from '../database/client.ts'
import type { Listener } from '../database/listener.ts'
import type { Link } from './click.ts'
import { findLink } from './queries.ts'

/** What a link's id may be: given ones and chosen ones. Nothing else is worth a look in the database. */
const ID = /^[\w-]{1,60}$/

/** Links by id, kept in memory; a changed link is forgotten when the database says so, all of them after a gap. */
export class LinkCache {
  readonly #links = new LRUCache<string, Link>({ max: 50_000 })
  #changes = 0

  constructor(
    private readonly db: Db,
    listener: Listener,
  ) {
    const forget = (id: string) => {
      this.#changes++
      this.#links.delete(id)
    }
    const forgetAll = () => {
      this.#changes++
      this.#links.clear()
    }
    listener.on('short_link', forget, forgetAll)
  }

  /** At once when it is known, so that the redirect needs no database. */
  known(id: string): Link | undefined {
    return this.#links.get(id)
  }

  async find(id: string): Promise<Link | null> {
    if (!ID.test(id)) return null
    const changes = this.#changes
    const link = await findLink(this.db, id)
    // What was read while something changed may already be old.
    if (link && changes === this.#changes) this.#links.set(id, link)
    return link
  }
}
