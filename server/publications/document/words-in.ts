/** Number of words: runs of letters and digits, with the apostrophes and hyphens inside them, and the points and commas inside numbers. */
export const wordsIn = (text: string): number =>
  text.match(/[\p{L}\p{N}]+(?:['’\-‑][\p{L}\p{N}]+|(?<=\p{N})[.,:]\p{N}+)*/gu)?.length ?? 0
