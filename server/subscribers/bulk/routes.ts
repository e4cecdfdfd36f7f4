import type { Context } from '../../context.ts'
import { on, type Route } from '../../http/routes.ts'
import { askerOf } from '../asker.ts'
import { chosenBy } from '../wanted.ts'
import { listBulkChanges, startBulkChange, stopBulkChange, undoBulkChange } from './changes.ts'
import * as contract from './contract.ts'

/** One act on many subscribers, which a job does. */
export function bulkRoutes(context: Context): Route[] {
  const { db } = context
  return [
    on(contract.startBulkChange, async ({ newsletterId, body, language, request, auditLine }) => {
      const change = await startBulkChange(db, {
        newsletterId,
        act: body.act,
        tagId: 'tagId' in body ? body.tagId : null,
        wanted: await chosenBy(context, newsletterId, body.chosen),
        expected: body.expected ?? null,
        by: { ...askerOf(request), language },
      })
      auditLine?.note({ subscribers: change.total })
      return change
    }),

    on(contract.listBulkChanges, async ({ newsletterId }) => ({ changes: await listBulkChanges(db, newsletterId) })),

    on(contract.stopBulkChange, async ({ newsletterId, params: { bulkChangeId }, auditLine }) => {
      const change = await stopBulkChange(db, { newsletterId, bulkChangeId })
      auditLine?.note({ act: change.act, subscribers: change.total, changed: change.changed })
      return change
    }),

    on(contract.undoBulkChange, async ({ newsletterId, params: { bulkChangeId }, auditLine }) => {
      const change = await undoBulkChange(db, { newsletterId, bulkChangeId })
      auditLine?.note({ act: change.act })
      return change
    }),
  ]
}
