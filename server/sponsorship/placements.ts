import { type Kysely, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { containing } from '../database/containing.ts'
import type { DB, Placement as PlacementTable } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { holdingStates } from './bookings/state.ts'
import {
  type createPlacement,
  type Placement,
  PlacementPrices,
  PlacementWords,
  SponsorFigure,
  type SponsorshipSettings,
  SponsorWords,
  sponsorshipLimits,
  type updatePlacement,
  type updateSponsorship,
} from './contract.ts'

export interface PlacementKey {
  newsletterId: string
  placementId: number
}

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

const shown = (row: Selectable<PlacementTable>): Placement => ({
  id: row.id,
  words: PlacementWords.parse(row.words),
  place: row.place,
  maxWords: row.max_words,
  takesImage: row.takes_image,
  seats: row.seats,
  leadDays: row.lead_days,
  prices: PlacementPrices.parse(row.prices),
  closedAt: row.closed_at?.toISOString() ?? null,
})

/** Those that can be bought come first, then those that were closed. */
export async function listPlacements(db: Db, newsletterId: string): Promise<Placement[]> {
  const rows = await db
    .selectFrom('placement')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .orderBy(sql`closed_at is not null`)
    .orderBy(sql`array_position('{top,middle,end}', place)`)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(shown)
}

/** Those with a part of their name in any language; what is sold comes first. */
export async function findPlacementsByName(
  db: Db,
  newsletterId: string,
  { search, limit }: { search: string; limit: number },
): Promise<Pick<Placement, 'id' | 'words'>[]> {
  const { rows } = await sql<{ id: number; words: unknown }>`
    select id, words from placement where newsletter_id = ${newsletterId}
      and exists (select from jsonb_each(words) w where w.value ->> 'name' ~* ${containing(search)})
    order by closed_at is not null, position, id limit ${limit}`.execute(db)
  return rows.map(({ id, words }) => ({ id, words: PlacementWords.parse(words) }))
}

/** @throws AppError placement_not_found */
export async function findPlacement(db: Db, { newsletterId, placementId }: PlacementKey): Promise<Placement> {
  const row = await db
    .selectFrom('placement')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', placementId)
    .executeTakeFirst()
  if (!row) throw new AppError('placement_not_found')
  return shown(row)
}

type Values = Partial<z.output<typeof updatePlacement.body>>

const columnsOf = ({ words, prices, place, ...values }: Values) => ({
  ...(words && { words: JSON.stringify(words) }),
  ...(prices && { prices: JSON.stringify(prices) }),
  ...(place && { place }),
  ...(values.maxWords !== undefined && { max_words: values.maxWords }),
  ...(values.takesImage !== undefined && { takes_image: values.takesImage }),
  ...(values.seats !== undefined && { seats: values.seats }),
  ...(values.leadDays !== undefined && { lead_days: values.leadDays }),
})

/** @throws AppError too_many_placements */
export const addPlacement = (
  { db }: Clocked,
  newsletterId: string,
  { words, place, maxWords, ...values }: z.output<typeof createPlacement.body>,
): Promise<Placement> =>
  db.transaction().execute(async (tx) => {
    // Requests at the same moment are counted one after the other.
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
    const { rows } = await sql<{ placements: number; position: number }>`
      select count(*) as placements, coalesce(max(position) + 1, 0) as position
      from placement where newsletter_id = ${newsletterId}`.execute(tx)
    const { placements = 0, position = 0 } = rows[0] ?? {}
    const maximum = sponsorshipLimits.placements
    if (placements >= maximum) throw new AppError('too_many_placements', { params: { maximum } })
    const stated = { newsletter_id: newsletterId, position, place, max_words: maxWords, words: JSON.stringify(words) }
    const row = await tx
      .insertInto('placement')
      .values({ ...columnsOf(values), ...stated })
      .returningAll()
      .executeTakeFirstOrThrow()
    return shown(row)
  })

/** @throws AppError placement_not_found, and seats_booked when a seat that would go is booked on a day to come */
export const changePlacement = (
  { db, now }: Clocked,
  key: PlacementKey,
  { closed, ...values }: z.output<typeof updatePlacement.body>,
): Promise<Placement> =>
  db.transaction().execute(async (tx) => {
    await lockPlacement(tx, key)
    if (values.seats !== undefined && (await isSeatBooked(tx, key, { above: values.seats, now: now() })))
      throw new AppError('seats_booked')
    const columns = {
      ...columnsOf(values),
      ...(closed !== undefined && { closed_at: closed ? sql<Date>`coalesce(closed_at, ${now()})` : null }),
    }
    if (Object.keys(columns).length > 0)
      await tx
        .updateTable('placement')
        .set(columns)
        .where('newsletter_id', '=', key.newsletterId)
        .where('id', '=', key.placementId)
        .execute()
    return findPlacement(tx, key)
  })

/** Who takes a seat, and who changes how many there are, wait for each other. @throws AppError placement_not_found */
export async function lockPlacement(tx: Db, { newsletterId, placementId }: PlacementKey) {
  const row = await tx
    .selectFrom('placement')
    .select(['seats', 'closed_at', 'max_words', 'takes_image', 'lead_days'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', placementId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('placement_not_found')
  return row
}

async function isSeatBooked(
  tx: Db,
  { newsletterId, placementId }: PlacementKey,
  { above, now }: { above: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from booking where newsletter_id = ${newsletterId} and placement_id = ${placementId} and seat > ${above}
      and day >= ${now}::timestamptz::date - 1 and state = any(${holdingStates}::text[]) limit 1`.execute(tx)
  return rows.length > 0
}

type Settings = Pick<
  NewsletterRow,
  'sponsor_weekdays' | 'sponsor_page' | 'sponsor_figures' | 'sponsor_words' | 'sponsors_hidden_from_paid'
>

export const settingsOf = (newsletter: Settings): SponsorshipSettings => ({
  weekdays: newsletter.sponsor_weekdays.toSorted(),
  page: newsletter.sponsor_page,
  figures: SponsorFigure.options.filter((one) => newsletter.sponsor_figures.includes(one)),
  words: SponsorWords.parse(newsletter.sponsor_words),
  hideFromPaid: newsletter.sponsors_hidden_from_paid,
})

/** What is left out stays as it is. */
export async function changeSettings(
  db: Db,
  newsletter: NewsletterRow,
  { weekdays, page, figures, words, hideFromPaid }: z.output<typeof updateSponsorship.body>,
): Promise<SponsorshipSettings> {
  const changed = await db
    .updateTable('newsletter')
    .set({
      // A page that is kept in memory is made anew.
      version: sql`version + 1`,
      ...(weekdays && { sponsor_weekdays: weekdays }),
      ...(page && { sponsor_page: page }),
      ...(figures && { sponsor_figures: figures }),
      ...(words && { sponsor_words: JSON.stringify(words) }),
      ...(hideFromPaid !== undefined && { sponsors_hidden_from_paid: hideFromPaid }),
    })
    .where('id', '=', newsletter.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return settingsOf(changed)
}
