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
  ['faster of late', { answered: 5_000, ages: [30, 16, 2], sampled: [0, 200, 4_400] }, 300],
  ['one a minute', { answered: 12, ages: [720, 660, 120, 60], sampled: [0, 1, 10, 11] }, 12 / 720],
  ['an hour of silence', { answered: 1_000, ages: [3_610, 3_600], sampled: [0, 900] }, 100 / 3_600],
])('the pace when %s', (_, samples, pace) => {
  const found = rateOf(samples)
  if (pace === null) expect(found).toBeNull()
  else expect(found).toBeCloseTo(pace, 6)
})

const open = { atOnce: Infinity, perSecond: Infinity }
const hourly = { atOnce: 100, perSecond: 0.5 }

test.each([
  ['nobody knows the pace', null, { waiting: 10, later: 0, laterInSeconds: null }, open, null],
  ['nothing is answered', 0, { waiting: 10, later: 0, laterInSeconds: null }, open, null],
  ['only those asked to come later are left', 5, { waiting: 0, later: 3, laterInSeconds: 300 }, open, null],
  ['it goes on', 20, { waiting: 1_001, later: 0, laterInSeconds: null }, open, 51],
  ['later is after the end', 20, { waiting: 1_000, later: 100, laterInSeconds: 300 }, open, 50],
  ['later is before the end', 20, { waiting: 1_000, later: 100, laterInSeconds: 30 }, open, 55],
  ['the relays have room for all', 20, { waiting: 100, later: 0, laterInSeconds: null }, hourly, 5],
  ['the relays have room for some', 20, { waiting: 1_100, later: 0, laterInSeconds: null }, hourly, 2_000],
])('the seconds left when %s', (_, pace, left, room, seconds) => {
  expect(secondsLeft(pace, left, room)).toBe(seconds)
})
