/** The number of answers so far, and the numbers at some earlier moments, the oldest first. */
export interface Samples {
  answered: number
  /** Seconds since each moment. */
  ages: number[]
  sampled: number[]
}

/** One batch changes a rate over this time only a little, and a change of speed is still visible within seconds. */
const WINDOW_SECONDS = 15
/** With fewer answers than this, a longer time is used, so that one mail a minute has a rate too. */
const MIN_ANSWERS = 10

/**
 * Answers a second, measured over the last 15 seconds, or over the time of the last ten answers when that is longer. The rate
 * falls towards 0 while no answer comes. Null before the first answer.
 */
export function rateOf({ answered, ages, sampled }: Samples): number | null {
  const moments = ages.map((age, place) => ({ age, answers: answered - (sampled[place] ?? 0) }))
  const since = moments.findLast(({ age, answers }) => age >= WINDOW_SECONDS && answers >= MIN_ANSWERS) ?? moments[0]
  if (!since) return null
  // The oldest moment is that of the first answer. A rate over less than a second would be too high.
  return since.answers / Math.max(since.age, 1)
}

interface Remaining {
  /** Queued or being sent. */
  waiting: number
  /** Deferred by their relay. */
  deferred: number
  /** Seconds until the first deferred one may be tried again. */
  deferredDueInSeconds: number | null
}

/** What the limits of the relays allow: `atOnce` deliveries without waiting, then `perSecond`. */
interface Allowance {
  atOnce: number
  perSecond: number
}

/**
 * Seconds until all queued deliveries are sent, at this rate and within the limits of the relays. Deferred deliveries count too
 * when they are due before then. Null when nothing is queued, or when there is no rate.
 */
export function secondsLeft(
  rate: number | null,
  { waiting, deferred, deferredDueInSeconds }: Remaining,
  allowance: Allowance,
): number | null {
  if (!rate || waiting === 0) return null
  const secondsFor = (deliveries: number) =>
    Math.max(deliveries / rate, Math.max(0, deliveries - allowance.atOnce) / allowance.perSecond)
  const seconds = secondsFor(waiting)
  return Math.ceil(
    deferredDueInSeconds !== null && deferredDueInSeconds < seconds ? secondsFor(waiting + deferred) : seconds,
  )
}
