import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { sponsorLink } from '../../links/shorten.ts'
import type { Filled, SponsorSlot } from '../../publications/document/sponsor-slots.ts'
import { translator } from '../../translator.ts'
import { bookingsOfDay } from '../bookings/bookings.ts'
import { houseAds, noteShown } from '../house/house.ts'
import { listPlacements } from '../placements.ts'
import type { BookingChanges } from '../tell.ts'
import { fillingOf, type Offer, type SlotAudience } from './filling.ts'

export interface SlotsAsked {
  slots: readonly SponsorSlot[]
  /** Of the newsletter's calendar. */
  day: string
  language: Language
  audience: SlotAudience
  at: Date
}

/** What can stand in these slots now. With `lock` it is locked until the transaction ends. */
export async function readOffer(
  db: Db,
  newsletter: NewsletterRow,
  { slots, day, language, audience, at, lock = false }: SlotsAsked & { lock?: boolean },
): Promise<Offer> {
  const placementIds = slots.map(({ placementId }) => placementId)
  return {
    ...{ slots, language, audience },
    placements: await listPlacements(db, newsletter.id),
    bookings: await bookingsOfDay(db, newsletter.id, { day, placementIds, lock }),
    house: await houseAds(db, newsletter.id, { language, at, lock }),
    houseDisclosure: translator(language)('document.ownNotice', { newsletter: newsletter.name }),
  }
}

/** What would stand in these slots now. With `lock`, what can stand there is locked until the transaction ends. */
export async function readFilling(
  db: Db,
  newsletter: NewsletterRow,
  asked: SlotsAsked & { lock?: boolean },
): Promise<Map<number, Filled[]>> {
  return asked.slots.length === 0 ? new Map() : fillingOf(await readOffer(db, newsletter, asked))
}

interface Filling extends SlotsAsked {
  publicationId: string
  changes: BookingChanges
}

/**
 * Fills the slots of a publication that goes out, in its transaction: what stands there is copied and stays as it is, each sponsor has a
 * link of their own, and the bookings have run. Of two publications of a day the first has them.
 */
export async function fillSlots(tx: Db, newsletter: NewsletterRow, asked: Filling): Promise<void> {
  if (asked.slots.length === 0) return
  const { publicationId, changes, at } = asked
  const newsletterId = newsletter.id
  const isCounted = newsletter.click_privacy !== 'off'
  const filling = await readFilling(tx, newsletter, { ...asked, lock: true })
  const stored: Record<string, Filled[]> = {}
  let place = 0
  for (const [placementId, sponsors] of filling) {
    const linked: Filled[] = []
    for (const filled of sponsors) {
      const link = { newsletterId, publicationId, target: filled.target, place: place++ }
      const linkId = isCounted ? await sponsorLink(tx, link) : null
      linked.push({ ...filled, linkId })
      const where = { publicationId, shortLinkId: linkId }
      if (filled.kind === 'booking')
        await changes.change(tx, { newsletterId, bookingId: filled.id }, { act: 'run', actor: 'system', at, where })
    }
    stored[placementId] = linked
  }
  const own = [...filling.values()].flat().filter(({ kind }) => kind === 'house')
  await noteShown(tx, newsletterId, { ids: own.map(({ id }) => id), at })
  await sql`
    update publication set sponsors = ${JSON.stringify(stored)}::jsonb, revision = revision + 1
    where newsletter_id = ${newsletterId} and id = ${publicationId}`.execute(tx)
}
