import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { networkOf, SharedLimit } from '../http/limits.ts'
import { publicAddresses } from '../net/public-address.ts'
import { TooOften, type Tried, tryAddress } from '../net/try-address.ts'
import { webPorts } from '../net/web-ports.ts'

const notTried: Tried = { answer: 'not_tried', status: null, to: null, bytes: null }

/** Hosts that are asked at the same time. Of one host, one address at a time. */
const HOSTS_AT_ONCE = 6
/** Of one host. After them its other addresses are not tried: they would take as long. */
const MOST_SLOW = 2
/** With all its redirects. */
const TRY_MS = 8_000
const ALL_MS = 40_000
const KEPT_MS = 10 * 60_000
/** What failed may be tried again soon: somebody is mending it. */
const FAILED_KEPT_MS = 20_000

/** Addresses are those of servers that others run: they must not be asked more, whoever writes links to them. */
const REQUESTS_TO_A_NETWORK = { points: 200, seconds: 600 }

/** Each is counted, and a name may have hundreds. */
const MOST_ADDRESSES_OF_HOST = 4

type Resolve = typeof publicAddresses

/**
 * Tries the addresses of publications. Answers are kept for some minutes, and all newsletters of all processes together ask the
 * servers of one network a limited number of times, so that nobody turns this server against another.
 */
export class AddressTrials {
  readonly #kept = new LRUCache<string, Tried>({ max: 5_000, ttl: KEPT_MS })
  readonly #requests: SharedLimit

  constructor(
    private readonly context: Pick<Context, 'config' | 'pool'>,
    private readonly outside: { resolve: Resolve; ports: ReadonlySet<number> } = {
      resolve: publicAddresses,
      ports: webPorts,
    },
  ) {
    this.#requests = new SharedLimit(context.pool, { name: 'address_trials', ...REQUESTS_TO_A_NETWORK })
  }

  /** What became of each address, within a limited time. */
  async tryAll(addresses: readonly string[]): Promise<Map<string, Tried>> {
    const tried = new Map<string, Tried>(addresses.map((address) => [address, notTried]))
    const byHost = [...Map.groupBy(tried.keys(), (address) => URL.parse(address)?.host ?? '').values()]
    const endsAt = Date.now() + ALL_MS
    const work = async (): Promise<void> => {
      for (let host = byHost.pop(); host; host = byHost.pop()) {
        let slow = 0
        for (const address of host) {
          if (Date.now() > endsAt) return
          const result = await this.#try(address)
          tried.set(address, result)
          if (result.answer === 'timeout' && ++slow === MOST_SLOW) break
        }
      }
    }
    await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, work))
    return tried
  }

  async #try(address: string): Promise<Tried> {
    const kept = this.#kept.get(address)
    if (kept) return kept
    const mayBePrivate = this.context.config.privateServers
    const result = await tryAddress(address, {
      timeoutMs: TRY_MS,
      mayBePrivate,
      ports: mayBePrivate ? null : this.outside.ports,
      resolve: this.#admitted,
    })
    const ttl = result.answer === 'fine' || result.answer === 'guarded' ? KEPT_MS : FAILED_KEPT_MS
    if (result.answer !== 'not_tried') this.#kept.set(address, result, { ttl })
    return result
  }

  /** One request to the host, which is counted. */
  readonly #admitted: Resolve = async (host) => {
    const found = (await this.outside.resolve(host)).slice(0, MOST_ADDRESSES_OF_HOST)
    const networks = [...new Set(found.map(({ address }) => networkOf(address)))]
    for (const network of networks) if (!(await this.#requests.admits(network))) throw new TooOften()
    return found
  }
}
