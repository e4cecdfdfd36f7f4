/** Lower-case names to unfolded values; of several with one name the first counts. */
export type Fields = ReadonlyMap<string, string>

/**
 * Groups of `Name: value` lines with blank lines between (RFC 3464 section 2.1); a message's header is the first of its
 * groups. Lines that are none are passed over.
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

/** Addresses between angle brackets, or the whole value. */
export const bareAddress = (value: string): string => (/<([^<>]*)>/.exec(value)?.[1] ?? value).trim()

const MAX_WORDS = 500

/** On one line, printable, and as long as a report may quote. */
export const asWords = (text: string): string =>
  text
    .slice(0, 20 * MAX_WORDS)
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS)
