import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entitlementsOf, readableUntil, type SubscriptionFacts } from './entitlement.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, number))
const bought: SubscriptionFacts = {
  planId: 1,
  status: 'active',
  paidUntil: day(31),
  renews: true,
  pastDueSince: null,
  endedAt: null,
}

test.each<[string, Partial<SubscriptionFacts>, Date | 'for good' | null]>([
  ['one that renews is read through the days of grace, in case nothing is heard', {}, day(45)],
  ['one that was cancelled is read until the end of what was paid for', { renews: false }, day(31)],
  ['a trial that will be paid is read like one that renews', { status: 'trialing' }, day(45)],
  ['one that was bought for good has no end', { renews: false, paidUntil: null }, 'for good'],
  ['the days of grace begin when a renewal fails', { status: 'past_due', pastDueSince: day(10) }, day(24)],
  ['one that is paused is read until the end of what was paid for, and no day longer', { status: 'paused' }, day(31)],
  ['one that has ended was read until then', { status: 'ended', endedAt: day(7) }, day(7)],
  ['one whose first payment never came is not read', { status: 'incomplete' }, null],
])('%s', (_what, facts, until) => {
  expect(readableUntil({ ...bought, ...facts }, 14)).toEqual(until)
})

const moment = fc.date({ min: day(1), max: day(365), noInvalidDate: true })
const facts: fc.Arbitrary<SubscriptionFacts> = fc
  .record({
    planId: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom('incomplete', 'trialing', 'active', 'past_due', 'paused', 'ended'),
    paidUntil: fc.option(moment),
    renews: fc.boolean(),
    at: moment,
  })
  .map(({ at, ...rest }) => ({ ...rest, pastDueSince: at, endedAt: at }))

test('a further subscription takes nothing away, and no order of them matters', () => {
  fc.assert(
    fc.property(fc.array(facts), facts, fc.integer({ min: 0, max: 60 }), (some, one, grace) => {
      const before = entitlementsOf(some, grace)
      const after = entitlementsOf([one, ...some], grace)
      expect(entitlementsOf([...some, one], grace)).toEqual(after)
      for (const [plan, until] of before) {
        const now = after.get(plan)
        expect(now === 'for good' || (until !== 'for good' && now !== undefined && now >= until)).toBe(true)
      }
    }),
  )
})

test('a plan is readable as long as one of its subscriptions says so', () => {
  fc.assert(
    fc.property(fc.array(facts), moment, (some, at) => {
      const open = (until: Date | 'for good' | null | undefined) =>
        until === 'for good' || (until instanceof Date && until > at)
      const latest = entitlementsOf(some, 14)
      for (const plan of [1, 2, 3]) {
        const one = some.some((each) => each.planId === plan && open(readableUntil(each, 14)))
        expect(open(latest.get(plan))).toBe(one)
      }
    }),
  )
})
