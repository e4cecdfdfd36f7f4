/** Whether `name` is a timezone that this runtime can count in, such as Europe/Paris. */
export function isTimezone(name: string): boolean {
  // Offsets such as +02:00 are known to Intl, but know no summer time and mean the opposite to PostgreSQL.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
