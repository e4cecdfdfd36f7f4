import type { Context } from '../../context.ts'
import { on, type Route } from '../../http/routes.ts'
import * as contract from './contract.ts'
import { giftsCsv, listGifts, mailAgain, makeGifts, withdrawGift } from './gifts.ts'

/** Gifts by code, as their owner makes them. */
export function giftRoutes(context: Context): Route[] {
  return [
    on(contract.listGifts, ({ newsletterId, query }) => listGifts(context, newsletterId, query)),
    on(contract.exportGifts, async ({ newsletter, query, reply }) => {
      reply
        .type('text/csv; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="gifts-${newsletter.handle ?? newsletter.id}.csv"`)
      return giftsCsv(context, newsletter, query.sheet)
    }),
    on(contract.makeGifts, async ({ newsletterId, body }) => ({ gifts: await makeGifts(context, newsletterId, body) })),
    on(contract.mailGiftAgain, async ({ newsletterId, params: { giftId } }) => {
      await mailAgain(context, newsletterId, giftId)
      return { done: true as const }
    }),
    on(contract.withdrawGift, ({ newsletterId, params: { giftId } }) => withdrawGift(context, newsletterId, giftId)),
  ]
}
