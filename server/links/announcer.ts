const PAUSE_MS = 1_000

/** Notifies owners of new clicks, at most once a second, whatever the number of clicks. */
export class ClickAnnouncer {
  readonly #changed = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly announce: (newsletterIds: string[]) => Promise<void>) {}

  changed(newsletterIds: string[]): void {
    if (newsletterIds.length === 0) return
    for (const id of newsletterIds) this.#changed.add(id)
    this.#timer ??= setTimeout(() => this.#notify(), PAUSE_MS).unref()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  #notify(): void {
    this.#timer = null
    const newsletterIds = [...this.#changed]
    this.#changed.clear()
    // The clicks are stored. An owner who misses this notification sees them at the next one.
    this.announce(newsletterIds).catch(() => {})
  }
}
