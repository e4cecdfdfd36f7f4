/** Whether `name` is a timezone of this runtime, such as Europe/Paris. */
export function isTimezone(name: string): boolean {
  // Intl knows offsets such as +02:00. But they have no summer time, and PostgreSQL reads their sign the other way round.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
