import type { Page, Request } from '@playwright/test'

/** Ends the wait for an answer that does not come, as of a page that another server is asked about. */
const LONGEST_MS = 5_000

/** Which page a browser shows. The app waits for no answer to it, and Playwright is not told of one. */
const VIEWED = '/api/analytics/events'

/** What a page has asked for and not got yet. The stream of live events is left out, because it never ends. */
export class Traffic {
  readonly #pending = new Set<Request>()
  #whenQuiet = () => {}

  constructor(private readonly page: Page) {
    const over = (request: Request) => {
      this.#pending.delete(request)
      if (this.#pending.size === 0) this.#whenQuiet()
    }
    const isAwaited = (request: Request) => request.resourceType() !== 'eventsource' && !request.url().endsWith(VIEWED)
    page.on('request', (request) => isAwaited(request) && this.#pending.add(request))
    page.on('requestfinished', over)
    page.on('requestfailed', over)
  }

  /** Loads a page, and resolves once it shows what it asked for. */
  async load(address: string): Promise<void> {
    this.#pending.clear()
    await this.page.goto(address)
    await this.page.getByRole('main').first().waitFor()
    await this.settled()
  }

  /** Shows another page of the owner app as one of its own links does, which costs less than loading the app once more. */
  async follow(address: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, address)
    await this.settled()
    await this.page.getByRole('main').first().waitFor()
  }

  /** Resolves once the page has drawn what it got, and wants nothing more. */
  async settled(): Promise<void> {
    const end = Date.now() + LONGEST_MS
    do {
      if (this.#pending.size > 0) await this.#quiet(end - Date.now())
      // What came may be drawn in the next frame, and ask for more in the one after.
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    } while (this.#pending.size > 0 && Date.now() < end)
  }

  /** Resolves once nothing is under way, or after `longest` milliseconds. */
  async #quiet(longest: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const limit = setTimeout(resolve, longest)
    this.#whenQuiet = resolve
    await promise
    clearTimeout(limit)
  }
}
