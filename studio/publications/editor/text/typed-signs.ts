import type { Language } from '../../../../server/languages.ts'

/** What a printer sets in a text, and in place of which of its signs. */
export interface Correction {
  from: number
  to: number
  by: string
}

const NO_BREAK = '\u00a0'

type Rule = (text: string) => Correction | null

/** A rule that replaces what a pattern finds. */
const found =
  (pattern: RegExp, by: string): Rule =>
  (text) => {
    const match = pattern.exec(text)
    return match && { from: match.index, to: match.index + match[0].length, by }
  }

/** Replaces the sign that was typed, and so many before it. */
const typed = (text: string, by: string, before = 0): Correction => ({
  from: text.length - 1 - before,
  to: text.length,
  by,
})

const timesIn = (text: string, sign: string): number => text.split(sign).length - 1
const unclosed = (text: string, open: string, close: string): boolean => timesIn(text, open) > timesIn(text, close)

/** A guillemet that was set here, or by somebody who types its fixed space. */
const OURS = /«\u00a0[^»]*$/
/** Where a quotation begins and none ends. */
const OPENS = /(?:^|[\s([{«‹“‘—–/-])$/
/** Of an attribute, or of a value in code. */
const ASSIGNS = /=$/
/** Feet, inches, minutes, seconds. */
const MEASURES = /\d$/

/** Whether a straight mark that its writer wanted so is open. One behind a figure is a measure, where it does not close one. */
function isStraightOpen(before: string): boolean {
  let isOpen = false
  for (const [, figure] of before.matchAll(/(\d?)"/g)) isOpen = !isOpen && figure === ''
  return isOpen
}

/** A mark that stands straight belongs to one that its writer wanted so. */
const isStraight = (before: string): boolean => ASSIGNS.test(before) || isStraightOpen(before)

const englishMarks: Rule = (text) => {
  const before = text.slice(0, -1)
  if (text.endsWith("'")) return typed(text, OPENS.test(before) ? '‘' : '’')
  if (!text.endsWith('"') || isStraight(before)) return null
  if (OPENS.test(before)) return typed(text, '“')
  return MEASURES.test(before) && !unclosed(before, '“', '”') ? null : typed(text, '”')
}

/** The guillemets have spaces inside. Within them, a quotation has “ and ”. */
const frenchMarks: Rule = (text) => {
  const before = text.slice(0, -1)
  if (text.endsWith("'")) return typed(text, '’')
  if (!text.endsWith('"') || isStraight(before)) return null
  if (unclosed(before, '“', '”')) return typed(text, '”')
  const isOpen = unclosed(before, '«', '»')
  const words = before.replace(/[ \u00a0\u202f]+$/, '')
  const spaces = before.length - words.length
  // Many type a space inside straight marks too. Where one was typed behind the guillemet itself, it is no mark of ours that closes.
  if (isOpen && spaces > 0 && !words.endsWith('«') && OURS.test(before)) return typed(text, `${NO_BREAK}»`, spaces)
  if (OPENS.test(before) || /['’]$/.test(before)) return typed(text, isOpen ? '“' : `«${NO_BREAK}`)
  return MEASURES.test(before) && !isOpen ? null : typed(text, `${NO_BREAK}»`)
}

const rules: Record<Language, Rule[]> = {
  en: [
    englishMarks,
    // Letters or figures are left out where the word begins.
    found(/(?<=^|[\s“([])‘(?=(?:tis|twas|til|em|\d\ds)[\s.,:;!?)]$)/i, '’'),
    found(/(?<=[^\s!<-])-{2,3}(?=[“‘(]?\p{L}$)/u, '—'),
  ],
  fr: [frenchMarks, found(/(?<=«\u00a0) $/, '')],
}

const anyRules: Rule[] = [
  found(/(?<!\.)\.{3}$/, '…'),
  found(/(?<=^|\n)-- $/, '— '),
  found(/(?<=\s)-- $/, '– '),
  found(/(?<=\s)--- $/, '— '),
]

/** Words that are none: an address, a path, a name in code. Marks around them are still marks. */
const isNoWord = (text: string): boolean => /:\/\/|^www\.|^[.~]*\/|[\\@=]|^xn--/i.test(/\S+\s?$/.exec(text)?.[0] ?? '')

/** Whether it is written as what a program reads. */
const isCode = (text: string): boolean => timesIn(text, '`') % 2 === 1 || text.lastIndexOf('{') > text.lastIndexOf('}')

/**
 * What a printer sets for what was just typed: the quotation marks of the language, an apostrophe, an ellipsis, a dash.
 *
 * @param text what stands before the caret in its block, the sign that was typed at its end
 */
export function correctionOf(text: string, language: Language): Correction | null {
  if (isCode(text) || (isNoWord(text) && !text.endsWith('"'))) return null
  for (const rule of [...rules[language], ...anyRules]) {
    const correction = rule(text)
    if (correction) return correction
  }
  return null
}
