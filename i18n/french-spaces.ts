/** Usual spaces at which no line may break, and what stands there instead. */
export type Rule = readonly [spaces: RegExp, instead: string]

export const NO_BREAK = '\u00a0'
export const NARROW = '\u202f'

/** Those beside the marks of French. Other languages do not put a space there. */
export const besideMarks: readonly Rule[] = [
  [/(?<=\S) +(?=[;!?])/gu, NARROW],
  [/(?<=\S) +(?=[:»›])/gu, NO_BREAK],
  [/(?<=[«‹]) +(?=\S)/gu, NO_BREAK],
]

/** A short text as it is read, in whatever language it is: no line of it begins with a mark. */
export const holdMarks = (text: string): string =>
  besideMarks.reduce((held, [spaces, instead]) => held.replaceAll(spaces, instead), text)
