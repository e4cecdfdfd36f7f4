import { isDeepStrictEqual } from 'node:util'
import type { AuditLine } from '../http/scope.ts'

/**
 * Makes a change of something that can be saved as it was: the audit tells what was done, so the line goes when nothing was.
 * @param read what the change is about, asked for before and after it
 */
export async function unlessSame<Answer>(
  auditLine: AuditLine | null,
  read: () => Promise<unknown>,
  change: () => Promise<Answer>,
): Promise<Answer> {
  if (!auditLine) return change()
  const before = await read()
  const answer = await change()
  if (isDeepStrictEqual(before, await read())) await auditLine.drop()
  return answer
}
