import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DocumentNode, PublicationDocument } from '../publications/document/schema.ts'
import type { Filled, Filling } from '../publications/document/sponsor-slots.ts'
import type { DatedPublication } from './publications.ts'
import { DAY } from './subscribers.ts'

interface Slots {
  newsletterId: string
  publications: DatedPublication[]
  now: number
}

interface Slot {
  id: number
  place: 'top' | 'middle'
}

const house = {
  name: 'The tide table for the wall',
  words: {
    en: {
      name: 'The tide table for the wall',
      text: 'A year of tides on one sheet, printed in Douarnenez and posted flat. Readers of Low Water pay the postage and nothing else.',
      label: 'Ask for one',
    },
    fr: {
      name: 'L’annuaire des marées, au mur',
      text: 'Une année de marées sur une seule feuille, imprimée à Douarnenez et envoyée à plat. Nos lecteurs ne paient que le port.',
      label: 'En demander une',
    },
  },
  target: 'https://lowwater.example/tide-table',
}

/** A house campaign that waits for its first turn; publications with the sponsors that ran in them; the next one, and a draft, with slots that fill themselves. */
export async function insertSlots(db: Db, { newsletterId, publications, now }: Slots): Promise<void> {
  await insertHouse(db, newsletterId, now)
  const { rows: slots } = await sql<Slot>`
    select id, place from placement where newsletter_id = ${newsletterId} and seats = 1 order by position`.execute(db)
  for (const { id: publicationId, status } of publications) {
    if (status !== 'sent') continue
    const sponsors = await readRan(db, newsletterId, publicationId)
    const ran = slots.filter(({ id }) => id in sponsors)
    // Everybody has followed their links, so everybody has seen them.
    await writeSlots(db, newsletterId, { publicationId, slots: ran, hideFromPaid: false, sponsors })
  }
  const next = publications.find(({ status }) => status === 'scheduled')
  const draft = publications.find(({ status }) => status === 'draft')
  if (next) await writeSlots(db, newsletterId, { publicationId: next.id, slots })
  if (draft)
    await writeSlots(db, newsletterId, {
      publicationId: draft.id,
      slots: slots.filter(({ place }) => place === 'middle'),
    })
}

async function insertHouse(db: Db, newsletterId: string, now: number): Promise<void> {
  const id = 'TideTable1'
  await db
    .insertInto('campaign')
    .values({ newsletter_id: newsletterId, id, kind: 'house', name: house.name, created_at: new Date(now - 3 * DAY) })
    .execute()
  await db
    .insertInto('house_campaign')
    .values({ newsletter_id: newsletterId, id, words: JSON.stringify(house.words), target: house.target })
    .execute()
}

/** What ran in a publication, by its placement. */
async function readRan(db: Db, newsletterId: string, publicationId: string): Promise<Filling> {
  const { rows } = await sql<{ placementId: number; filled: Filled }>`
    select b.placement_id as "placementId", b.creative || jsonb_build_object('kind', 'booking', 'id', b.id, 'linkId', b.short_link_id,
      'disclosure', l.words -> p.language ->> 'disclosure') as filled
    from booking b join placement l on l.newsletter_id = b.newsletter_id and l.id = b.placement_id
      join publication p on p.newsletter_id = b.newsletter_id and p.id = b.publication_id
    where b.newsletter_id = ${newsletterId} and b.publication_id = ${publicationId}`.execute(db)
  return Object.fromEntries(rows.map(({ placementId, filled }) => [placementId, [filled]]))
}

interface Written {
  publicationId: string
  slots: Slot[]
  hideFromPaid?: boolean
  sponsors?: Filling | null
}

/** Puts slots into a publication: the one of the top below the first block, the other in the middle of what everybody can read. */
async function writeSlots(
  db: Db,
  newsletterId: string,
  { publicationId, slots, hideFromPaid = true, sponsors = null }: Written,
): Promise<void> {
  if (slots.length === 0) return
  const { content } = await db
    .selectFrom('publication')
    .select('content')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .executeTakeFirstOrThrow()
  const blocks: DocumentNode[] = [...((content as unknown as PublicationDocument).content ?? [])]
  const wall = blocks.findIndex(({ type }) => type === 'paywall')
  const seen = wall === -1 ? blocks.length : wall
  for (const [index, { id: placementId, place }] of slots.entries()) {
    const slot = { type: 'sponsorSlot', attrs: { placementId, hideFromPaid, filled: null } }
    blocks.splice(place === 'top' ? 1 : Math.ceil(seen / 2) + index, 0, slot)
  }
  const document = JSON.stringify({ type: 'doc', content: blocks })
  await sql`
    update publication set content = ${document}::jsonb, sponsors = ${sponsors && JSON.stringify(sponsors)}::jsonb
    where newsletter_id = ${newsletterId} and id = ${publicationId}`.execute(db)
  await sql`
    update publication_revision r set content = p.content from publication p
    where r.newsletter_id = ${newsletterId} and r.publication_id = ${publicationId}
      and p.newsletter_id = r.newsletter_id and p.id = r.publication_id`.execute(db)
}
