import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { GroupCommit } from '../database/group-commit.ts'
import { Limit } from '../http/limits.ts'
import { type Request, storeRequests } from './subscribe.ts'

const TEN_MINUTES = 600
const HOUR = 3_600
const ASKS_OF_AN_ADDRESS = 10

/**
 * Takes requests to subscribe, from the page and from the API alike. Those that arrive while one batch is being written
 * wait together for the next, so `ask` resolves once its request is committed and its mail queued.
 */
export class Subscribing {
  readonly #networks: Limit
  readonly #addresses = new Limit(ASKS_OF_AN_ADDRESS, HOUR)
  readonly #requests: GroupCommit<Request, undefined>

  constructor({ db, config }: Pick<Context, 'db' | 'config'>) {
    this.#networks = new Limit(config.subscribeLimit, TEN_MINUTES)
    this.#requests = new GroupCommit((requests) => storeRequests(db, requests), 500, 2)
  }

  /** @throws AppError `too_many_requests` for a network or an address that asks too often, known here or not */
  async ask(request: Request): Promise<void> {
    // The API is called from one server for many people: there each newsletter has a limit of its own.
    if (request.network !== null && request.source === 'page') await this.#networks.take(request.network)
    await this.#addresses.take(createHash('sha256').update(request.normalised).digest('base64'))
    await this.#requests.add(request)
  }
}
