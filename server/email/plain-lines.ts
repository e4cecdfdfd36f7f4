/** Plain text as lines. A column is a character as readers see it (a grapheme). */
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** How many columns a text takes. */
export const columns = (text: string): number => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII takes one column a character, the usual case
  if (/^[\x00-\x7F]*$/.test(text)) return text.length
  let count = 0
  for (const { segment } of segments.segment(text))
    if (!/^[\u200E\u200F\u202A-\u202E\u2066-\u2069]$/.test(segment)) count += 1
  return count
}

/** Wraps at spaces only, so that neither a URL nor words joined by a no-break space are cut. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 12)))
}

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const word of text.split(/[ \t]+/)) {
    const length = columns(word)
    if (line !== '' && used + 1 + length > width) {
      lines.push(line)
      line = word
      used = length
    } else {
      used += (line === '' ? 0 : 1) + length
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

export const prefixed = (lines: string[], prefix: string, rest = prefix): string[] =>
  lines.map((line, index) => `${index === 0 ? prefix : rest}${line}`.trimEnd())

export function padded(text: string, width: number, align: string): string {
  const room = Math.max(0, width - columns(text))
  if (align === 'right') return ' '.repeat(room) + text
  if (align === 'center') return ' '.repeat(Math.floor(room / 2)) + text + ' '.repeat(Math.ceil(room / 2))
  return text + ' '.repeat(room)
}
