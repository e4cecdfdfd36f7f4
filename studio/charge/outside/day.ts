/** The day of a moment on this device, as a field of days has it. */
export const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`

/** A day is meant with all its hours. Null for no day. */
export const endOfDay = (day: string): string | null => (day === '' ? null : new Date(`${day}T23:59:59`).toISOString())

/** When money came: now for today, so that it does not lie ahead; else the noon of its day. */
export const momentOfDay = (day: string, now = new Date()): string =>
  day === dayOf(now) ? now.toISOString() : new Date(`${day}T12:00:00`).toISOString()

/** The same day so many months later. */
export function monthsLater(at: Date, months: number): string {
  const later = new Date(at)
  later.setMonth(later.getMonth() + months)
  return dayOf(later)
}
