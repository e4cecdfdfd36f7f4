import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import { findSubscriber } from '../queries.ts'
import * as contract from './contract.ts'
import { receiptsOf, streamCsv, streamJsonLines } from './download.ts'

/** Downloads of consent receipts. Those of the last seconds have no place in the chain yet. */
export function receiptRoutes({ db, shownIds }: Context): Route[] {
  return [
    on(contract.downloadReceipts, async ({ newsletterId, params, reply }) => {
      const key = { newsletterId, subscriberId: shownIds.read(params.subscriberId) }
      if (!(await findSubscriber(db, newsletterId, key.subscriberId))) throw new AppError('subscriber_not_found')
      reply.header('cache-control', 'no-store')
      return receiptsOf(db, key)
    }),

    on(contract.exportReceiptsAsLines, async ({ newsletterId, reply }) => {
      asFile(reply, { type: 'application/jsonl', name: `receipts-${newsletterId}.jsonl` })
      return streamJsonLines(db, newsletterId)
    }),

    on(contract.exportReceiptsAsCsv, async ({ newsletterId, query, reply }) => {
      asFile(reply, { type: 'text/csv', name: `receipts-${newsletterId}.csv` })
      return streamCsv(db, newsletterId, query.sheet)
    }),
  ]
}

const asFile = (reply: FastifyReply, { type, name }: { type: string; name: string }) =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
