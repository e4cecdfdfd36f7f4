const PAUSE_MS = 1_000

/** Tells owners about new clicks, at most once a second, whatever the number of clicks. */
export class ClickAnnouncer {
  readonly #changed = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly announce: (newsletterIds: string[]) => Promise<void>) {}

  changed(newsletterId: string): void {
    this.#changed.add(newsletterId)
    this.#timer ??= setTimeout(() => this.#tell(), PAUSE_MS).unref()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  #tell(): void {
    this.#timer = null
    const newsletterIds = [...this.#changed]
    this.#changed.clear()
    // Whoever misses it sees the clicks at the next change; the clicks themselves are stored.
    this.announce(newsletterIds).catch(() => {})
  }
}
