import { expect, test } from 'vitest'
import { Allowance, type Carrier } from './allowance.ts'

/** A connection on which everything up to `limit` is answered. Carries what it may, and says how much that was. */
function carryAll(allowance: Allowance, limit = Number.POSITIVE_INFINITY): number {
  const connection = { carried: 0, answered: 0 }
  while (allowance.permits(connection)) {
    connection.carried += 1
    allowance.given(connection)
    if (connection.carried > limit) {
      allowance.refused(connection)
      break
    }
    connection.answered += 1
    allowance.bore(connection)
  }
  allowance.left(connection)
  return connection.carried
}

test('a relay that bears everything gets 1,000 at most', () => {
  const allowance = new Allowance(1_000)
  expect(allowance.messages).toBe(100)
  expect(carryAll(allowance)).toBe(1_000)
  expect(allowance.messages).toBe(1_000)
})

test('an own limit below the usual one is kept, and never tried', () => {
  const allowance = new Allowance(4)
  for (let n = 0; n < 50; n++) expect(carryAll(allowance)).toBe(4)
})

test('after a refusal, connections carry what the relay bore, and more is tried after 32 of them, then 64 …', () => {
  const allowance = new Allowance(1_000)
  const carried = Array.from({ length: 200 }, () => carryAll(allowance, 100))
  const tries = carried.flatMap((messages, n) => (messages > 100 ? [n] : []))
  expect(tries).toEqual([0, 32, 96])
  expect(allowance.messages).toBe(100)
})

test('a relay that refused once because it was restarted bears more again', () => {
  const allowance = new Allowance(1_000)
  carryAll(allowance, 7)
  expect(allowance.messages).toBe(7)
  for (let n = 0; n < 32; n++) carryAll(allowance)
  expect(allowance.messages).toBe(1_000)
})

test('only one connection at a time is tried with more', () => {
  const allowance = new Allowance(1_000)
  const first: Carrier & { carried: number } = { carried: 100, answered: 100 }
  const second: Carrier = { carried: 100, answered: 100 }
  expect([allowance.permits(first), allowance.permits(second)]).toEqual([true, true])
  first.carried += 1
  allowance.given(first)
  expect([allowance.permits(first), allowance.permits(second)]).toEqual([false, false])
  expect(allowance.isTrying).toBe(true)
  expect(allowance.left(first)).toBe(true)
  expect(allowance.permits(second)).toBe(true)
})

test('a refusal that another connection repeats for the same message is forgotten', () => {
  const allowance = new Allowance(1_000)
  allowance.refused({ carried: 3, answered: 2 })
  expect(allowance.messages).toBe(2)
  allowance.mistaken()
  expect(allowance.messages).toBe(100)
  expect(carryAll(allowance)).toBe(1_000)
})
