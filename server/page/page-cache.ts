import { LRUCache } from 'lru-cache'
import type { RenderedPage } from './render.ts'

interface Entry {
  version: string
  page: Promise<RenderedPage>
  /** What it takes in memory, about; 1 until it is rendered. */
  bytes: number
}

/**
 * Rendered pages in memory, so many and so many bytes. A page is kept under its own key together with the version of what it was made from
 * (a newsletter's, say): asked for with another version it is made anew, so nothing needs to be told to forget.
 * Many who ask at once wait for one rendering.
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
      // Once as text, and less again for each way of compressing.
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
