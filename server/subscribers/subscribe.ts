import type { Context } from '../context.ts'
import { GroupCommit } from '../database/group-commit.ts'
import { AppError } from '../errors.ts'
import { isErased } from './erased-addresses.ts'
import { findByAddress, findSuppression } from './queries.ts'
import { ASK_BOUNCED_AGAIN_HOURS, confirmAtOnce, requestSubscriptions, type SubscriptionRequest } from './request.ts'
import { SubscribeLimits } from './subscribe-limits.ts'

const DEADLOCK = '40P01'

/**
 * Takes requests to subscribe, from the page and from the API alike. Those that arrive while one batch is being written
 * wait together for the next, so `add` resolves once its request is committed and its mail queued.
 */
export class SubscriptionRequests {
  readonly limits: SubscribeLimits
  readonly #requests: GroupCommit<SubscriptionRequest, undefined>

  constructor(context: Pick<Context, 'db' | 'config' | 'signer'>) {
    this.limits = new SubscribeLimits(context)
    this.#requests = new GroupCommit((requests) => store(context, requests), { limit: 500, lanes: 2 })
  }

  /** After the limits have admitted it. */
  async add(request: SubscriptionRequest): Promise<void> {
    await this.#requests.add(request)
  }
}

interface Asked {
  newsletterId: string
  normalised: string
  now: Date
}

/**
 * Whether a member or an API key may ask this address to subscribe. Who called a mail spam is not written to because somebody
 * else wants it: they come back by the page alone.
 *
 * @throws AppError `already_subscribed`, `subscriber_complained`, `invalid` for an address that is suppressed for good or was erased,
 * `too_many_requests` for one that bounced and was asked less than a day ago
 */
export async function requireMayAsk({ db, signer }: Storing, { newsletterId, normalised, now }: Asked): Promise<void> {
  const known = await findByAddress(db, newsletterId, normalised)
  const suppression = await findSuppression(db, newsletterId, normalised)
  if (suppression && (!known || suppression.reason === 'by_hand'))
    throw new AppError('invalid', { fields: { email: fieldFor(suppression.reason) } })
  if (!known && (await isErased(db, signer, { newsletterId, normalised })))
    throw new AppError('invalid', { fields: { email: 'erased' } })
  if (known?.status === 'complained' || suppression?.reason === 'complained')
    throw new AppError('subscriber_complained', { field: 'email' })
  if (known?.status === 'active') throw new AppError('already_subscribed', { field: 'email' })
  if (known?.status !== 'bounced' && suppression?.reason !== 'bounced') return
  const seconds = ASK_BOUNCED_AGAIN_HOURS * 3_600 - (now.getTime() - (known?.asked_at.getTime() ?? 0)) / 1000
  if (seconds > 0) throw new AppError('too_many_requests', { params: { seconds: Math.ceil(seconds) } })
}

/** What is said of an address that is suppressed for good: nobody reads that it bounced when a person stopped it. */
export const fieldFor = (reason: string | undefined) => (reason === 'by_hand' ? 'stopped_by_hand' : 'suppressed')

type Storing = Pick<Context, 'db' | 'signer'>

/** The last request of each address counts. */
async function store(context: Storing, requests: SubscriptionRequest[]): Promise<undefined[]> {
  const unique = new Map(requests.map((request) => [`${request.newsletterId} ${request.normalised}`, request]))
  const asking = [...unique.values()]
  const write = () => storeOnce(context, asking)
  // Another process wrote the same addresses at the same time and PostgreSQL chose it; the second attempt finds them.
  await write().catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === DEADLOCK)) throw error
    return write()
  })
  return requests.map(() => undefined)
}

async function storeOnce({ db, signer }: Storing, requests: SubscriptionRequest[]): Promise<void> {
  const atOnce = requests.filter(({ confirms }) => !confirms)
  if (atOnce.length === 0) return requestSubscriptions(db, signer, requests)
  await db.transaction().execute(async (tx) => {
    await requestSubscriptions(tx, signer, requests)
    await confirmAtOnce(tx, signer, atOnce)
  })
}
