import type { z } from 'zod'
import type { Language } from '../../languages.ts'
import type { Filled, SponsorSlot } from '../../publications/document/sponsor-slots.ts'
import type { AudienceChoice, SentTo } from '../../segments/contract.ts'
import type { StoredBooking } from '../bookings/bookings.ts'
import type { Placement } from '../contract.ts'
import { disclosureIn } from '../public/words.ts'

/** A house campaign in one language. */
export interface HouseAd {
  id: string
  name: string
  text: string
  label: string
  target: string
}

/** Whom a publication is mailed to; null: to nobody, it goes to the web only. */
export type SlotAudience = AudienceChoice | z.infer<typeof SentTo> | null

export interface Offer {
  slots: readonly SponsorSlot[]
  placements: readonly Placement[]
  /** Of the day of the publication. */
  bookings: readonly Pick<StoredBooking, 'id' | 'placementId' | 'seat' | 'state' | 'creative'>[]
  /** In the order in which they take turns. */
  house: readonly HouseAd[]
  language: Language
  /** Above a house campaign. */
  houseDisclosure: string
  audience: SlotAudience
}

/**
 * What stands in each slot: the approved bookings of its placement, in the order of their seats; else the house campaign whose turn it is,
 * each at most once in a publication; else nothing. Links are made later.
 */
export function fillingOf(offer: Offer): Map<number, Filled[]> {
  const turns = [...offer.house]
  return new Map(
    offer.slots.map((slot) => {
      const booked = runs(slot, offer.audience) ? bookedIn(slot, offer) : []
      if (booked.length > 0) return [slot.placementId, booked]
      const own = turns.shift()
      return [slot.placementId, own ? [houseFilled(own, offer.houseDisclosure)] : []]
    }),
  )
}

/** Whether a sponsor who booked this slot gets what they paid for: mails to somebody who sees it. */
const runs = ({ hideFromPaid }: Pick<SponsorSlot, 'hideFromPaid'>, audience: SlotAudience): boolean =>
  audience !== null && !(hideFromPaid && audience.kind === 'plan' && audience.plan !== 'free')

function bookedIn({ placementId }: SponsorSlot, { bookings, placements, language }: Offer): Filled[] {
  const placement = placements.find(({ id }) => id === placementId)
  if (!placement) return []
  return bookings
    .filter((booking) => booking.placementId === placementId && booking.state === 'approved')
    .toSorted((one, other) => one.seat - other.seat)
    .flatMap(({ id, creative }) => {
      if (!creative) return []
      const { name, text, label, target } = creative
      const disclosure = disclosureIn(placement, language)
      return [
        {
          kind: 'booking' as const,
          id,
          linkId: null,
          disclosure,
          name,
          text,
          label,
          target,
          image: creative.image ?? null,
        },
      ]
    })
}

const houseFilled = ({ id, name, text, label, target }: HouseAd, disclosure: string): Filled => ({
  ...{ kind: 'house', id, linkId: null, disclosure, name, text, label, target, image: null },
})
