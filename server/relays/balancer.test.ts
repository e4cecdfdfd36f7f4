import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Balancer } from './balancer.ts'

const relays = (weights: number[]) => weights.map((weight, index) => ({ id: `relay${index}`, weight }))

test('messages converge to the weights, whatever the sizes of the turns', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 })
  const turns = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 300, maxLength: 300 })
  fc.assert(
    fc.property(weights, turns, (given, sizes) => {
      const all = relays(given)
      const shares = new Balancer()
      const got = new Map<string, number>()
      for (const size of sizes) {
        const [next] = shares.order(all)
        if (!next) throw new Error('nobody')
        shares.count(next, size)
        got.set(next.id, (got.get(next.id) ?? 0) + size)
      }
      const messages = sizes.reduce((sum, size) => sum + size, 0)
      const weight = given.reduce((sum, one) => sum + one, 0)
      for (const { id, weight: own } of all) {
        // Nobody is further ahead or behind than the turns of the others around one of its own.
        expect(Math.abs((got.get(id) ?? 0) - (messages * own) / weight)).toBeLessThan(200 * given.length)
      }
    }),
  )
})

test('who was away makes up for nothing', () => {
  const [one, two] = relays([1, 1]) as [{ id: string; weight: number }, { id: string; weight: number }]
  const shares = new Balancer()
  for (let turn = 0; turn < 100; turn += 1) shares.count(shares.order([one])[0] ?? one, 10)
  const next = Array.from({ length: 10 }, () => {
    const [first = one] = shares.order([one, two])
    shares.count(first, 10)
    return first.id
  })
  expect(next.filter((id) => id === two.id)).toHaveLength(5)
})

test('weight 0 comes last, and what is given back does not count', () => {
  const [spare, busy, idle] = relays([0, 5, 5]) as [{ id: string; weight: number }, never, never]
  const shares = new Balancer()
  shares.count(busy, 100)
  expect(shares.order([spare, busy, idle])).toEqual([idle, busy, spare])
  shares.count(idle, 200)
  shares.count(idle, -150)
  expect(shares.order([spare, busy, idle])[0]).toBe(idle)
})
