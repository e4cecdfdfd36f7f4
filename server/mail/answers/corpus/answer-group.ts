import type { Meaning, Stage } from '../answer-rule.ts'

/**
 * Answers that have one source and one meaning, each with the step at which it is said. Where a source has a pattern or leaves out the
 * reply code, an address, a host or the usual code stands in the gap.
 */
export interface AnswerGroup {
  /** The repository and file, document, or server that has these answers. */
  source: string
  concerns: Meaning['concerns']
  lasting: Meaning['lasting']
  session?: true
  gone?: true
  answers: readonly (readonly [Stage, string])[]
}
