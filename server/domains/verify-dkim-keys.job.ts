import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { withDns } from './dns.ts'
import { verifyKeys } from './domain-checks.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    verify_dkim_keys: Record<string, never>
  }
}

/** A key that has had no record for so long is no longer looked for. */
const GIVE_UP_AFTER = '30 days'
/** For one run, newest keys first: their records were probably set just now. */
const MAX_DOMAINS = 200
/** Domains that are checked at the same time. */
const CONCURRENCY = 10

/** Looks every hour for the records of waiting keys, so that owners need not come back to activate them. */
export function verifyDkimKeysJob(context: Context): Job<'verify_dkim_keys'> {
  return async () => {
    const { rows } = await sql<{ newsletter_id: string | null; domain: string }>`
      select newsletter_id, domain from dkim_key
      where active_at is null and retired_at is null and created_at > ${context.now()}::timestamptz - ${GIVE_UP_AFTER}::interval
      group by newsletter_id, domain order by max(created_at) desc limit ${MAX_DOMAINS}`.execute(context.db)
    for (let at = 0; at < rows.length; at += CONCURRENCY) {
      await withDns(context.config.dnsServers, (dns) =>
        Promise.all(
          rows
            .slice(at, at + CONCURRENCY)
            .map(({ newsletter_id, domain }) => verifyKeys(dns, context, { newsletterId: newsletter_id, domain })),
        ),
      )
    }
  }
}
