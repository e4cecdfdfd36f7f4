import { expect, test } from 'vitest'
import { ConnectionCount } from './connection-count.ts'

/** Seconds of full work with a relay whose rate (messages a second) depends on the number of connections. */
function work(
  count: ConnectionCount,
  { from, seconds, rate }: { from: number; seconds: number; rate: (open: number) => number },
) {
  const seen = new Set<number>()
  for (let now = from; now < from + seconds * 1_000; now += 1_000 / rate(count.allowed(now))) {
    seen.add(count.allowed(now))
    count.answered(now, true)
  }
  return [...seen]
}

/** One message each 20 ms and connection, as far as the relay keeps up. */
const roundTrips = (most: number) => (open: number) => Math.min(open, most) * 50

test.each([
  ['a far relay gets more connections while each brings more', 40, roundTrips(1_000), [10, 13, 17, 22, 28, 35, 40], 40],
  ['never more than the owner’s limit', 12, roundTrips(1_000), [10, 12], 12],
  ['an owner’s limit below ten is where it begins', 4, roundTrips(1_000), [4], 4],
  ['a relay that is slow by itself gets no more', 40, roundTrips(10), [10, 13], 10],
  ['growth ends where it no longer helps', 40, roundTrips(17), [10, 13, 17, 22], 17],
  ['a near relay, whose messages take less than 5 ms, gets no more', 40, (open: number) => open * 1_000, [10], 10],
] as const)('%s', (...[, most, rate, seen, last]) => {
  const count = new ConnectionCount(most)
  expect(work(count, { from: 1_000, seconds: 5.5, rate })).toEqual(seen)
  expect(count.allowed(6_000)).toBe(last)
})

test('what did not help is tried again later and later', () => {
  const count = new ConnectionCount(40)
  work(count, { from: 0, seconds: 3, rate: roundTrips(10) })
  expect(work(count, { from: 3_000, seconds: 2, rate: roundTrips(10) })).toEqual([10])
  expect(work(count, { from: 5_000, seconds: 3, rate: roundTrips(10) })).toEqual([10, 13])
  expect(work(count, { from: 8_000, seconds: 7, rate: roundTrips(10) })).toEqual([10])
})

test('a time with little work says nothing about the rate', () => {
  const count = new ConnectionCount(40)
  for (let now = 0; now < 60_000; now += 20) count.answered(now, false)
  for (let now = 3_600_000; now < 3_600_400; now += 2) count.answered(now, true)
  expect(count.allowed(3_600_400)).toBe(10)
})

test('a relay that takes two connections gets two, and one more is tried after 5 seconds, then 10 …', () => {
  const count = new ConnectionCount(20)
  for (let open = 9; open >= 2; open--) count.refused(open, 0)
  expect([count.allowed(4_999), count.allowed(5_000)]).toEqual([2, 3])
  count.refused(2, 5_000)
  expect([count.allowed(14_999), count.allowed(15_000)]).toEqual([2, 3])
})

test('a relay that takes connections again gets them one after the other', () => {
  const count = new ConnectionCount(20)
  count.refused(0, 0)
  expect(count.allowed(0)).toBe(1)
  for (let open = 2; open <= 10; open++) {
    expect(count.allowed(6_000)).toBe(open)
    count.opened(open)
  }
  expect(count.allowed(6_000)).toBe(10)
})
