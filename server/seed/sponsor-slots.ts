import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { sponsorLink } from '../links/shorten.ts'
import type { DocumentNode, PublicationDocument } from '../publications/document/schema.ts'
import type { Filled } from '../publications/document/sponsor-slots.ts'
import type { DatedPublication } from './publications.ts'
import { DAY } from './subscribers.ts'

interface Slots {
  newsletterId: string
  publications: DatedPublication[]
  now: number
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

/** A house campaign; the newest publication with the sponsors that ran in it; the next one, and a draft, with slots that fill themselves. */
export async function insertSlots(db: Db, { newsletterId, publications, now }: Slots): Promise<void> {
  const placements = await db
    .selectFrom('placement')
    .select(['id', 'place', 'words'])
    .where('newsletter_id', '=', newsletterId)
    .where('seats', '=', 1)
    .orderBy('position')
    .execute()
  const mailed = publications.filter(({ status, sample }) => status === 'sent' && !sample.webOnly).at(-1)
  if (mailed) await insertHouse(db, newsletterId, { now, shownAt: mailed.at })
  const next = publications.find(({ status }) => status === 'scheduled')
  const draft = publications.find(({ status }) => status === 'draft')
  const ids = placements.map(({ id }) => id)
  if (mailed) await writeSlots(db, newsletterId, { publicationId: mailed.id, ids })
  if (next) await writeSlots(db, newsletterId, { publicationId: next.id, ids })
  if (draft) await writeSlots(db, newsletterId, { publicationId: draft.id, ids: ids.slice(1) })
  if (mailed) await fillOfThePast(db, newsletterId, { publicationId: mailed.id, language: mailed.sample.language })
}

async function insertHouse(
  db: Db,
  newsletterId: string,
  { now, shownAt }: { now: number; shownAt: number },
): Promise<void> {
  const id = 'TideTable1'
  const created_at = new Date(now - 40 * DAY)
  await db
    .insertInto('campaign')
    .values({ newsletter_id: newsletterId, id, kind: 'house', name: house.name, created_at })
    .execute()
  await db
    .insertInto('house_campaign')
    .values({
      ...{ newsletter_id: newsletterId, id, words: JSON.stringify(house.words), target: house.target },
      ...{ shown: 3, shown_at: new Date(shownAt) },
    })
    .execute()
}

/** Puts the slots of these placements below the first block, and further ones in the middle. */
async function writeSlots(
  db: Db,
  newsletterId: string,
  { publicationId, ids }: { publicationId: string; ids: number[] },
): Promise<void> {
  const { content } = await db
    .selectFrom('publication')
    .select('content')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .executeTakeFirstOrThrow()
  const blocks: DocumentNode[] = [...((content as unknown as PublicationDocument).content ?? [])]
  const wall = blocks.findIndex(({ type }) => type === 'paywall')
  const seen = wall === -1 ? blocks.length : wall
  for (const [index, placementId] of ids.entries()) {
    const slot = { type: 'sponsorSlot', attrs: { placementId, hideFromPaid: true, filled: null } }
    blocks.splice(index === 0 ? 1 : Math.ceil(seen / 2) + index, 0, slot)
  }
  const document = JSON.stringify({ type: 'doc', content: blocks })
  await sql`update publication set content = ${document}::jsonb where newsletter_id = ${newsletterId} and id = ${publicationId}`.execute(
    db,
  )
  await keepAsSaved(db, newsletterId, publicationId)
}

const keepAsSaved = (db: Db, newsletterId: string, publicationId: string) =>
  sql`
    update publication_revision r set content = p.content from publication p
    where r.newsletter_id = ${newsletterId} and r.publication_id = ${publicationId}
      and p.newsletter_id = r.newsletter_id and p.id = r.publication_id`.execute(db)

/** What ran on the day of a publication stands in it. */
async function fillOfThePast(
  db: Db,
  newsletterId: string,
  { publicationId, language }: { publicationId: string; language: string },
): Promise<void> {
  const { rows } = await sql<{
    id: string
    placementId: number
    linkId: string | null
    disclosure: string
    creative: Omit<Filled, 'kind' | 'id' | 'linkId' | 'disclosure'>
  }>`
    select b.id, b.placement_id as "placementId", b.short_link_id as "linkId", b.creative,
      l.words -> ${language} ->> 'disclosure' as disclosure
    from booking b join placement l on l.newsletter_id = b.newsletter_id and l.id = b.placement_id
      join publication p on p.newsletter_id = b.newsletter_id and p.id = ${publicationId}
      join newsletter n on n.id = b.newsletter_id
    where b.newsletter_id = ${newsletterId} and b.state in ('ran', 'reported') and b.creative is not null
      and b.day = (p.published_at at time zone n.timezone)::date
    order by b.placement_id, b.seat`.execute(db)
  const sponsors: Record<string, Filled[]> = {}
  for (const [place, { id, placementId, linkId, disclosure, creative }] of rows.entries()) {
    const { target } = creative
    const link = linkId ?? (await sponsorLink(db, { newsletterId, publicationId, target, place }))
    await db
      .updateTable('booking')
      .set({ publication_id: publicationId, short_link_id: link })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', id)
      .execute()
    sponsors[placementId] = [
      ...(sponsors[placementId] ?? []),
      { kind: 'booking', id, linkId: link, disclosure, ...creative, image: creative.image ?? null },
    ]
  }
  await sql`
    update publication set sponsors = ${JSON.stringify(sponsors)}::jsonb
    where newsletter_id = ${newsletterId} and id = ${publicationId}`.execute(db)
  await keepAsSaved(db, newsletterId, publicationId)
}
