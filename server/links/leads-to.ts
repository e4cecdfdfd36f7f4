import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'

/** The page of a campaign in an address: whose host it is, is not said. */
const campaignIn = '^https?://[^/?#]+(?:/[\\w.~-]+)*/optin/([1-9A-HJ-NP-Za-km-z]{6,20})'

/**
 * Where a row of `short_link` leads: its target, or only the path when that is the page of a campaign of its newsletter. The page is ours, whatever
 * address the server had when the link was made, so such links go with a server that moves.
 */
export const leadsTo = (row: 'l' | 'short_link'): RawBuilder<string> => {
  const [newsletterId, target] = [sql.ref(`${row}.newsletter_id`), sql.ref(`${row}.target`)]
  return sql<string>`case when ${target} like '%/optin/%' and exists (select from opt_in_campaign o
      where o.newsletter_id = ${newsletterId} and o.id = substring(${target} from ${sql.lit(campaignIn)}))
    then substring(${target} from '/optin/.*') else ${target} end`
}

/** The same as a whole address. */
export const wholeAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, target: string): string =>
  target.startsWith('/') ? publicUrl + target : target
