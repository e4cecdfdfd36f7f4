import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import * as contract from './contract.ts'
import { listEventsOf, listLines, streamLines } from './queries.ts'

export function auditRoutes(context: Context): Route[] {
  const { db } = context
  return [
    on(contract.listAudit, ({ newsletterId, query }) => listLines(db, newsletterId, query)),
    on(contract.exportAudit, async ({ newsletterId, query, reply }) => {
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="audit.csv"')
      return streamLines(context, newsletterId, query)
    }),
    on(contract.keepAudit, async ({ newsletterId, body }) => {
      await db.updateTable('newsletter').set({ audit_days: body.days }).where('id', '=', newsletterId).execute()
      return { done: true as const }
    }),
    on(contract.listAccountEvents, ({ user, query }) => listEventsOf(db, user.id, query)),
  ]
}
