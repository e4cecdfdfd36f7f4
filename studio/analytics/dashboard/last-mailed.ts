import type { PublicationResult } from '../queries.ts'

type Sent = Pick<PublicationResult, 'channel' | 'digest'> & {
  counts: Pick<PublicationResult['counts'], 'accepted' | 'caught'>
}

/**
 * The last publication that somebody wrote and of which a relay accepted copies, and how many more recent ones were caught. Copies of what is
 * on the web only are those of a welcome, and count as neither.
 * @param publications the newest first
 */
export function lastMailed<One extends Sent>(publications: readonly One[]): { last: One | undefined; caught: number } {
  const mailed = publications.filter(({ channel }) => channel === 'everywhere')
  const at = mailed.findIndex(({ digest, counts }) => !digest && counts.accepted > 0)
  return { last: mailed[at], caught: mailed.slice(0, Math.max(0, at)).filter(({ counts }) => counts.caught > 0).length }
}
