/**
 * The text fields of a parsed form, query or path. Anybody may send anything there, so fields that are repeated or nested are
 * left out.
 */
export function textFields(parsed: unknown): Record<string, string> {
  if (typeof parsed !== 'object' || parsed === null) return {}
  return Object.fromEntries(
    Object.entries(parsed).filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}
