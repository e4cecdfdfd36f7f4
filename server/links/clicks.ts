import type { Context } from '../context.ts'
import { Agents } from './agents.ts'
import { ClickAnnouncer } from './announcer.ts'
import { type ClickedLink, describeClick, type LinkRequest } from './click.ts'
import { ClickLog } from './click-log.ts'
import { measureClicks } from './metrics.ts'
import { Networks } from './networks.ts'
import { announceClicks, insertClicks } from './store-clicks.ts'
import { WaitingClicks } from './waiting-clicks.ts'

/** So many clicks at once, or more, are put down first, and counted together a moment later. */
const UNDER_LOAD = 16

/** Counts requests for links, and for pages that count as a link of theirs, all by the same rules. */
export class Clicks {
  readonly #networks: Networks
  readonly #announcer: ClickAnnouncer
  readonly #waiting: WaitingClicks
  readonly #log: ClickLog

  constructor({ db, pool, config, log, metrics }: Pick<Context, 'db' | 'pool' | 'config' | 'log' | 'metrics'>) {
    const agents = new Agents(db)
    this.#networks = new Networks(config)
    this.#announcer = new ClickAnnouncer((newsletterIds) => announceClicks(db, newsletterIds))
    this.#waiting = new WaitingClicks({ db, log, counted: (newsletterIds) => this.#announcer.changed(newsletterIds) })
    this.#log = new ClickLog({
      log,
      insert: async (clicks) => {
        // Whoever counts locks what is counted, and clicks that are counted at once would wait for the end of that.
        const wait = clicks.length >= UNDER_LOAD || this.#waiting.counts
        await insertClicks({ db, pool }, clicks, { agents, wait })
        if (wait) this.#waiting.came()
        else this.#announcer.changed([...new Set(clicks.map(({ newsletterId }) => newsletterId))])
      },
    })
    measureClicks(this.#log, metrics)
  }

  /** Resolves when the click is on disk, as `ClickLog` promises. Of a newsletter that keeps no clicks there is none. */
  add(link: ClickedLink, request: LinkRequest, at: Date): Promise<undefined> | undefined {
    if (link.privacy === 'off') return
    return this.#log.add(describeClick(link, request, { at, networks: this.#networks }))
  }

  async stop(): Promise<void> {
    await this.#log.stop()
    await this.#waiting.stop()
    this.#announcer.stop()
  }
}
