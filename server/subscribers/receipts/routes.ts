import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import { findSubscriber } from '../queries.ts'
import { chainReceipts } from './chain.ts'
import * as contract from './contract.ts'
import { receiptsOf, streamCsvLines, streamJsonLines } from './download.ts'

/** Downloads of consent receipts. The newest few that wait are chained first, so that they have a place. */
export function receiptRoutes(context: Context): Route[] {
  const { db, shownIds } = context
  const chainNewest = (newsletterId: string) => chainReceipts(context, newsletterId, () => true)
  return [
    on(contract.downloadReceipts, async ({ newsletterId, params, reply }) => {
      const key = { newsletterId, subscriberId: shownIds.read(params.subscriberId) }
      if (!(await findSubscriber(db, newsletterId, key.subscriberId))) throw new AppError('subscriber_not_found')
      await chainNewest(newsletterId)
      reply.header('cache-control', 'no-store')
      return receiptsOf(db, key)
    }),

    on(contract.exportReceiptsAsLines, async ({ newsletterId, reply }) => {
      await chainNewest(newsletterId)
      asFile(reply, { type: 'application/jsonl', name: `receipts-${newsletterId}.jsonl` })
      return streamJsonLines(db, newsletterId)
    }),

    on(contract.exportReceiptsAsCsv, async ({ newsletterId, reply }) => {
      await chainNewest(newsletterId)
      asFile(reply, { type: 'text/csv', name: `receipts-${newsletterId}.csv` })
      return streamCsvLines(db, newsletterId)
    }),
  ]
}

const asFile = (reply: FastifyReply, { type, name }: { type: string; name: string }) =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
