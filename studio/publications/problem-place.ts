/** Where in a publication a problem of its pre-flight is. */
export type ProblemPlace =
  /** The first text that begins with these words. */
  | { at: 'words'; words: string }
  /** What leads to an address first, or the picture that is there. */
  | { at: 'address'; address: string }
  /** The first merge tag, of this field or of any, that has no fallback. */
  | { at: 'mergeTag'; field?: string }
  /** The first image without a description. */
  | { at: 'image' }
  /** The first button without an address. */
  | { at: 'button' }
  /** The first note without words. */
  | { at: 'note' }
  /** The first heading that leaves a level out. */
  | { at: 'heading' }
  | { at: 'paywall' }
  /** Its language and the rest that stands beside the text. */
  | { at: 'details' }

/** The state of a link to the editor that opens at a problem. */
export const atProblem = (place: ProblemPlace) => ({ problem: place })

/** The place that somebody was led to; null when they came by themselves. */
export function problemIn(state: unknown): ProblemPlace | null {
  if (typeof state !== 'object' || state === null || !('problem' in state)) return null
  return state.problem as ProblemPlace
}
