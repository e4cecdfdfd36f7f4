import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/queue.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    forget_opt_in_requests: Record<string, never>
  }
}

/** So long a typed address can still be confirmed. Afterwards its hash serves for nothing. */
const KEPT_DAYS = 8

/** Puts chance in place of the hashes of addresses that nobody confirmed. They are still counted as asked. */
export const forgetOptInRequestsJob =
  ({ db, now }: Pick<Context, 'db' | 'now'>): Job<'forget_opt_in_requests'> =>
  async () => {
    await sql`
      update opt_in_request set address = decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), forgotten_at = ${now()}::timestamptz
      where forgotten_at is null and asked_at < ${now()}::timestamptz - ${KEPT_DAYS} * interval '1 day'`.execute(db)
  }
