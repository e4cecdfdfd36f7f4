/** Lower-case names to unfolded values. Of several fields with one name the first counts. */
export type Fields = ReadonlyMap<string, string>

/**
 * Reads groups of `Name: value` lines with blank lines between (RFC 3464, section 2.1). A message's header is its first
 * group. Other lines are ignored.
 */
export const readFields = (text: string): Fields[] =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n[ \t]*\n/, 50)
    .map(readGroup)

function readGroup(group: string): Fields {
  const fields = new Map<string, string>()
  for (const line of group.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

/** The address between angle brackets, or the whole value. */
export const bareAddress = (value: string): string => (/<([^<>]*)>/.exec(value)?.[1] ?? value).trim()

const MAX_WORDS = 500

/** One printable line, cut to the length that is kept of a report. */
export const asWords = (text: string): string =>
  text
    .slice(0, 20 * MAX_WORDS)
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS)
