/** The timezones this browser knows, with the one in use first in line if it is not among them. */
export function timezones(used: string): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return [...new Set([...(known.includes(used) ? [] : [used]), 'UTC', ...known])]
}
