import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { harmless, streamCsv, utc, withValues } from '../database/csv.ts'
import type { exportDeliveries } from './contract.ts'
import { selectDeliveries, shownState } from './delivery-list.ts'
import type { PublicationKey } from './sending.ts'

/** The deliveries of a publication as CSV. Its columns have the names of the API in every language, for programs. */
export function streamDeliveries(
  { db, pool, shownIds }: Pick<Context, 'db' | 'pool' | 'shownIds'>,
  publication: PublicationKey,
  { sheet, ...which }: z.output<typeof exportDeliveries.query>,
): Promise<Readable> {
  const column = (expression: string) => sql.raw<string | null>(expression)
  const query = selectDeliveries(db, publication, which)
    .select(['subscriber_id', column(harmless('email')).as('email')])
    .select(() => shownState(db, publication).as('state'))
    .select([
      'attempts',
      column(utc('changed_at')).as('changed_at'),
      column(utc('due_at')).as('due_at'),
      column(utc('opened_at')).as('opened_at'),
      column(harmless('answer')).as('answer'),
      'feedback.kind as feedback',
      column(harmless('feedback.words')).as('feedback_words'),
    ])
    .orderBy('subscriber_id')
  return streamCsv({ pool, shownIds }, withValues(query.compile()), sheet)
}
