import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Movement, movementsOf, type RevenueFacts, yearlyRevenue } from './revenue.ts'

const monthly: RevenueFacts = { way: 'card', status: 'active', period: 'month', amount: 600, currency: 'eur' }
const yearly: RevenueFacts = { ...monthly, period: 'year', amount: 5400 }
const ended: RevenueFacts = { ...monthly, status: 'ended' }

test.each<[string, RevenueFacts, number]>([
  ['a month counts twelve times', monthly, 7200],
  ['a year counts as it is', yearly, 5400],
  ['a renewal that failed counts until it ends', { ...monthly, status: 'past_due' }, 7200],
  ['a trial is no revenue', { ...monthly, status: 'trialing' }, 0],
  ['a pause is no revenue', { ...monthly, status: 'paused' }, 0],
  ['what is bought once does not recur', { ...monthly, period: 'once' }, 0],
  ['a gift does not recur', { ...monthly, way: 'gift' }, 0],
  ['a complimentary subscription is no revenue', { ...monthly, way: 'complimentary' }, 0],
  ['one that is paid outside by the year recurs', { ...yearly, way: 'outside' }, 5400],
])('%s', (_what, facts, sum) => {
  expect(yearlyRevenue(facts)).toBe(sum)
})

const trial: RevenueFacts = { ...monthly, status: 'trialing' }
const late: RevenueFacts = { ...monthly, status: 'past_due' }
const dollars: RevenueFacts = { ...monthly, currency: 'usd' }
const moved = (kind: Movement['kind'], sum: number, currency = 'eur'): Movement => ({ kind, currency, yearly: sum })

test.each<{ what: string; moves: Parameters<typeof movementsOf>; expected: Movement[] }>([
  { what: 'the first payment is new', moves: [null, monthly, 'never'], expected: [moved('new', 7200)] },
  { what: 'a trial that is paid is new', moves: [trial, monthly, 'never'], expected: [moved('new', 7200)] },
  { what: 'who paid before comes back', moves: [ended, monthly, 'before'], expected: [moved('reactivation', 7200)] },
  { what: 'the end is churn', moves: [monthly, ended, 'before'], expected: [moved('churn', -7200)] },
  { what: 'a dearer period is expansion', moves: [yearly, monthly, 'before'], expected: [moved('expansion', 1800)] },
  { what: 'a cheaper is contraction', moves: [monthly, yearly, 'before'], expected: [moved('contraction', -1800)] },
  { what: 'another one beside is expansion', moves: [null, monthly, 'beside'], expected: [moved('expansion', 7200)] },
  {
    what: 'the end of one of two is contraction',
    moves: [monthly, ended, 'beside'],
    expected: [moved('contraction', -7200)],
  },
  { what: 'a payment that fails moves nothing', moves: [monthly, late, 'before'], expected: [] },
  {
    what: 'another currency leaves one and joins the other',
    moves: [monthly, dollars, 'before'],
    expected: [moved('contraction', -7200), moved('expansion', 7200, 'usd')],
  },
])('$what', ({ moves, expected }) => {
  expect(movementsOf(...moves)).toEqual(expected)
})

test('the movements of any history add up to what is left', () => {
  const facts = fc.record({
    way: fc.constantFrom('card', 'outside', 'gift', 'complimentary'),
    status: fc.constantFrom('incomplete', 'trialing', 'active', 'past_due', 'paused', 'ended'),
    period: fc.constantFrom('month', 'year', 'once'),
    amount: fc.integer({ min: 0, max: 100_000 }),
    currency: fc.constantFrom('eur', 'usd'),
  }) satisfies fc.Arbitrary<RevenueFacts>
  fc.assert(
    fc.property(fc.array(facts, { minLength: 1 }), (history) => {
      const sums = { eur: 0, usd: 0 } as Record<string, number>
      history.forEach((after, index) => {
        for (const { currency, yearly: sum } of movementsOf(history[index - 1] ?? null, after, 'before'))
          sums[currency] = (sums[currency] ?? 0) + sum
      })
      const last = history.at(-1) as RevenueFacts
      expect(sums).toEqual({ eur: 0, usd: 0, [last.currency as string]: yearlyRevenue(last) })
    }),
  )
})
