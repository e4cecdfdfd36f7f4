import { type Kysely, sql } from 'kysely'
import { type Config, isLoopback } from './config.ts'
import type { DB } from './database/types.ts'
import type { Finding } from './doctor-trials.ts'
import type { Translate } from './translator.ts'

/** Newsletters that are said one by one. */
const SAID = 20

interface Account {
  newsletter: string
  test: boolean | null
  missing: string[] | null
  silent: boolean
}

/** What keeps newsletters with paid plans from charging cards, as far as it is stored. Stripe is not asked. */
export async function stripeFindings(db: Kysely<DB>, { publicUrl }: Config, t: Translate): Promise<Finding[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('stripe_account') is not null as there`.execute(db)
  if (!tables[0]?.there) return []
  const { rows } = await sql<Account>`
    select n.name || ' (' || n.id || ')' as newsletter, a.test, a.missing_rights as missing,
      a.last_event_at is null and a.connected_at < now() - interval '1 day' as silent
    from newsletter n left join stripe_account a on a.newsletter_id = n.id
    where a.newsletter_id is not null or exists (
      select from plan p where p.newsletter_id = n.id and p.kind = 'paid' and p.closed_at is null)
    order by n.id limit ${SAID}`.execute(db)
  const about = t('cli.doctor.stripe')
  const isHidden = rows.some(({ test }) => test !== null) && isLoopback(publicUrl)
  const hidden: Finding[] = isHidden
    ? [{ state: 'note', about, finding: t('cli.doctor.stripeHidden', { publicUrl }) }]
    : []
  return [...rows.map((account) => ({ about, ...findingOf(account, t) })), ...hidden]
}

function findingOf({ newsletter, test, missing, silent }: Account, t: Translate): Omit<Finding, 'about'> {
  if (test === null) return { state: 'note', finding: t('cli.doctor.stripeNone', { newsletter }) }
  if (missing && missing.length > 0)
    return { state: 'bad', finding: t('cli.doctor.stripeRights', { newsletter, rights: missing.join(', ') }) }
  if (silent) return { state: 'bad', finding: t('cli.doctor.stripeSilent', { newsletter }) }
  if (test) return { state: 'note', finding: t('cli.doctor.stripeTest', { newsletter }) }
  return { state: 'good', finding: t('cli.doctor.stripeGood', { newsletter }) }
}
