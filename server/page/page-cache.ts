import { LRUCache } from 'lru-cache'
import type { RenderedPage } from './render.ts'

/**
 * Rendered pages in memory. A page is kept under its own key together with the version of what it was made from
 * (a newsletter's, say): asked for with another version it is made anew, so nothing needs to be told to forget.
 * Many who ask at once wait for one rendering.
 */
export class PageCache {
  readonly #pages: LRUCache<string, { version: string; page: Promise<RenderedPage> }>

  constructor(maximum = 2000) {
    this.#pages = new LRUCache({ max: maximum })
  }

  async get(
    key: string,
    version: string | number,
    render: () => RenderedPage | Promise<RenderedPage>,
  ): Promise<RenderedPage> {
    const kept = this.#pages.get(key)
    if (kept?.version === String(version)) return kept.page
    const entry = { version: String(version), page: Promise.resolve().then(render) }
    this.#pages.set(key, entry)
    try {
      return await entry.page
    } catch (error) {
      if (this.#pages.peek(key) === entry) this.#pages.delete(key)
      throw error
    }
  }

  clear(): void {
    this.#pages.clear()
  }
}
