import type { Context } from '../../../context.ts'
import { Limit } from '../../../http/limits.ts'
import { on, type Route } from '../../../http/routes.ts'
import * as contract from './contract.ts'
import { acceptChange, addRemote, findRemote } from './remote.ts'

/** How often other servers are asked for a newsletter in an hour. */
const ASKED = 60

/** Recommendations of newsletters of other servers, as owners make them. */
export function remoteRoutes(context: Context): Route[] {
  const asked = new Limit(ASKED, 3_600)
  return [
    on(contract.findRemoteNewsletter, async ({ newsletterId, body }) => {
      await asked.take(newsletterId)
      return findRemote(context, body.address)
    }),
    on(contract.addRemoteRecommendation, async ({ newsletterId, body, auditLine }) => {
      await asked.take(newsletterId)
      const added = await addRemote(context, newsletterId, body)
      auditLine?.note({ name: added.name })
      return added
    }),
    on(contract.acceptRemoteChange, async ({ newsletterId, params: { recommendationId: campaignId }, body }) => {
      await asked.take(newsletterId)
      return acceptChange(context, { newsletterId, campaignId }, body)
    }),
  ]
}
