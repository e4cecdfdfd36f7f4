import type { Readable } from 'node:stream'
import pg from 'pg'
import type { Context } from '../../context.ts'
import { harmless, streamCsv } from '../../database/csv.ts'
import type { Translate } from '../../translator.ts'
import { rowReasons } from './file/contract.ts'
import type { ImportKey } from './imports.ts'

/** The rows that were refused, left out or not kept whole, as CSV. The reasons are written out in the language of `t`. */
export function streamReport(
  { pool, shownIds }: Pick<Context, 'pool' | 'shownIds'>,
  { newsletterId, importId, t }: ImportKey & { t: Translate },
): Promise<Readable> {
  const sentences = rowReasons.map(
    (reason) => `(${pg.escapeLiteral(reason)}, ${pg.escapeLiteral(t(`imports.reason.${reason}`))})`,
  )
  return streamCsv(
    { pool, shownIds },
    `select r.line, coalesce(s.sentence, r.reason) as reason, ${harmless('r.cell')} as cell from import_refusal r
     left join (values ${sentences.join(', ')}) s (reason, sentence) on s.reason = r.reason
     where r.newsletter_id = ${pg.escapeLiteral(newsletterId)} and r.import_id = ${pg.escapeLiteral(importId)} order by r.line`,
  )
}
