import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { mediaAddress } from '../media/address.ts'
import { bookingsOfDay } from '../sponsorship/bookings/bookings.ts'
import { comingDays } from '../sponsorship/bookings/coming.ts'
import { dayAt } from '../sponsorship/days.ts'
import { listPlacements } from '../sponsorship/placements.ts'
import { readOffer } from '../sponsorship/slots/fill.ts'
import { fillingOf, type Offer } from '../sponsorship/slots/filling.ts'
import type { readSlots } from './contract.ts'
import type { Filled, Filling, SponsorSlot } from './document/sponsor-slots.ts'
import { plannedTime } from './going-out.ts'
import { findRenderable } from './queries.ts'

type Reply = z.input<typeof readSlots.reply>

interface Asked extends z.output<typeof readSlots.query> {
  publicationId: string
}

/**
 * What each placement carries in a publication: what stood there when it went out, else what would, at the time that is asked for, when it is
 * planned, or now. Each placement for which it has no slot yet is said as if that one were put at its end.
 *
 * @throws AppError publication_not_found
 */
export async function slotsOfPublication(
  { db, config, now }: Pick<Context, 'db' | 'config' | 'now'>,
  newsletter: NewsletterRow,
  { publicationId, at: asked, channel }: Asked,
): Promise<Reply> {
  const publication = await findRenderable(db, newsletter.id, publicationId)
  const { sponsor_slots: own, published_at, language } = publication
  const planned = asked ? new Date(asked) : plannedTime(newsletter, publication, now())
  const at = published_at ?? planned ?? now()
  const day = dayAt(newsletter, at)
  const placements = await listPlacements(db, newsletter.id)
  const isOwn = (id: number) => own.some(({ placementId }) => placementId === id)
  const placementIds = placements.map(({ id }) => id)
  const bookings = await bookingsOfDay(db, newsletter.id, { day, placementIds, lock: false })
  const isBooked = (id: number) => bookings.some(({ placementId }) => placementId === id)
  // What was sold before its placement was closed runs all the same.
  const others = placements.filter(({ id, closedAt }) => !isOwn(id) && (closedAt === null || isBooked(id)))
  const slots: SponsorSlot[] = [...own, ...others.map(({ id }) => ({ placementId: id, hideFromPaid: false }))]
  const audience = channel === 'web' ? null : ({ kind: 'everyone' } as const)
  const filling = published_at
    ? (publication.sponsors ?? {})
    : fillingOfEach(own, await readOffer(db, newsletter, { slots, day, language, audience, at }))
  const isShown = (id: number) => slots.some(({ placementId }) => placementId === id)
  const today = dayAt(newsletter, now())
  const coming = published_at ? [] : await comingDays(db, newsletter.id, { publicationId, day, today })
  return {
    day,
    isDayOpen: !published_at && !planned,
    hideFromPaid: newsletter.sponsors_hidden_from_paid,
    slots: placements
      .filter(({ id }) => isShown(id))
      .map(({ id, words, place }) => ({
        ...{ placementId: id, words, place, inPublication: isOwn(id) },
        sponsors: (filling[id] ?? []).map((filled) => presentFilled(config, filled)),
        waiting: bookings
          .filter((booking) => booking.placementId === id && !standsIn(filling, booking.id))
          .map(({ id: bookingId, sponsor, state }) => ({ bookingId, sponsor, state })),
        coming: coming.filter(({ placementId }) => placementId === id).map(({ placementId: _, ...sold }) => sold),
      })),
  }
}

/** Of the publication's own slots together, and of each other one as if it alone were added to them. */
function fillingOfEach(own: readonly SponsorSlot[], offer: Offer): Filling {
  const added = offer.slots.slice(own.length).map((slot) => {
    const filled = fillingOf({ ...offer, slots: [...own, slot] }).get(slot.placementId) ?? []
    return [slot.placementId, filled] as const
  })
  return Object.fromEntries([...fillingOf({ ...offer, slots: own }), ...added])
}

const standsIn = (filling: Filling, bookingId: string): boolean =>
  Object.values(filling).some((sponsors) => sponsors.some(({ id }) => id === bookingId))

/** In the editor. */
const PICTURE_WIDTH = 600

const presentFilled = (config: Context['config'], { linkId: _, image, ...filled }: Filled) => ({
  ...filled,
  image: image && { url: mediaAddress(config, image.mediaId, PICTURE_WIDTH), alt: image.alt },
})
