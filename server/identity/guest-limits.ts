import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { hiddenKey, networkOf, SharedLimit } from '../http/limits.ts'

const DAY_SECONDS = 24 * 3600

/** Who may begin as a guest. Each guest is some rows, made without any proof, so their number has an end. */
export class GuestLimits {
  readonly #networks: SharedLimit

  constructor(private readonly context: Pick<Context, 'db' | 'pool' | 'signer' | 'config'>) {
    const { guestsPerNetwork } = context.config
    this.#networks = new SharedLimit(context.pool, { name: 'guests', points: guestsPerNetwork, seconds: DAY_SECONDS })
  }

  /** @throws AppError too_many_requests for a network that had enough today, too_many_guests when the server has as many as it may */
  async require(ip: string): Promise<void> {
    const { db, config, signer } = this.context
    await this.#networks.take(hiddenKey(signer, networkOf(ip)))
    if ((await countGuests(db)) >= config.maxGuests) throw new AppError('too_many_guests')
  }
}

export async function countGuests(db: Context['db']): Promise<number> {
  const { rows } = await sql<{
    guests: number
  }>`select count(*)::integer as guests from "user" where is_anonymous`.execute(db)
  return rows[0]?.guests ?? 0
}
