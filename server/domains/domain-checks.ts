import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { Limit } from '../http/limits.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { WithRelays } from '../relays/relays.ts'
import { type PublishedKey, publicationOf } from './check-dkim.ts'
import type { checkDomain } from './contract.ts'
import { type Dns, withDns } from './dns.ts'
import { domainOf } from './domain.ts'
import { listKeys, noteSeen } from './keys.ts'
import { overallOf } from './overall.ts'
import { askKeys, publishedKey, runChecks } from './run-checks.ts'

type Reply = z.input<typeof checkDomain.reply>

/** So many looks of one newsletter in ten minutes: enough to wait for a record, too few to use us as a name server. */
const LOOKS = 30
const KEPT_MS = 60_000

/** Looks at senders’ domains, keeps what was seen for a minute, and asks DNS for nobody more often than that is useful. */
export class DomainChecks {
  readonly #limit = new Limit(LOOKS, 600)
  readonly #kept = new LRUCache<string, Promise<Reply>>({ max: 1_000, ttl: KEPT_MS })

  constructor(private readonly context: Pick<WithRelays, 'db' | 'config' | 'relays' | 'now'>) {}

  /** @param fresh asks DNS again. @throws AppError too_many_requests */
  async check(newsletter: NewsletterRow, fresh: boolean): Promise<Reply> {
    const { domain } = domainOf(this.context.config, newsletter)
    const name = `${newsletter.id} ${domain}`
    const kept = fresh ? undefined : this.#kept.get(name)
    if (kept) return kept
    await this.#limit.take(newsletter.id)
    const look = checkAndRecord(this.context, newsletter)
    this.#kept.set(name, look)
    look.catch(() => this.#kept.delete(name))
    return look
  }

  /** After a change of keys what was seen is no longer the whole. */
  forget(newsletter: NewsletterRow): void {
    this.#kept.delete(`${newsletter.id} ${domainOf(this.context.config, newsletter).domain}`)
  }
}

/** Looks at a newsletter's domain. A key whose record is seen signs from then on. */
async function checkAndRecord(
  context: Pick<WithRelays, 'db' | 'config' | 'relays' | 'now'>,
  newsletter: NewsletterRow,
): Promise<Reply> {
  const { config, relays } = context
  const { domain, kind, address } = domainOf(config, newsletter)
  const checkedAt = context.now().toISOString()
  if (kind !== 'own') return { domain, kind, checkedAt, overall: overallOf(kind, []), findings: [], keys: [] }
  return withDns(config.dnsServers, async (dns) => {
    const keys = await noteKeys(dns, context, newsletter.id, domain)
    const findings = await runChecks(dns, {
      domain,
      senderAddress: address,
      bounceDomain: config.bounceDomain,
      publicHost: new URL(config.publicUrl).hostname,
      relays: await relays.places(newsletter.id),
      keys,
    })
    const published = keys.map((key) => ({ id: key.id, published: publicationOf(key) }))
    return { domain, kind, checkedAt, overall: overallOf(kind, findings), findings, keys: published }
  })
}

/** Asks DNS for the domain's keys and switches on those it holds; answers the ones that are then in use or waiting. */
export async function noteKeys(
  dns: Dns,
  { db, now }: Pick<Context, 'db' | 'now'>,
  newsletterId: string,
  domain: string,
): Promise<PublishedKey[]> {
  const asked = await askKeys(dns, await keysOf(db, newsletterId, domain))
  const seen = asked.filter((key) => publicationOf(key) === 'same').map(({ id }) => id)
  await noteSeen(db, newsletterId, seen, now())
  const answers = new Map(asked.map(({ id, answer }) => [id, answer]))
  const rows = await keysOf(db, newsletterId, domain)
  return rows.flatMap((row) => {
    const answer = answers.get(row.id)
    return answer ? [publishedKey(row, answer)] : []
  })
}

const keysOf = async (db: Db, newsletterId: string, domain: string) =>
  (await listKeys(db, newsletterId)).filter((key) => key.domain === domain && key.retired_at === null)
