/**
 * Number of words: runs of letters and digits, with the apostrophes and hyphens inside them, and the points and commas inside numbers. An
 * address on the web or of mail is one word.
 */
export const wordsIn = (text: string): number =>
  text.match(
    /(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@\S+|[\p{L}\p{N}]+(?:['’\-‑][\p{L}\p{N}]+|(?<=\p{N})[.,:]\p{N}+)*/giu,
  )?.length ?? 0
