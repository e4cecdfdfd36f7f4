/** The timezones of this browser, preceded by the one in use if it is not among them. */
export function timezones(used: string): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return [...new Set([...(known.includes(used) ? [] : [used]), 'UTC', ...known])]
}
