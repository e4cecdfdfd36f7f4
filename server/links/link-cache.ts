import { LRUCache } from 'lru-cache'
import type { Db } from '../database/client.ts'
import type { Listener } from '../database/listener.ts'
import type { Link } from './click.ts'
import { findLink } from './queries.ts'

/** The form of ids, random or chosen. Any other text is not searched in the database. */
const ID = /^[\w-]{1,60}$/

/** Links by id, in memory. The database notifies of a changed link, which is then forgotten. After a gap all are forgotten. */
export class LinkCache {
  readonly #links = new LRUCache<string, Link>({ max: 50_000 })
  #changes = 0

  constructor(
    private readonly db: Db,
    listener: Listener,
  ) {
    const forgetAll = () => {
      this.#changes++
      this.#links.clear()
    }
    listener.on('short_link', (id) => this.forget(id), forgetAll)
  }

  /** For whoever has changed a link in this process: a notification comes a moment later. */
  forget(id: string): void {
    this.#changes++
    this.#links.delete(id)
  }

  /** Resolves at once for a link in memory, so that its redirect needs no database. */
  known(id: string): Link | undefined {
    return this.#links.get(id)
  }

  async find(id: string): Promise<Link | null> {
    if (!ID.test(id)) return null
    const changes = this.#changes
    const link = await findLink(this.db, id)
    // A row that was read during a change may already be old.
    if (link && changes === this.#changes) this.#links.set(id, link)
    return link
  }
}
