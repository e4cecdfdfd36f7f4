import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { Limit } from '../http/limits.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { WithRelays } from '../relays/relays.ts'
import { type PublishedKey, recordState } from './check-dkim.ts'
import type { checkDomain } from './contract.ts'
import { listKeys, markVerified } from './dkim-keys.ts'
import { type Dns, withDns } from './dns.ts'
import { domainOf } from './domain.ts'
import { overallOf } from './overall.ts'
import { lookUpKeys, publishedKey, runChecks } from './run-checks.ts'

type Reply = z.input<typeof checkDomain.reply>

/** For one newsletter in ten minutes: enough to wait for a record, too few to use this server as a name server. */
const MAX_CHECKS = 30
const CACHED_MS = 60_000

/** Checks the domains of senders. Results are kept for a minute, and each newsletter may ask a limited number of times. */
export class DomainChecks {
  readonly #limit = new Limit(MAX_CHECKS, 600)
  readonly #cache = new LRUCache<string, Promise<Reply>>({ max: 1_000, ttl: CACHED_MS })

  constructor(private readonly context: Pick<WithRelays, 'db' | 'config' | 'relays' | 'now'>) {}

  /**
   * @param fresh whether to ask DNS even when a result of the last minute is there
   * @throws AppError too_many_requests
   */
  async check(newsletter: NewsletterRow, fresh: boolean): Promise<Reply> {
    const { domain } = domainOf(this.context.config, newsletter)
    const name = `${newsletter.id} ${domain}`
    const cached = fresh ? undefined : this.#cache.get(name)
    if (cached) return cached
    await this.#limit.take(newsletter.id)
    const result = checkAndActivate(this.context, newsletter)
    this.#cache.set(name, result)
    result.catch(() => this.#cache.delete(name))
    return result
  }

  /** Drops the cached result after a change of keys. */
  forget(newsletter: NewsletterRow): void {
    this.#cache.delete(`${newsletter.id} ${domainOf(this.context.config, newsletter).domain}`)
  }
}

/** Checks the domain of a newsletter, or with null of the instance, and activates the keys whose records are in DNS. */
export async function checkAndActivate(
  context: Pick<WithRelays, 'db' | 'config' | 'relays' | 'now'>,
  newsletter: NewsletterRow | null,
): Promise<Reply> {
  const { config, relays } = context
  const { domain, kind, address } = domainOf(config, newsletter)
  const checkedAt = context.now().toISOString()
  if (kind !== 'own') return { domain, kind, checkedAt, overall: overallOf(kind, []), findings: [], keys: [] }
  return withDns(config.dnsServers, async (dns) => {
    const newsletterId = newsletter?.id ?? null
    const keys = await verifyKeys(dns, context, { newsletterId, domain })
    const findings = await runChecks(dns, {
      domain,
      senderAddress: address,
      // Only bulk mail has a return path of its own.
      bounceDomain: newsletter && config.bounceDomain,
      publicHost: new URL(config.publicUrl).hostname,
      relays: await relays.places(newsletterId),
      keys,
    })
    const published = keys.map((key) => ({ id: key.id, published: recordState(key) }))
    return { domain, kind, checkedAt, overall: overallOf(kind, findings), findings, keys: published }
  })
}

/**
 * Looks up the records of a domain's keys in DNS and activates the keys that are published.
 *
 * @returns the keys that are active or waiting after that, each with the answer of DNS
 */
export async function verifyKeys(
  dns: Dns,
  { db, now }: Pick<Context, 'db' | 'now'>,
  { newsletterId, domain }: { newsletterId: string | null; domain: string },
): Promise<PublishedKey[]> {
  const asked = await lookUpKeys(dns, await keysOf(db, newsletterId, domain))
  const keyIds = asked.filter((key) => recordState(key) === 'same').map(({ id }) => id)
  await markVerified(db, { newsletterId, keyIds, now: now() })
  const answers = new Map(asked.map(({ id, answer }) => [id, answer]))
  const rows = await keysOf(db, newsletterId, domain)
  return rows.flatMap((row) => {
    const answer = answers.get(row.id)
    return answer ? [publishedKey(row, answer)] : []
  })
}

/** Those that are not retired. */
export const keysOf = async (db: Db, newsletterId: string | null, domain: string) =>
  (await listKeys(db, newsletterId)).filter((key) => key.domain === domain && key.retired_at === null)
