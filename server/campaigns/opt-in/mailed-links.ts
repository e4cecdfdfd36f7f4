import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { leadsTo } from '../../links/leads-to.ts'
import { optInAddress } from './address.ts'

/**
 * Those of some addresses that lead to the page of an opt-in campaign of this newsletter, directly or by one of its short links. In a mail
 * they say whose it is, so that one tap is enough.
 */
export async function optInTargets(
  { db, config }: Pick<Context, 'db' | 'config'>,
  newsletterId: string,
  targets: readonly string[],
): Promise<string[]> {
  const pages = optInAddress(config, '')
  const { publicUrl } = config
  const own = targets.filter((target) => target.startsWith(`${publicUrl}/`))
  if (own.length === 0) return []
  const { rows } = await sql<{ target: string }>`
    select w.target from unnest(${own}::text[]) w (target)
    where starts_with(w.target, ${pages}) and exists (select from campaign c where c.newsletter_id = ${newsletterId}
        and c.kind = 'opt-in' and c.id = substring(w.target from '/optin/([1-9A-HJ-NP-Za-km-z]{6,20})'))
      or exists (select from short_link l where l.newsletter_id = ${newsletterId} and starts_with(${leadsTo('l')}, '/optin/')
        and l.id = substring(w.target from '^[^?#]*/(?:r|redirect)/([A-Za-z0-9_-]{1,60})$'))`.execute(db)
  return rows.map(({ target }) => target)
}
