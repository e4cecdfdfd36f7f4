import type { Context } from '../../context.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import { findSubscription } from '../outside/list.ts'
import { actOnCard, type CardAct } from './act.ts'
import * as contract from './contract.ts'

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
    on(contract.resumeSubscription, ({ newsletterId, params: { subscriptionId } }) =>
      act({ newsletterId, subscriptionId }, { to: 'resume' }),
    ),
  ]
}
