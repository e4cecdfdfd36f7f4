import type { Context } from '../../context.ts'
import { on, type Route } from '../../http/routes.ts'
import { changeTaxes, check, connect, connectionState, disconnect } from './connect.ts'
import { changeStripe, checkStripe, connectStripe, disconnectStripe, readConnection } from './contract.ts'

export function stripeRoutes(context: Context): Route[] {
  return [
    on(readConnection, ({ newsletterId }) => connectionState(context, newsletterId)),
    on(connectStripe, async ({ newsletterId, body, auditLine }) => {
      const outcome = await connect(context, newsletterId, body.key)
      auditLine?.note({ account: outcome.account?.name ?? outcome.account?.id ?? '', test: outcome.test })
      return outcome
    }),
    on(checkStripe, ({ newsletterId }) => check(context, newsletterId)),
    on(changeStripe, ({ newsletterId, body }) => changeTaxes(context.db, newsletterId, body)),
    on(disconnectStripe, async ({ newsletterId }) => {
      await disconnect(context, newsletterId)
      return { done: true as const }
    }),
  ]
}
