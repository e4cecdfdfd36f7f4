import { LRUCache } from 'lru-cache'
import type { Db } from '../database/client.ts'
import { GroupCommit } from '../database/group-commit.ts'
import type { Listener } from '../database/listener.ts'
import type { Link } from './click.ts'
import { findLinks } from './queries.ts'

/** The form of ids, random or chosen. Any other text is not searched in the database. */
const ID = /^[\w-]{1,60}$/

/** Links by id, in memory. The database notifies of a changed link, which is then forgotten. After a gap all are forgotten. */
export class LinkCache {
  readonly #links = new LRUCache<string, Link>({ max: 150_000 })
  /** Those that are looked for at once are found together: after a start, or when many links are followed, no request needs a query of its own. */
  readonly #finder: GroupCommit<string, Link | null>
  #changes = 0

  constructor(db: Db, listener: Listener) {
    this.#finder = new GroupCommit((ids) => findLinks(db, ids), 1_000, 2)
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
    const link = await this.#finder.add(id)
    // A row that was read during a change may already be old.
    if (link && changes === this.#changes) this.#links.set(id, link)
    return link
  }
}
