import { expect, test } from 'vitest'
import { nextPlace } from './price-draft.ts'

const month = { currency: 'gbp', period: 'month' } as const
const year = { currency: 'gbp', period: 'year' } as const
const once = { currency: 'gbp', period: 'once' } as const

test('a further price begins in the currency of the last one, and in the next currency once that has them all', () => {
  expect(nextPlace([], ['eur', 'gbp'])).toEqual({ currency: 'eur', period: 'month' })
  expect(nextPlace([month], ['eur', 'gbp'])).toEqual(year)
  expect(nextPlace([month, year, once], ['eur', 'gbp'])).toEqual({ currency: 'eur', period: 'month' })
  expect(nextPlace([month, year, once], ['gbp'])).toBeUndefined()
})
