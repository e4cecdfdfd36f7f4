import type { Context } from '../../context.ts'
import { on, type Route } from '../../http/routes.ts'
import * as contract from './contract.ts'
import { recommendationsCsv } from './counts.ts'
import { addTo, candidatesFor, changeOf, listOf, orderOf, removeFrom } from './recommendations.ts'
import { answer, recommendedByOf, recommendersOf, setPolicy } from './recommenders.ts'
import { arrivalsOf } from './remote/arrivals.ts'

const done = { done: true } as const

/** Recommendations as owners see them, both ways. */
export function recommendationRoutes(context: Context): Route[] {
  return [
    on(contract.listRecommendations, async ({ newsletterId, userId, query }) => ({
      rows: await listOf(context, newsletterId, query),
      candidates: await candidatesFor(context, { newsletterId, userId }),
    })),
    on(contract.addRecommendation, async ({ newsletterId, userId, body, auditLine }) => {
      const added = await addTo(context, { newsletterId, userId }, body)
      auditLine?.note({ name: added.name })
      return added
    }),
    on(contract.changeRecommendation, ({ newsletterId, params: { recommendationId: campaignId }, body }) =>
      changeOf(context, { newsletterId, campaignId }, body.reasons),
    ),
    on(contract.orderRecommendations, async ({ newsletterId, body }) => {
      await orderOf(context, newsletterId, body.ids)
      return done
    }),
    on(contract.removeRecommendation, async ({ newsletterId, params: { recommendationId: campaignId } }) => {
      await removeFrom(context, { newsletterId, campaignId })
      return done
    }),
    on(contract.listRecommenders, async ({ newsletterId, query }) => ({
      recommendedBy: await recommendedByOf(context, newsletterId),
      rows: await recommendersOf(context, newsletterId, query),
      arrivals: await arrivalsOf(context.db, newsletterId),
    })),
    on(contract.setRecommendedBy, async ({ newsletterId, body }) => {
      await setPolicy(context, newsletterId, body.recommendedBy)
      return done
    }),
    on(
      contract.answerRecommender,
      async ({ newsletterId, params: { recommendationId: campaignId }, body: { accepted } }) => {
        await answer(context, newsletterId, { campaignId, accepted })
        return done
      },
    ),
    on(contract.exportRecommendations, async ({ newsletter, query, reply }) => {
      reply
        .type('text/csv; charset=utf-8')
        .header('cache-control', 'no-store')
        .header(
          'content-disposition',
          `attachment; filename="recommendations-${newsletter.handle ?? newsletter.id}.csv"`,
        )
      return recommendationsCsv(context.db, newsletter.id, query)
    }),
  ]
}
