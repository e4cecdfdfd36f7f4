import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookingStates } from '../bookings/contract.ts'
import type { Placement } from '../contract.ts'
import { fillingOf, type Offer, type SlotAudience } from './filling.ts'

const everyone: SlotAudience = { kind: 'everyone' }
const audiences: SlotAudience[] = [everyone, null, { kind: 'plan', plan: 'paid' }, { kind: 'plan', plan: 'free' }]

const placement = (id: number): Placement => ({
  ...{ id, place: 'top', maxWords: 40, takesImage: false, seats: 6, leadDays: 0, prices: {}, closedAt: null },
  words: { en: { name: `P${id}`, disclosure: `Sponsor of ${id}` } },
})
const creative = (name: string) => ({ name, text: name, label: name, target: 'https://example.org/', image: null })

const offer: fc.Arbitrary<Offer> = fc.record({
  slots: fc.uniqueArray(fc.record({ placementId: fc.integer({ min: 1, max: 5 }), hideFromPaid: fc.boolean() }), {
    selector: ({ placementId }) => placementId,
  }),
  placements: fc.constant([1, 2, 3, 4].map(placement)),
  bookings: fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      placementId: fc.integer({ min: 1, max: 5 }),
      seat: fc.integer({ min: 1, max: 6 }),
      state: fc.constantFrom(...bookingStates),
      creative: fc.option(fc.string({ minLength: 1 }).map(creative)),
    }),
    { selector: ({ placementId, seat }) => `${placementId} ${seat}` },
  ),
  house: fc.uniqueArray(
    fc.uuid().map((id) => ({ id, ...creative('us') })),
    { selector: ({ id }) => id, maxLength: 4 },
  ),
  language: fc.constantFrom('en', 'fr'),
  houseDisclosure: fc.constant('From us'),
  audience: fc.constantFrom(...audiences),
})

test('a slot carries exactly the approved bookings of its placement, in the order of their seats', () => {
  fc.assert(
    fc.property(offer, (given) => {
      const filling = fillingOf({ ...given, audience: everyone })
      for (const { placementId } of given.slots) {
        const approved = given.bookings
          .filter((one) => one.placementId === placementId && one.state === 'approved' && one.creative)
          .toSorted((one, other) => one.seat - other.seat)
        const expected = placementId <= 4 ? approved.map(({ id }) => id) : []
        const carried = (filling.get(placementId) ?? []).filter(({ kind }) => kind === 'booking')
        expect(carried.map(({ id }) => id)).toEqual(expected)
        expect(new Set(carried.map(({ disclosure }) => disclosure))).toEqual(
          new Set(expected.length > 0 ? [`Sponsor of ${placementId}`] : []),
        )
      }
    }),
  )
})

test('nothing stands twice in a publication, and a house campaign only where nobody booked', () => {
  fc.assert(
    fc.property(offer, (given) => {
      const filling = [...fillingOf(given).values()]
      const ids = filling.flat().map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const sponsors of filling)
        if (sponsors.some(({ kind }) => kind === 'house')) expect(sponsors).toHaveLength(1)
      // They take turns in the order in which they come.
      const own = filling.flat().filter(({ kind }) => kind === 'house')
      expect(own.map(({ id }) => id)).toEqual(given.house.slice(0, own.length).map(({ id }) => id))
    }),
  )
})

test('a booking runs for nobody who does not see it', () => {
  fc.assert(
    fc.property(offer, (given) => {
      const filling = fillingOf(given)
      for (const { placementId, hideFromPaid } of given.slots) {
        const toPaid = given.audience?.kind === 'plan' && given.audience.plan !== 'free'
        const unseen = given.audience === null || (hideFromPaid && toPaid)
        const carried = (filling.get(placementId) ?? []).filter(({ kind }) => kind === 'booking')
        if (unseen) expect(carried).toEqual([])
      }
    }),
  )
})

test('the image that a sponsor sent in goes with the words', () => {
  const image = { mediaId: 'm1', alt: 'A rope' }
  const booking = { id: 'b', placementId: 1, seat: 1, state: 'approved' as const }
  const given: Offer = {
    slots: [{ placementId: 1, hideFromPaid: false }],
    placements: [placement(1)],
    bookings: [{ ...booking, creative: { ...creative('Brindle'), image } }],
    ...{ house: [], language: 'fr', houseDisclosure: '', audience: everyone },
  }
  expect(fillingOf(given).get(1)).toMatchObject([{ name: 'Brindle', image, disclosure: 'Sponsor of 1' }])
})
