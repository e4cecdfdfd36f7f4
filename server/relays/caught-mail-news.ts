import { sql } from 'kysely'
import type { Db } from '../database/client.ts'

/** Thousands of mails may be caught in a second. */
const GATHER_MS = 250

/** Tells the browsers that show the outbox of a newsletter that mail was caught; of mail of the server itself, all browsers. */
export class CaughtMailNews {
  #of = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly db: Db) {}

  caught(newsletterId: string | null): void {
    this.#of.add(newsletterId ?? '*')
    this.#timer ??= setTimeout(() => void this.#tell(), GATHER_MS).unref()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #tell(): Promise<void> {
    const newsletters = [...this.#of]
    this.#of = new Set()
    this.#timer = null
    try {
      await sql`select notify_live(id, 'outbox') from unnest(${newsletters}::text[]) as n (id)`.execute(this.db)
    } catch {
      // While the database is away no stream is open, and a browser reads the outbox when one opens.
    }
  }
}
