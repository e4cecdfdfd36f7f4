import type { Context } from '../../context.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import { findSubscription, listPayments } from '../outside/list.ts'
import { actOnCard, type CardAct } from './act.ts'
import { cancelForOwner } from './cancel.ts'
import * as contract from './contract.ts'
import { giveBack } from './give-back.ts'

/** What an owner does with subscriptions that Stripe charges. */
export function cardRoutes(context: Context): Route[] {
  const act = async (key: { newsletterId: string; subscriptionId: string }, wanted: CardAct) => {
    if (!isUuid(key.subscriptionId)) throw new AppError('subscription_not_found')
    await actOnCard(context, key, wanted)
    return findSubscription(context, key.newsletterId, key.subscriptionId)
  }
  return [
    on(contract.pauseSubscription, ({ newsletterId, params: { subscriptionId }, body: { months } }) =>
      act({ newsletterId, subscriptionId }, { to: 'pause', months }),
    ),
    on(contract.cancelSubscription, async ({ newsletterId, params: { subscriptionId }, body: { when } }) => {
      if (!isUuid(subscriptionId)) throw new AppError('subscription_not_found')
      await cancelForOwner(context, { newsletterId, subscriptionId }, when)
      return findSubscription(context, newsletterId, subscriptionId)
    }),
    on(contract.giveBackPayment, async ({ newsletterId, params: { paymentId }, body }) => {
      await giveBack(context, { newsletterId, paymentId, ...body })
      const { rows } = await listPayments(context, newsletterId, { paymentId, limit: 1 })
      if (!rows[0]) throw new AppError('payment_not_found')
      return rows[0]
    }),
    on(contract.resumeSubscription, ({ newsletterId, params: { subscriptionId } }) =>
      act({ newsletterId, subscriptionId }, { to: 'resume' }),
    ),
  ]
}
