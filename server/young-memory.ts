import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/**
 * At this size V8's memory for new objects stops growing, which would go on to 64 MB. It may double once more before this
 * is seen. Sending does not become faster beyond it.
 */
const LARGE_ENOUGH = 8 * 1024 * 1024

/**
 * V8 doubles its memory for new objects when many of them stay. Loading the program would fill it several times with objects
 * that all stay, so it does not grow until then.
 */
export const holdYoungMemory = (): void => growBy(1)

/** From now on it grows until it is large enough, which V8 itself can be told only on the command line. */
export function releaseYoungMemory(): void {
  let factor = 2
  growBy(factor)
  new PerformanceObserver(() => {
    const wanted = sizeOfYoungMemory() < LARGE_ENOUGH ? 2 : 1
    if (wanted !== factor) growBy(wanted)
    factor = wanted
  }).observe({ entryTypes: ['gc'] })
}

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

const sizeOfYoungMemory = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
