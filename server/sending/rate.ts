/** How many answers came so far, and how many there were at some earlier moments, the oldest first. */
export interface Samples {
  answered: number
  /** Seconds since each moment. */
  ages: number[]
  sampled: number[]
}

/** Long enough that one batch changes little, short enough that a change shows within seconds. */
const WINDOW_SECONDS = 15
/** With fewer answers within the window, it reaches further back: one mail a minute has a rate too. */
const FEW = 10

/**
 * Answers a second, over the last 15 seconds, or over the time that ten answers took when that is longer. While no answer
 * comes it falls towards 0. Null before the first answer.
 */
export function rateOf({ answered, ages, sampled }: Samples): number | null {
  const moments = ages.map((age, place) => ({ age, answers: answered - (sampled[place] ?? 0) }))
  const since = moments.findLast(({ age, answers }) => age >= WINDOW_SECONDS && answers >= FEW) ?? moments[0]
  if (!since) return null
  // The first moment is that of the first answer, and a rate over less than a second says nothing.
  return since.answers / Math.max(since.age, 1)
}

interface Left {
  /** Queued or being sent. */
  waiting: number
  /** Deferred by their relay. */
  later: number
  /** Until the first of those deferred may be tried again. */
  laterInSeconds: number | null
}

/** What the relays’ limits allow: so many without waiting, and so many a second after that. */
interface Allowance {
  atOnce: number
  perSecond: number
}

/**
 * Seconds until the last delivery that may leave has left, at this rate and within the limits of the relays. Deferred
 * ones that come due before then are counted. Null when none is queued, or while there is no rate.
 */
export function secondsLeft(
  rate: number | null,
  { waiting, later, laterInSeconds }: Left,
  allowance: Allowance,
): number | null {
  if (!rate || waiting === 0) return null
  const lasts = (deliveries: number) =>
    Math.max(deliveries / rate, Math.max(0, deliveries - allowance.atOnce) / allowance.perSecond)
  const seconds = lasts(waiting)
  return Math.ceil(laterInSeconds !== null && laterInSeconds < seconds ? lasts(waiting + later) : seconds)
}
