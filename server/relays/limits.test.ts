import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addUse, type Limits, returnPermits, takePermits, type Usage, unused, usedLately } from './limits.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const none: Limits = { perSecond: null, perHour: null, perDay: null }
const from = Date.UTC(2026, 10, 21, 9, 0)

test('without limits all wanted permits are given at once', () => {
  expect(takePermits(none, unused, { nowMs: from, wanted: 5_000 })).toMatchObject({
    permits: 5_000,
    everyMs: 0,
    startMs: from,
  })
})

test('a rate gives the permits of one second, evenly spaced, and the next ones a second later', () => {
  const first = takePermits({ ...none, perSecond: 20 }, unused, { nowMs: from, wanted: 200 })
  expect(first).toMatchObject({ permits: 20, everyMs: 50, startMs: from })
  const second = takePermits({ ...none, perSecond: 20 }, first.usage, { nowMs: from + 400, wanted: 200 })
  expect(second).toMatchObject({ permits: 0, nextMs: from + 1_000 })
  expect(takePermits({ ...none, perSecond: 20 }, first.usage, { nowMs: from + 1_000, wanted: 200 }).permits).toBe(20)
})

test('a rate can be less than one a second', () => {
  const { usage, permits } = takePermits({ ...none, perSecond: 0.5 }, unused, { nowMs: from, wanted: 10 })
  expect(permits).toBe(1)
  expect(takePermits({ ...none, perSecond: 0.5 }, usage, { nowMs: from + 1_999, wanted: 10 })).toMatchObject({
    permits: 0,
    nextMs: from + 2_000,
  })
  expect(takePermits({ ...none, perSecond: 0.5 }, usage, { nowMs: from + 2_000, wanted: 10 }).permits).toBe(1)
})

test('a caller that may wait gets a place in the queue', () => {
  const { usage } = takePermits({ ...none, perSecond: 10 }, unused, { nowMs: from, wanted: 10 })
  expect(takePermits({ ...none, perSecond: 10 }, usage, { nowMs: from, wanted: 1, aheadMs: 5_000 })).toMatchObject({
    permits: 1,
    startMs: from + 1_000,
  })
  expect(takePermits({ ...none, perSecond: 10 }, usage, { nowMs: from, wanted: 1, aheadMs: 500 }).permits).toBe(0)
})

test('an hour that is full opens again when its oldest span has left it', () => {
  const { usage, permits } = takePermits({ ...none, perHour: 100 }, unused, { nowMs: from + MINUTE, wanted: 150 })
  expect(permits).toBe(100)
  const full = takePermits({ ...none, perHour: 100 }, usage, { nowMs: from + 10 * MINUTE, wanted: 1 })
  expect(full).toMatchObject({ permits: 0, nextMs: from + 5 * MINUTE + HOUR })
  expect(takePermits({ ...none, perHour: 100 }, usage, { nowMs: full.nextMs, wanted: 1 }).permits).toBe(1)
})

test('returned permits can be taken again, and their instants too while nobody took later ones', () => {
  const limits = { perSecond: 10, perHour: 20, perDay: null }
  const first = takePermits(limits, unused, { nowMs: from, wanted: 10 })
  const back = returnPermits(first.usage, 6, { everyMs: first.everyMs, takenFreeAtMs: first.usage.freeAtMs })
  expect(takePermits(limits, back, { nowMs: from + 400, wanted: 10 })).toMatchObject({
    permits: 10,
    startMs: from + 400,
  })
  const second = takePermits(limits, first.usage, { nowMs: from + 1_000, wanted: 10 })
  expect(returnPermits(second.usage, 6, { everyMs: first.everyMs, takenFreeAtMs: first.usage.freeAtMs }).freeAtMs).toBe(
    second.usage.freeAtMs,
  )
  expect(usedLately(returnPermits(second.usage, 6, { everyMs: 100, takenFreeAtMs: 0 }), from).hour).toBe(14)
})

interface Step {
  afterMs: number
  wanted: number
  back: number
}

const steps = (longestMs: number) =>
  fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: longestMs }),
      wanted: fc.integer({ min: 1, max: 60 }),
      back: fc.integer({ min: 0, max: 60 }),
    }),
    { minLength: 1, maxLength: 120 },
  )

/** When each message left. */
function run(limits: Limits, all: Step[]): number[] {
  let use: Usage = unused
  let now = from
  return all.flatMap(({ afterMs, wanted, back }) => {
    now += afterMs
    const taken = takePermits(limits, use, { nowMs: now, wanted })
    const returned = Math.min(back, taken.permits)
    use =
      returned > 0
        ? returnPermits(taken.usage, returned, { everyMs: taken.everyMs, takenFreeAtMs: taken.usage.freeAtMs })
        : taken.usage
    return Array.from({ length: taken.permits - returned }, (_, index) => taken.startMs + index * taken.everyMs)
  })
}

const mostWithin = (times: number[], windowMs: number): number =>
  Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + windowMs).length))

test('never more than the limit in any hour, whenever it is asked and whatever is given back', () => {
  fc.assert(
    fc.property(steps(20 * MINUTE), fc.integer({ min: 1, max: 100 }), (all, perHour) => {
      expect(mostWithin(run({ ...none, perHour }, all), HOUR)).toBeLessThanOrEqual(perHour)
    }),
  )
})

test('never more than the limit in any day', () => {
  fc.assert(
    fc.property(steps(3 * HOUR), fc.integer({ min: 1, max: 200 }), (all, perDay) => {
      expect(mostWithin(run({ ...none, perDay }, all), DAY)).toBeLessThanOrEqual(perDay)
    }),
  )
})

test('never faster than the rate, across turns', () => {
  fc.assert(
    fc.property(steps(3_000), fc.integer({ min: 1, max: 400 }), (all, tenths) => {
      const times = run({ ...none, perSecond: tenths / 10 }, all)
      const gaps = times.slice(1).map((time, index) => time - (times[index] as number))
      expect(Math.min(Number.POSITIVE_INFINITY, ...gaps)).toBeGreaterThan((10_000 / tenths) * 0.999)
    }),
  )
})

test('all of a limit can be used: what fits is given when it opens', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 500 }), (perHour, wanted) => {
      let use: Usage = unused
      let now = from
      let left = wanted
      for (let turns = 0; left > 0; turns += 1) {
        expect(turns).toBeLessThan(2 * Math.ceil(wanted / perHour) + 2)
        const taken = takePermits({ ...none, perHour }, use, { nowMs: now, wanted: left })
        use = taken.usage
        left -= taken.permits
        now = taken.permits > 0 ? now : taken.nextMs
      }
      expect(now - from).toBeLessThanOrEqual(Math.ceil(wanted / perHour) * (HOUR + 5 * MINUTE))
    }),
  )
})

test('a year of use stays small, and the figures are those of the last hour and day', () => {
  let use: Usage = unused
  for (let minute = 0; minute < 5 * 24 * 60; minute += 1) use = addUse(use, 1, from + minute * MINUTE)
  expect(use.used.length).toBeLessThan(55)
  const { hour, day } = usedLately(use, from + 5 * DAY)
  expect(hour).toBeGreaterThanOrEqual(60)
  expect(hour).toBeLessThanOrEqual(65)
  expect(day).toBeGreaterThanOrEqual(24 * 60)
  expect(day).toBeLessThanOrEqual(25 * 60)
})
