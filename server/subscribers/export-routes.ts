import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import { exportChosen, exportChosenAsLines } from './bulk/contract.ts'
import * as contract from './contract.ts'
import { type ExportFormat, streamSubscribers } from './export.ts'
import { chosenBy, wantedBy } from './wanted.ts'

const formats = [
  ['csv', contract.exportSubscribers, exportChosen],
  ['jsonl', contract.exportSubscribersAsLines, exportChosenAsLines],
] as const

/** Downloads of subscribers (docs/export.md): all of them, those who fit, or those who are chosen. */
export const exportRoutes = (context: Context): Route[] =>
  formats.flatMap(([format, whoFit, whoAreChosen]) => [
    on(whoFit, async ({ newsletter, query: asked, reply, auditLine }) => {
      const { sheet, ...query } = { sheet: undefined, ...asked }
      auditLine?.note({ format, whole: Object.keys(query).length === 0 })
      const wanted = await wantedBy(context.db, newsletter.id, query)
      reply.headers(headersOf(newsletter, format))
      return streamSubscribers(context, newsletter.id, { ...wanted, format, sheet })
    }),
    on(whoAreChosen, async ({ newsletter, query: asked, body: { chosen }, reply, auditLine }) => {
      const { sheet } = { sheet: undefined, ...asked }
      if ('ids' in chosen) auditLine?.note({ format, whole: false, subscribers: chosen.ids.length })
      else {
        const { search: _, ...told } = chosen.matching
        auditLine?.note({ format, whole: Object.keys(chosen.matching).length === 0, ...told })
      }
      const wanted = await chosenBy(context, newsletter.id, chosen)
      reply.headers(headersOf(newsletter, format))
      return streamSubscribers(context, newsletter.id, { ...wanted, format, sheet })
    }),
  ])

const types = { csv: 'text/csv', jsonl: 'application/jsonl' } satisfies Record<ExportFormat, string>

const headersOf = ({ id, handle }: { id: string; handle: string | null }, format: ExportFormat) => ({
  'content-type': `${types[format]}; charset=utf-8`,
  'cache-control': 'no-store',
  'content-disposition': `attachment; filename="subscribers-${handle ?? id}.${format}"`,
})
