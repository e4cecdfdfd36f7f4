import { LRUCache } from 'lru-cache'
import type { Db } from '../database/client.ts'
import { GroupCommit } from '../database/group-commit.ts'
import type { Listener } from '../database/listener.ts'
import type { Link } from './click.ts'
import { findLinks, listYoungLinks } from './queries.ts'

/** The form of ids, random or chosen. Any other text is not searched in the database. */
const ID = /^[\w-]{1,60}$/

/** A group of many links is cheaper for each. A reader does not see so short a while. */
const GATHER_MS = 2

/** So many links are read ahead, and so many by one query, which holds up requests for some milliseconds. */
const READ_AHEAD = 100_000
const READ_AT_ONCE = 500

/** Before the id of a newsletter, when what it keeps of clicks has changed. */
const ALL_OF = '*'

/**
 * Links by id, in memory. The database notifies of a changed link, which is then forgotten. After a gap all are forgotten. The first that is
 * looked for after that has young links read ahead: where one reader follows a link, others do.
 */
export class LinkCache {
  readonly #links = new LRUCache<string, Link>({ max: 150_000 })
  /** Those that are looked for at once are found together: after a start, or when many links are followed, no request needs a query of its own. */
  readonly #finder: GroupCommit<string, Link | null>
  #changes = 0
  #hasReadAhead = false

  constructor(
    private readonly db: Db,
    listener: Listener,
  ) {
    this.#finder = new GroupCommit((ids) => findLinks(db, ids), { gatherMs: GATHER_MS })
    const forgetAll = () => {
      this.#changes++
      this.#links.clear()
      this.#hasReadAhead = false
    }
    const changed = (id: string) => (id.startsWith(ALL_OF) ? this.#forgetAllOf(id.slice(1)) : this.forget(id))
    listener.on('short_link', changed, forgetAll)
  }

  /** For whoever has changed a link in this process: a notification comes a moment later. */
  forget(id: string): void {
    this.#changes++
    this.#links.delete(id)
  }

  /** What one newsletter changes must not cost the links of others. */
  #forgetAllOf(newsletterId: string): void {
    this.#changes++
    for (const [id, link] of this.#links.entries()) if (link.newsletterId === newsletterId) this.#links.delete(id)
  }

  /** Resolves at once for a link in memory, so that its redirect needs no database. */
  known(id: string): Link | undefined {
    // Those that were read first give way first. To keep the order of use would cost each redirect more than to read a link again.
    return this.#links.peek(id)
  }

  async find(id: string): Promise<Link | null> {
    if (!ID.test(id)) return null
    if (!this.#hasReadAhead) void this.#readAhead()
    const changes = this.#changes
    const link = await this.#finder.add(id)
    // A row that was read during a change may already be old.
    if (link && changes === this.#changes) this.#links.set(id, link)
    return link
  }

  async #readAhead(): Promise<void> {
    this.#hasReadAhead = true
    let after = ''
    for (let read = 0; read < READ_AHEAD; read += READ_AT_ONCE) {
      const changes = this.#changes
      // Whatever the database has against it, each link can still be found by itself.
      const links = await listYoungLinks(this.db, after, READ_AT_ONCE).catch(() => [])
      const last = links.at(-1)
      if (!last) return
      if (changes === this.#changes) for (const link of links) this.#links.set(link.id, link)
      after = last.id
    }
  }
}
