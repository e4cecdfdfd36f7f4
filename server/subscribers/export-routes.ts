import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import * as contract from './contract.ts'
import { streamSubscribers } from './export.ts'
import { wantedBy } from './wanted.ts'

const formats = [
  [contract.exportSubscribers, 'csv', 'text/csv'],
  [contract.exportSubscribersAsLines, 'jsonl', 'application/jsonl'],
] as const

/** Downloads of subscribers (docs/export.md): all of them, or those that the table shows. */
export const exportRoutes = (context: Context): Route[] =>
  formats.map(([endpoint, format, type]) =>
    on(endpoint, async ({ newsletter, query, reply, auditLine }) => {
      auditLine?.note({ format, whole: Object.keys(query).length === 0 })
      const { ids, ...filters } = query
      const named = ids?.split(',').map((id) => context.shownIds.read(id))
      const wanted = { ...(await wantedBy(context.db, newsletter.id, filters)), ids: named }
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'no-store')
        .header(
          'content-disposition',
          `attachment; filename="subscribers-${newsletter.handle ?? newsletter.id}.${format}"`,
        )
      return streamSubscribers(context, newsletter.id, { ...wanted, format })
    }),
  )
