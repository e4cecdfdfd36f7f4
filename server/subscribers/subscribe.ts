import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { GroupCommit } from '../database/group-commit.ts'
import { requestSubscriptions, type SubscriptionRequest } from './change.ts'
import { SubscribeLimits } from './subscribe-limits.ts'

const DEADLOCK = '40P01'

/**
 * Takes requests to subscribe, from the page and from the API alike. Those that arrive while one batch is being written
 * wait together for the next, so `add` resolves once its request is committed and its mail queued.
 */
export class SubscriptionRequests {
  readonly limits: SubscribeLimits
  readonly #requests: GroupCommit<SubscriptionRequest, undefined>

  constructor({ db, config }: Pick<Context, 'db' | 'config'>) {
    this.limits = new SubscribeLimits(config)
    this.#requests = new GroupCommit((requests) => store(db, requests), 500, 2)
  }

  /** @throws AppError `too_many_requests` for a network or an address that asks too often, known here or not */
  async add(request: SubscriptionRequest): Promise<void> {
    const { means, network } = request.receipt
    // The API is called from one server for many people: there each newsletter has a limit of its own.
    if (network !== null && means === 'page') await this.limits.ofNetwork(network)
    await this.limits.ofAddress(request.normalised)
    await this.#requests.add(request)
  }
}

/** The last request of each address counts. */
async function store(db: Db, requests: SubscriptionRequest[]): Promise<undefined[]> {
  const unique = new Map(requests.map((request) => [`${request.newsletterId} ${request.normalised}`, request]))
  const wanted = [...unique.values()]
  try {
    await requestSubscriptions(db, wanted)
  } catch (error) {
    // Another process wrote the same addresses at the same time and PostgreSQL chose it; the second attempt finds them.
    if (!(error instanceof Error && 'code' in error && error.code === DEADLOCK)) throw error
    await requestSubscriptions(db, wanted)
  }
  return requests.map(() => undefined)
}
