import { Readable } from 'node:stream'
import type { z } from 'zod'
import { dayIn } from '../charge/figures/range.ts'
import { csvText } from '../database/csv.ts'
import { AppError } from '../errors.ts'
import { asFile } from '../http/as-file.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Permission } from '../permissions.ts'
import type { WithRelays } from '../relays/relays.ts'
import {
  comparisonRows,
  engagementRows,
  growthRows,
  linkRows,
  publicationRows,
  revenueRows,
  sourceRows,
} from './chart-csv.ts'
import { compare } from './compare.ts'
import * as contract from './contract.ts'
import { readChecklist, readDashboard, setSkipped } from './dashboard.ts'
import { record } from './events.ts'
import { type Asked, type Ranges, rangesOf, readFigures } from './figures.ts'
import { readHighlights } from './highlights.ts'
import { findResult, findResults, listResultsWithin } from './results.ts'

export function analyticsRoutes(context: WithRelays): Route[] {
  const { db, live } = context
  const events = new Limit(120, 60)
  return [
    on(contract.recordEvents, async ({ caller, body, request }) => {
      await events.take(networkOf(request.ip), body.events.length)
      await record(context, request, { userId: caller?.user?.id ?? null, events: body.events })
      return { done: true as const }
    }),
    ...dashboardRoutes(context),
    on(contract.compareNewsletters, async ({ user, query }) => ({
      newsletters: await compare(context, user.id, query),
    })),
    on(contract.exportComparison, async ({ user, query, reply }) => {
      const csv = csvText(comparisonRows(await compare(context, user.id, query)), query.sheet)
      asFile(reply, 'newsletters.csv').type('text/csv; charset=utf-8')
      return Readable.from([csv])
    }),
    on(contract.getPublicationResult, ({ newsletterId, params }) =>
      findResult(context, newsletterId, params.publicationId),
    ),
    on(contract.listPublicationResults, async ({ newsletterId, query }) => ({
      results: await findResults(db, newsletterId, query.ids.split(',')),
    })),
    on(contract.liveEvents, ({ newsletterId, request, reply }) => {
      live.stream(newsletterId, request, reply)
      return undefined
    }),
  ]
}

function dashboardRoutes(context: WithRelays): Route[] {
  const { db, now } = context
  const ranges = (newsletter: NewsletterRow, asked: Asked) =>
    rangesOf(db, { newsletter, today: dayIn(now(), newsletter.timezone), asked })
  return [
    on(contract.getDashboard, ({ newsletter, query }) => readDashboard(context, newsletter, query)),
    on(contract.getChecklist, ({ newsletter }) => readChecklist(context, newsletter)),
    on(contract.getHighlights, async ({ newsletter, query, may }) =>
      readHighlights(db, { newsletter, may }, await ranges(newsletter, query)),
    ),
    on(contract.exportDashboard, async ({ newsletter, query: { chart, sheet, ...asked }, may, reply }) => {
      const days = await ranges(newsletter, asked)
      const csv = csvText(await chartRows[chart](context, { newsletter, may }, days), sheet)
      const { from, to } = days.range
      asFile(reply, `${chart}-${from}-${to}-${newsletter.handle ?? newsletter.id}.csv`).type('text/csv; charset=utf-8')
      return Readable.from([csv])
    }),
    on(contract.skipStep, async ({ newsletterId, body }) => {
      await setSkipped(db, newsletterId, body)
      return { done: true as const }
    }),
  ]
}

interface Reader {
  newsletter: NewsletterRow
  may: (permission: Permission) => boolean
}

type ReadRows = (context: WithRelays, reader: Reader, ranges: Ranges) => Promise<ReturnType<typeof growthRows>>

const chartRows: Record<z.output<typeof contract.exportDashboard.query>['chart'], ReadRows> = {
  growth: async ({ db }, { newsletter }, ranges) => growthRows(await readFigures(db, newsletter, ranges)),
  engagement: async ({ db }, { newsletter }, ranges) => engagementRows(await readFigures(db, newsletter, ranges)),
  publications: async ({ db }, { newsletter }, { range }) =>
    publicationRows(await listResultsWithin(db, newsletter, range)),
  links: async ({ db }, reader, ranges) => linkRows(await readHighlights(db, reader, ranges)),
  sources: async ({ db }, reader, ranges) => sourceRows(await readHighlights(db, reader, ranges)),
  revenue: async ({ db }, reader, ranges) => {
    if (!reader.may('charge.read')) throw new AppError('forbidden')
    return revenueRows(await readHighlights(db, reader, ranges))
  },
}
