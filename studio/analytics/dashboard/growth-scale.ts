export interface Scale {
  low: number
  high: number
  /** Values of the grid lines, lowest first. */
  lines: number[]
}

/** A scale of round numbers around the values, with one to six lines. It includes zero only when the values are near it. */
export function scaleOf(values: readonly number[]): Scale {
  const least = Math.min(...values)
  const most = Math.max(...values)
  const step = roundStep(Math.max(most - least, most * 0.05, 1) / 3)
  const low = Math.max(0, Math.floor(least / step) * step - (least > step && least % step === 0 ? step : 0))
  const high = Math.max(low + step, Math.ceil(most / step) * step)
  const lines: number[] = []
  for (let line = low + step; line <= high; line += step) lines.push(line)
  return { low, high, lines }
}

/** The smallest of 1, 2 or 5 times a power of ten that is at least `size`. At least 1, because subscribers are counted. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, size)))
  const step = [1, 2, 5, 10].find((part) => part * power >= size) ?? 10
  return step * power
}

/** The days, as indexes, of at most `count` labels along `length` days, all the same number of days apart. The last day has one. */
export function spreadLabels(length: number, count: number): number[] {
  if (length <= 1) return [0]
  const step = Math.ceil((length - 1) / (count - 1))
  const first = (length - 1) % step
  return Array.from({ length: (length - 1 - first) / step + 1 }, (_, i) => first + i * step)
}

/** The days, as indexes, of the first and the last label along `length` days and of those between them, at most `count` and at least two, about evenly apart. */
export function endToEndLabels(length: number, count: number): number[] {
  const last = length - 1
  const parts = Math.min(last, Math.max(1, count - 1))
  return Array.from({ length: parts + 1 }, (_, i) => Math.round((i * last) / Math.max(1, parts)))
}
