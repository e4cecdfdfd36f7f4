/** Answers so far, and what they were at some moments of the last work, the oldest first. */
export interface Samples {
  answered: number
  /** Seconds since each moment. */
  ages: number[]
  sampled: number[]
}

/** Long enough that one batch more or less changes little, short enough that a change shows within seconds. */
const WINDOW_SECONDS = 15
/** Where fewer were answered within the window, it reaches further back: one mail a minute is a pace too. */
const FEW = 10

/**
 * Answers a second of late: over the last 15 seconds, or over as long as ten answers took when it goes slowly. While
 * nothing is answered it falls towards 0; null before the first answer.
 */
export function rateOf({ answered, ages, sampled }: Samples): number | null {
  const moments = ages.map((age, place) => ({ age, answers: answered - (sampled[place] ?? 0) }))
  const since = moments.findLast(({ age, answers }) => age >= WINDOW_SECONDS && answers >= FEW) ?? moments[0]
  if (!since) return null
  // The first moment of all is the first answer itself: nobody can tell a pace from a blink.
  return since.answers / Math.max(since.age, 1)
}

interface Left {
  /** Those whose turn comes, or is now. */
  waiting: number
  /** Those who were asked to come later. */
  later: number
  /** Until the first of them may be tried again. */
  laterInSeconds: number | null
}

/** So many may leave as fast as they can, and so many a second after that. */
interface Room {
  atOnce: number
  perSecond: number
}

/**
 * Seconds until the last one that can go has gone, at this pace and within the limits of the relays; those who come due
 * meanwhile are among them. Null when nobody's turn is left, or when nothing tells.
 */
export function secondsLeft(pace: number | null, { waiting, later, laterInSeconds }: Left, room: Room): number | null {
  if (!pace || waiting === 0) return null
  const lasts = (copies: number) => Math.max(copies / pace, Math.max(0, copies - room.atOnce) / room.perSecond)
  const seconds = lasts(waiting)
  return Math.ceil(laterInSeconds !== null && laterInSeconds < seconds ? lasts(waiting + later) : seconds)
}
