import type { Readable } from 'node:stream'
import pg from 'pg'
import type { Context } from '../../context.ts'
import { harmless, streamCsv } from '../../database/csv.ts'
import type { Language } from '../../languages.ts'
import type { Translate } from '../../translator.ts'
import { rowReasons } from './file/contract.ts'
import type { ImportKey } from './imports.ts'

/** The rows that were refused, left out or not kept whole, as CSV. Its head and its reasons are in the language of `t`. */
export function streamReport(
  { pool, shownIds }: Pick<Context, 'pool' | 'shownIds'>,
  { newsletterId, importId, t, sheet }: ImportKey & { t: Translate; sheet?: Language | undefined },
): Promise<Readable> {
  const named = (column: 'line' | 'remark' | 'cell') => pg.escapeIdentifier(t(`imports.report.${column}`))
  const sentences = rowReasons.map(
    (reason) => `(${pg.escapeLiteral(reason)}, ${pg.escapeLiteral(t(`imports.reason.${reason}`))})`,
  )
  return streamCsv(
    { pool, shownIds },
    `select r.line as ${named('line')}, coalesce(s.sentence, r.reason) as ${named('remark')}, ${harmless('r.cell')} as ${named('cell')}
     from import_refusal r
     left join (values ${sentences.join(', ')}) s (reason, sentence) on s.reason = r.reason
     where r.newsletter_id = ${pg.escapeLiteral(newsletterId)} and r.import_id = ${pg.escapeLiteral(importId)} order by r.line`,
    sheet,
  )
}
