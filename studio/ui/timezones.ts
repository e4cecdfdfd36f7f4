/**
 * Zones that were renamed, with the name that CLDR keeps for stability and browsers therefore list, and today's. The renamings are
 * those of the IANA database's `backward` file (2025b: https://data.iana.org/time-zones/tzdb-2025b/backward), as far as CLDR has not
 * followed: its names in `Intl.supportedValuesOf('timeZone')` that are missing in the database's `zone.tab`.
 */
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

const earlier = new Map(Object.entries(renamed).map(([before, now]) => [now, before]))

/** Today's name of a timezone, where this browser knows it. */
export function todaysName(timezone: string): string {
  const now = renamed[timezone]
  return now && isKnown(now) ? now : timezone
}

/** The timezones of this browser by today's names. The one in use keeps the name that it was saved with, and is shown by today's. */
export function timezones(used: string): { value: string; label: string }[] {
  const shown = todaysName(used)
  const names = new Set([shown, 'UTC', ...Intl.supportedValuesOf('timeZone').map(todaysName)])
  return [...names]
    .sort((a, b) => Number(b === 'UTC') - Number(a === 'UTC') || (a < b ? -1 : 1))
    .map((label) => ({ value: label === shown ? used : label, label }))
}

/** Whether a timezone has the words somewhere in its name, today's or an earlier one. */
export function fitsTimezone(label: string, search: string): boolean {
  const wanted = spelled(search).trim()
  return [label, earlier.get(label) ?? ''].some((name) => spelled(name).includes(wanted))
}

const spelled = (name: string): string => name.toLowerCase().replaceAll(/[_\s]+/g, ' ')

function isKnown(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch {
    return false
  }
}
