import { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { asFile } from '../../http/as-file.ts'
import { on, type Route } from '../../http/routes.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { streamBooks } from './books.ts'
import { chartCsv } from './chart-csv.ts'
import * as contract from './contract.ts'
import { rangeOf, readFigures } from './figures.ts'

/** What is sold, as figures and as files. */
export function figureRoutes(context: Context): Route[] {
  const { db } = context
  return [
    on(contract.getChargeFigures, ({ newsletter, query, may }) =>
      readFigures(db, { newsletter, now: context.now(), withNames: may('subscribers.read') }, query),
    ),
    on(contract.exportChargeFigures, async ({ newsletter, query, may, reply }) => {
      const { chart, sheet, ...asked } = query
      const reader = { newsletter, now: context.now(), withNames: may('subscribers.read') }
      const figures = await readFigures(db, reader, asked)
      asCsv(reply, newsletter, `${chart}-${figures.range.from}-${figures.range.to}`)
      return Readable.from([chartCsv(figures, chart, sheet)])
    }),
    on(contract.exportBooks, async ({ newsletter, query, may, reply }) => {
      const { rows, sheet, namesIn = newsletter.language } = query
      const range = await rangeOf(db, { newsletter, now: context.now(), asked: { ...query, by: 'month' } })
      asCsv(reply, newsletter, `books-${range.from}-${range.to}`)
      // Everybody's names at once are what an export of subscribers needs.
      const withNames = may('subscribers.export')
      return streamBooks(context, { newsletter, range, rows, withNames, sheet, namesIn })
    }),
  ]
}

const asCsv = (reply: Parameters<typeof asFile>[0], { handle, id }: NewsletterRow, name: string) =>
  asFile(reply, `${name}-${handle ?? id}.csv`).type('text/csv; charset=utf-8')
