export interface Scale {
  low: number
  high: number
  /** Values to draw a line at, lowest first. */
  lines: number[]
}

/** A round scale around values, with at most four lines; zero is only in it when the values come near. */
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

/** 1, 2 or 5 times a power of ten, the first that is not smaller than `size`; never under 1, for people are whole. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, size)))
  const step = [1, 2, 5, 10].find((part) => part * power >= size) ?? 10
  return step * power
}

/** The places of about `count` labels along `length` days, first and last among them. */
export function spreadLabels(length: number, count: number): number[] {
  if (length <= 1) return [0]
  const labels = Math.min(count, length)
  return Array.from({ length: labels }, (_, i) => Math.round((i * (length - 1)) / (labels - 1)))
}
