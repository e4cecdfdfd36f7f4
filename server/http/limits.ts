import { isIPv6 } from 'node:net'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../errors.ts'
import type { Signer } from './signing.ts'

/**
 * Allows at most `points` acts in `seconds` for one key, counted by this process alone. It is for what takes this process's own time and
 * memory: renderings, searches, decodings, connections. With two processes there is twice as much of everything. What costs somebody
 * else (mails, invitations, codes that can be guessed, what strangers leave in the database) is a `SharedLimit`.
 */
export class Limit {
  readonly #limiter: RateLimiterMemory

  constructor(points: number, seconds: number) {
    this.#limiter = new RateLimiterMemory({ points, duration: seconds })
  }

  /**
   * @param acts how many at once
   * @throws AppError too_many_requests, with the seconds to wait
   */
  async take(key: string, acts = 1): Promise<void> {
    try {
      await this.#limiter.consume(key, acts)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new AppError('too_many_requests', { params: { seconds: Math.ceil(refusal.msBeforeNext / 1000) } })
    }
  }
}

/** Where an address is, too short to be somebody's: the /24 of an IPv4 address, or the /48 of an IPv6 address. */
export function shortNetworkOf(ip: string): string {
  const network = networkOf(ip)
  if (!network.includes(':')) return network.replace(/\.\d+$/, '.0/24')
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}

/** Allows at most `points` acts in `seconds` for one key, counted together by all processes that share the database. */
export class SharedLimit {
  readonly #limiter: RateLimiterPostgres

  /** @param name of the limit; different limits share the table */
  constructor(pool: pg.Pool, { name, points, seconds }: { name: string; points: number; seconds: number }) {
    this.#limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
    })
  }

  /** Counts one act. Returns 0 when it is allowed, else the seconds to wait. */
  async wait(key: string): Promise<number> {
    try {
      await this.#limiter.consume(key)
      return 0
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.ceil(refusal.msBeforeNext / 1000) || 1
      throw refusal
    }
  }

  /** Counts one act. @throws AppError too_many_requests, with the seconds to wait */
  async take(key: string): Promise<void> {
    const seconds = await this.wait(key)
    if (seconds > 0) throw new AppError('too_many_requests', { params: { seconds } })
  }

  /** Whether one more act is allowed, which is taken. */
  async admits(key: string): Promise<boolean> {
    return (await this.wait(key)) === 0
  }

  async forget(key: string): Promise<void> {
    await this.#limiter.delete(key)
  }
}

/** The key of a `SharedLimit` on an address or network: it stays in the database, so nobody may read from it who is counted. */
export const hiddenKey = (signer: Signer, text: string): string => signer.mac('limit', text).toString('base64url')

/** The part of an address that one home or server has: the whole IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(ip: string): string {
  const v4 = ip.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)
  if (v4?.[1]) return v4[1]
  if (!isIPv6(ip)) return ip
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = ip.includes('::') ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right] : left
  return `${groups.slice(0, 4).join(':')}::/64`
}
