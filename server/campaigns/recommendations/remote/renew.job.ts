import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Job } from '../../../jobs/queue.ts'
import type { Recommendation } from '../contract.ts'
import { holdsSince, type ProvenDocument, readRemoteAddress, signedAt } from './document.ts'
import { readRemote } from './read.ts'
import { nextAttempt } from './renewal.ts'

declare module '../../../jobs/queue.ts' {
  interface Jobs {
    renew_remote_newsletters: Record<string, unknown>
  }
}

/** Of a run. The others wait for the next one. */
const MOST = 200
/** At the same time. Each takes seconds at most. */
const AT_ONCE = 8

/**
 * Reads the documents of recommended newsletters of other servers again that are due. Another key is not followed, and another name not
 * either: both are kept for the owner to see. Only a document of the accepted key renews.
 */
export const renewRemoteNewslettersJob =
  (context: Pick<Context, 'db' | 'config' | 'now'>): Job<'renew_remote_newsletters'> =>
  async () => {
    const { db, now } = context
    const due = await db
      .selectFrom('remote_newsletter as m')
      .innerJoin('campaign as c', (join) =>
        join.onRef('c.newsletter_id', '=', 'm.newsletter_id').onRef('c.id', '=', 'm.id'),
      )
      .innerJoin('newsletter as n', 'n.id', 'm.newsletter_id')
      .select(['m.newsletter_id', 'm.id', 'm.document_url', 'm.key', 'm.name', 'm.failures', 'm.signed_at'])
      .where('m.next_attempt_at', '<=', now())
      .where('m.is_demo', '=', false)
      .where('c.withdrawn_at', 'is', null)
      .where('n.deleted_at', 'is', null)
      .orderBy('m.next_attempt_at')
      .limit(MOST)
      .execute()
    const read = new Map<string, Promise<ProvenDocument | Refused>>()
    const documentAt = (url: string) => {
      const asked = readRemoteAddress(url)
      const document = read.get(url) ?? (asked ? readRemote(context, asked).catch(refusalOf) : Promise.resolve(invalid))
      read.set(url, document)
      return document
    }
    const renew = async (row: (typeof due)[number]) => {
      const document = await documentAt(row.document_url)
      const changes = changesBy(row, document, now())
      const update = db
        .updateTable('remote_newsletter')
        .set({ ...changes, next_attempt_at: nextAttempt(now(), changes.failures, Math.random()) })
        .where('newsletter_id', '=', row.newsletter_id)
        .where('id', '=', row.id)
        // Whoever accepted another key or name meanwhile has renewed it.
        .where('key', '=', row.key)
        .where('signed_at', '=', row.signed_at)
      await update.execute()
    }
    for (let at = 0; at < due.length; at += AT_ONCE) await Promise.all(due.slice(at, at + AT_ONCE).map(renew))
  }

type Refused = NonNullable<NonNullable<Recommendation['remote']>['refused']>
const invalid: Refused = 'remote_invalid'

function refusalOf(error: unknown): Refused {
  const code = error instanceof AppError ? error.code : null
  return code === 'remote_invalid' || code === 'remote_ahead' || code === 'remote_over' ? code : 'remote_unreachable'
}

/** What a row becomes by what was read. */
function changesBy(
  row: { key: string; name: string; failures: number; signed_at: Date },
  document: ProvenDocument | Refused,
  now: Date,
) {
  const failed = { failures: row.failures + 1 }
  if (typeof document === 'string') return { ...failed, refused: document }
  const { name, key, description, language } = document
  const new_name = name === row.name ? null : name
  if (key !== row.key) return { ...failed, refused: null, new_name, new_key: key }
  const signed = signedAt(document)
  // The newest counts, by the clock of its server alone: one that was signed before is shown again by somebody, or its clock was put back.
  if (signed < row.signed_at) return { ...failed, refused: 'remote_older' as const }
  const kept = { failures: 0, refused: null, new_name, new_key: null, description, language }
  if (signed.getTime() === row.signed_at.getTime()) return kept
  return { ...kept, signed_at: signed, read_at: now, renewed_at: holdsSince(document, now) }
}
