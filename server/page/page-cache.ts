import { LRUCache } from 'lru-cache'
import type { RenderedPage } from './render.ts'

interface Entry {
  version: string
  page: Promise<RenderedPage>
  /** About what it takes in memory; 1 until it is rendered. */
  bytes: number
}

/**
 * Rendered pages in memory, up to a number of pages and of bytes. A page is kept under its key, together with the version
 * of what it was made from (a newsletter's, say). A request for another version renders it again, so nothing has to
 * invalidate the cache. Requests that come at the same time wait for one rendering.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Entry>

  constructor(maximum = 2000, maximumBytes = 64 * 1024 * 1024) {
    this.#pages = new LRUCache({ max: maximum, maxSize: maximumBytes, sizeCalculation: ({ bytes }) => bytes })
  }

  async get(
    key: string,
    version: string | number,
    render: () => RenderedPage | Promise<RenderedPage>,
  ): Promise<RenderedPage> {
    const kept = this.#pages.get(key)
    if (kept?.version === String(version)) return kept.page
    const entry: Entry = { version: String(version), page: Promise.resolve().then(render), bytes: 1 }
    this.#pages.set(key, entry)
    try {
      const page = await entry.page
      // The text, and the compressed bodies together about the same again.
      if (this.#pages.peek(key) === entry) this.#pages.set(key, { ...entry, bytes: page.html.length * 2 })
      return page
    } catch (error) {
      if (this.#pages.peek(key) === entry) this.#pages.delete(key)
      throw error
    }
  }

  clear(): void {
    this.#pages.clear()
  }
}
