import { expect, test } from 'vitest'
import { rateOf, type Samples, secondsLeft } from './rate.ts'

test.each<[string, Samples, number | null]>([
  ['nothing was answered yet', { answered: 0, ages: [], sampled: [] }, null],
  ['the first answers came this moment', { answered: 40, ages: [0], sampled: [0] }, 40],
  [
    'steady, 100 a second',
    { answered: 3_000, ages: [30, 20, 16, 10, 2], sampled: [0, 1_000, 1_400, 2_000, 2_800] },
    100,
  ],
  ['faster in the last seconds', { answered: 5_000, ages: [30, 16, 2], sampled: [0, 200, 4_400] }, 300],
  ['one a minute', { answered: 12, ages: [720, 660, 120, 60], sampled: [0, 1, 10, 11] }, 12 / 720],
  ['an hour of silence', { answered: 1_000, ages: [3_610, 3_600], sampled: [0, 900] }, 100 / 3_600],
])('the rate when %s', (_, samples, rate) => {
  const found = rateOf(samples)
  if (rate === null) expect(found).toBeNull()
  else expect(found).toBeCloseTo(rate, 6)
})

const unlimited = { atOnce: Infinity, perSecond: Infinity }
const hourly = { atOnce: 100, perSecond: 0.5 }

test.each([
  ['there is no rate yet', null, { waiting: 10, deferred: 0, deferredDueInSeconds: null }, unlimited, null],
  ['nothing is answered', 0, { waiting: 10, deferred: 0, deferredDueInSeconds: null }, unlimited, null],
  ['only deferred deliveries are left', 5, { waiting: 0, deferred: 3, deferredDueInSeconds: 300 }, unlimited, null],
  ['the rate stays the same', 20, { waiting: 1_001, deferred: 0, deferredDueInSeconds: null }, unlimited, 51],
  [
    'deferred ones are due after the end',
    20,
    { waiting: 1_000, deferred: 100, deferredDueInSeconds: 300 },
    unlimited,
    50,
  ],
  [
    'deferred ones are due before the end',
    20,
    { waiting: 1_000, deferred: 100, deferredDueInSeconds: 30 },
    unlimited,
    55,
  ],
  ['the limits of the relays allow all', 20, { waiting: 100, deferred: 0, deferredDueInSeconds: null }, hourly, 5],
  [
    'the limits of the relays allow some at once',
    20,
    { waiting: 1_100, deferred: 0, deferredDueInSeconds: null },
    hourly,
    2_000,
  ],
])('the seconds left when %s', (...[, rate, remaining, allowance, seconds]) => {
  expect(secondsLeft(rate, remaining, allowance)).toBe(seconds)
})
