import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import { findPublication } from '../publications/queries.ts'
import { listFeedback } from './contract.ts'
import { listFeedbackRows } from './feedback-list.ts'
import { webhookRoutes } from './provider-webhook-routes.ts'

export function feedbackRoutes(context: Context): Route[] {
  const { db } = context
  return [
    on(listFeedback, async ({ newsletterId, params: { publicationId }, query }) => {
      await findPublication(db, newsletterId, publicationId)
      return listFeedbackRows(context, { newsletterId, publicationId }, query)
    }),
    ...webhookRoutes(context),
  ]
}
