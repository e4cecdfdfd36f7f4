import { isDeepStrictEqual } from 'node:util'
import type { AuditLine } from '../http/scope.ts'

/**
 * Makes a change of something that can be saved as it was: the audit tells what was done, so the line goes when nothing was.
 * @param read what the change is about, asked for before and after it
 * @param change is given what was read before it
 */
export async function unlessSame<State, Answer>(
  auditLine: AuditLine | null,
  read: () => Promise<State>,
  change: (before: State) => Promise<Answer>,
): Promise<Answer> {
  const before = await read()
  const answer = await change(before)
  if (isDeepStrictEqual(before, await read())) await auditLine?.drop()
  return answer
}
