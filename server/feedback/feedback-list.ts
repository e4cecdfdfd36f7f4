import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { ShownIds } from '../http/shown-ids.ts'
import { complaintFigures, complaintLevel } from './complaint-rate.ts'
import { FeedbackSource, type listFeedback } from './contract.ts'

type Query = z.output<typeof listFeedback.query>
type Reply = z.input<typeof listFeedback.reply>
type Row = Reply['rows'][number]

interface Sending {
  newsletterId: string
  publicationId: string
}

/** Newest first: ids are made in the order of time. The page begins after the row `cursor`. */
export async function listFeedbackRows(
  { db, shownIds }: Pick<Context, 'db' | 'shownIds'>,
  sending: Sending,
  query: Query,
): Promise<Reply> {
  const [found, counts, figures] = await Promise.all([
    selectRows(db, sending, query),
    countKinds(db, sending),
    complaintFigures(db, sending.newsletterId),
  ])
  const page = found.slice(0, query.limit)
  const next = found.length > query.limit ? (page.at(-1)?.id ?? null) : null
  return {
    rows: page.map((row) => present(shownIds, row)),
    next,
    counts,
    recent: { ...figures, level: complaintLevel(figures) },
  }
}

const selectRows = (db: Db, { newsletterId, publicationId }: Sending, { kind, cursor, limit }: Query) =>
  db
    .selectFrom('feedback as f')
    .innerJoin('delivery as d', (join) =>
      join
        .onRef('d.newsletter_id', '=', 'f.newsletter_id')
        .onRef('d.publication_id', '=', 'f.publication_id')
        .onRef('d.subscriber_id', '=', 'f.subscriber_id'),
    )
    .select(['f.id', 'f.at', 'f.kind', 'f.source', 'f.status', 'f.words', 'f.subscriber_id', 'f.suppressed', 'd.email'])
    .where('f.newsletter_id', '=', newsletterId)
    .where('f.publication_id', '=', publicationId)
    .where((e) => (kind ? e('f.kind', '=', kind) : e.lit(true)))
    .$if(cursor !== undefined, (rows) => rows.where('f.id', '<', cursor ?? ''))
    .orderBy('f.id', 'desc')
    .limit(limit + 1)
    .execute()

const present = (shownIds: ShownIds, row: Awaited<ReturnType<typeof selectRows>>[number]): Row => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  source: FeedbackSource.parse(row.source),
  status: row.status,
  words: shownIds.hideIn(row.words),
  subscriberId: shownIds.show(row.subscriber_id),
  email: row.email,
  suppressed: row.suppressed,
})

/** Counts each delivery once for each kind, however many sources report it. */
async function countKinds(db: Db, { newsletterId, publicationId }: Sending): Promise<Reply['counts']> {
  const rows = await db
    .selectFrom('feedback')
    .select(({ fn }) => ['kind', fn.count<number>('subscriber_id').distinct().as('n')])
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .groupBy('kind')
    .execute()
  const count = (kind: Row['kind']) => rows.find((row) => row.kind === kind)?.n ?? 0
  return { hard: count('hard'), soft: count('soft'), complaint: count('complaint') }
}
