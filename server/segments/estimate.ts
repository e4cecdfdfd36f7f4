/** The standard deviations within which 19 of 20 estimates lie. */
const NINETEEN_OF_TWENTY = 1.96

interface Counts {
  subscribers: number
  receive: number
  suppressed: number
  byHand: number
  onDigest: number
  paused: number
  pending: number
}

/**
 * What the counts are among all, when these were found among those who were drawn at random: two digits of each. `margin` is how far
 * `subscribers` may be off, in 19 of 20 cases (the normal approximation of a share, W. G. Cochran, “Sampling techniques”, chapter 3).
 */
export function estimateOf(
  found: Counts,
  { drawn, total }: { drawn: number; total: number },
): Counts & { margin: number } {
  const amongAll = (count: number) => twoDigits((count / drawn) * total)
  const share = found.subscribers / drawn
  return {
    subscribers: amongAll(found.subscribers),
    receive: amongAll(found.receive),
    suppressed: amongAll(found.suppressed),
    byHand: amongAll(found.byHand),
    onDigest: amongAll(found.onDigest),
    paused: amongAll(found.paused),
    pending: amongAll(found.pending),
    margin: twoDigits(NINETEEN_OF_TWENTY * Math.sqrt((share * (1 - share)) / drawn) * total),
  }
}

const twoDigits = (count: number): number => Math.round(Number(count.toPrecision(2)))
