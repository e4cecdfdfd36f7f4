import { Limit, networkOf } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import type { WithRelays } from '../relays/relays.ts'
import * as contract from './contract.ts'
import { readDashboard } from './dashboard.ts'
import { record } from './events.ts'
import { findResult, findResults } from './results.ts'

export function analyticsRoutes(context: WithRelays): Route[] {
  const { db, live } = context
  const events = new Limit(120, 60)
  return [
    on(contract.recordEvents, async ({ caller, body, request }) => {
      await events.take(networkOf(request.ip), body.events.length)
      await record(context, request, { userId: caller?.user?.id ?? null, events: body.events })
      return { done: true as const }
    }),
    on(contract.getDashboard, ({ newsletter, query }) => readDashboard(context, newsletter, query)),
    on(contract.getPublicationResult, ({ newsletterId, params }) =>
      findResult(context, newsletterId, params.publicationId),
    ),
    on(contract.listPublicationResults, async ({ newsletterId, query }) => ({
      results: await findResults(db, newsletterId, query.ids.split(',')),
    })),
    on(contract.liveEvents, ({ newsletterId, request, reply }) => {
      live.stream(newsletterId, request, reply)
      return undefined
    }),
  ]
}
