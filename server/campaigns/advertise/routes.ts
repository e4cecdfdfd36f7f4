import { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { asFile } from '../../http/as-file.ts'
import { on, type Route } from '../../http/routes.ts'
import { chartCsv } from './chart-csv.ts'
import * as contract from './contract.ts'
import { readResults } from './results.ts'

/** What came of advertising, for the first page of it. */
export const advertiseRoutes = ({ db, now }: Context): Route[] => [
  on(contract.readAdvertiseResults, ({ newsletter, may }) => readResults(db, { newsletter, now: now(), may })),
  on(contract.exportAdvertiseResults, async ({ newsletter, may, query: { chart, sheet }, reply }) => {
    const results = await readResults(db, { newsletter, now: now(), may })
    const csv = chartCsv(results, chart, sheet)
    asFile(reply, `${chart}-${results.range.to}.csv`).type('text/csv; charset=utf-8')
    return Readable.from([csv])
  }),
]
