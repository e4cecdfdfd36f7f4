const DAY_MS = 86_400_000

/** Whether what a sponsor says of a placement on a day can still come in time, so that the day can be asked for. */
export const isInTime = (day: string, { leadDays }: { leadDays: number }, today: string): boolean =>
  Date.parse(day) - leadDays * DAY_MS >= Date.parse(today)
