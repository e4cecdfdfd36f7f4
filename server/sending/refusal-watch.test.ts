import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type History, type Refusal, RefusalWatch } from './refusal-watch.ts'

const none: History = { accepted: 0, refused: 0 }

/** The refusals in a row after which the watch stops a sending. */
function inARow(watch: RefusalWatch, of: Refusal): number {
  for (let count = 1; count < 1_000; count += 1) if (watch.refused(of)) return count
  throw new Error('it never stops')
}

test.each([
  ['other', none, 10],
  ['address', none, 19],
  ['other', { accepted: 9_900, refused: 100 }, 10],
  ['other', { accepted: 800, refused: 200 }, 18],
  ['other', { accepted: 1, refused: 9 }, 10],
] as const)('refusals (%s) with the history %j: %i in a row stop it', (of, history, count) => {
  expect(inARow(new RefusalWatch(history), of)).toBe(count)
})

test('a relay takes nothing once it has put off 50 copies for as long as it is given, and none of them was taken', () => {
  const watch = new RefusalWatch(none)
  for (let count = 1; count < 50; count += 1) expect(watch.turnedAway(count, 10)).toBe(false)
  expect(watch.turnedAway(50, 10)).toBe(true)
  expect(watch.turnedAway(51, 100)).toBe(false)
  watch.accepted()
  for (let count = 0; count < 49; count += 1) expect(watch.turnedAway(1_000 + count, 10)).toBe(false)
})

test('a million acceptances before change nothing: trouble in the middle is noticed as quickly', () => {
  const watch = new RefusalWatch(none)
  for (let count = 0; count < 1_000_000; count += 1) watch.accepted()
  expect(inARow(watch, 'other')).toBe(10)
})

test('whoever believes the relay is not stopped by addresses that do not exist, and still by others', () => {
  const watch = new RefusalWatch(none, { trusting: true })
  for (let count = 0; count < 1_000; count += 1) expect(watch.refused('address')).toBe(false)
  expect(inARow(watch, 'other')).toBe(10)
})

/** A generator of chances (mulberry32), so that a failure can be repeated. */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('for every order of answers', () => {
  test('a twentieth of wrong addresses among 100,000 stops nothing', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const [watch, chance] = [new RefusalWatch(none), chances(seed)]
        for (let count = 0; count < 100_000; count += 1) {
          if (chance() >= 0.05) watch.accepted()
          else expect(watch.refused(chance() < 0.5 ? 'address' : 'other')).toBe(false)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('when all are refused, it stops within 19 answers, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 500 }), (before) => {
        const watch = new RefusalWatch(none)
        for (const accepted of before) {
          if (accepted) watch.accepted()
          else if (watch.refused('address')) return
        }
        expect(inARow(watch, 'address')).toBeLessThanOrEqual(19)
      }),
    )
  })
})

test('a sending is proven by an acceptance, and by many that are asked to wait', () => {
  const accepted = new RefusalWatch(none)
  expect(accepted.isProven).toBe(false)
  accepted.accepted()
  expect(accepted.isProven).toBe(true)
  const deferred = new RefusalWatch(none)
  for (let count = 0; count < 20; count += 1) deferred.deferred()
  expect(deferred.isProven).toBe(true)
  const refused = new RefusalWatch(none)
  for (let count = 0; count < 18; count += 1) refused.refused('address')
  expect(refused.isProven).toBe(false)
})
