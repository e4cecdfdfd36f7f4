import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { withDns } from './dns.ts'
import { noteKeys } from './domain-checks.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    verify_dkim_keys: Record<string, never>
  }
}

/** A key whose record has not come after a month was given up. */
const WAITS_FOR = '30 days'
/** In one hour; the youngest first, since somebody has just set their record. */
const DOMAINS = 200
/** Asked at once. */
const TOGETHER = 10

/** Looks every hour for the records of keys that wait for them, so that nobody need come back to switch a key on. */
export function verifyDkimKeysJob(context: Context): Job<'verify_dkim_keys'> {
  return async () => {
    const { rows } = await sql<{ newsletter_id: string; domain: string }>`
      select newsletter_id, domain from dkim_key
      where active_at is null and retired_at is null and created_at > ${context.now()}::timestamptz - ${WAITS_FOR}::interval
      group by newsletter_id, domain order by max(created_at) desc limit ${DOMAINS}`.execute(context.db)
    for (let at = 0; at < rows.length; at += TOGETHER) {
      await withDns(context.config.dnsServers, (dns) =>
        Promise.all(
          rows
            .slice(at, at + TOGETHER)
            .map(({ newsletter_id, domain }) => noteKeys(dns, context, newsletter_id, domain)),
        ),
      )
    }
  }
}
