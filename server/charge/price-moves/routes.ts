import type { Context } from '../../context.ts'
import { on, type Route } from '../../http/routes.ts'
import { listPriceMoves, startPriceMove, stopPriceMove } from './contract.ts'
import { movesOf, startMove, stopMove } from './moves.ts'

/** Moving those who pay by card to another price. */
export function priceMoveRoutes(context: Context): Route[] {
  return [
    on(listPriceMoves, ({ newsletterId, params: { planId } }) => movesOf(context, { newsletterId, planId })),
    on(startPriceMove, ({ newsletterId, params: { planId }, body }) =>
      startMove(context, { newsletterId, planId }, body),
    ),
    on(stopPriceMove, ({ newsletterId, params: { moveId } }) => stopMove(context, newsletterId, moveId)),
  ]
}
