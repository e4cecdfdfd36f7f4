import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { publicId } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import type { HouseAd } from '../slots/filling.ts'
import {
  type createHouseCampaign,
  type HouseCampaign,
  mostHouseCampaigns,
  type updateHouseCampaign,
} from './contract.ts'

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

type Stored = Omit<HouseCampaign, 'startsAt' | 'endsAt' | 'shownAt'> &
  Record<'startsAt' | 'endsAt' | 'shownAt', Date | null>

const shown = ({ startsAt, endsAt, shownAt, ...row }: Stored): HouseCampaign => ({
  ...row,
  startsAt: startsAt?.toISOString() ?? null,
  endsAt: endsAt?.toISOString() ?? null,
  shownAt: shownAt?.toISOString() ?? null,
})

/** @param narrowed SQL after the condition on the newsletter, with the tables as `c` and `h`: further conditions, order, lock */
async function campaignsWhere(db: Db, newsletterId: string, narrowed: RawBuilder<unknown>): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select c.id, c.name, h.words, h.target, c.starts_at as "startsAt", c.ends_at as "endsAt", c.withdrawn_at is null as "on",
      h.shown, h.shown_at as "shownAt"
    from house_campaign h join campaign c on c.newsletter_id = h.newsletter_id and c.id = h.id
    where h.newsletter_id = ${newsletterId} ${narrowed}`.execute(db)
  return rows
}

/** Those that are used first, the newest first. */
export const listHouse = async (db: Db, newsletterId: string): Promise<HouseCampaign[]> =>
  (await campaignsWhere(db, newsletterId, sql`order by c.withdrawn_at is not null, c.created_at desc, c.id`)).map(shown)

/** @throws AppError campaign_not_found */
export async function findHouse(db: Db, { newsletterId, campaignId }: Key): Promise<HouseCampaign> {
  const [row] = await campaignsWhere(db, newsletterId, sql`and h.id = ${campaignId}`)
  if (!row) throw new AppError('campaign_not_found')
  return shown(row)
}

interface Key {
  newsletterId: string
  campaignId: string
}

/** @throws AppError too_many_house_campaigns, invalid when it ends before it starts */
export const addHouse = (
  { db, now }: Clocked,
  newsletterId: string,
  { name, words, target, startsAt, endsAt, on }: z.output<typeof createHouseCampaign.body>,
): Promise<HouseCampaign> =>
  db.transaction().execute(async (tx) => {
    requireOrder({ startsAt, endsAt })
    // Of two at the same moment the second sees the first.
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
    const all = await campaignsWhere(tx, newsletterId, sql``)
    if (all.length >= mostHouseCampaigns)
      throw new AppError('too_many_house_campaigns', { params: { maximum: mostHouseCampaigns } })
    const campaignId = publicId()
    await tx
      .insertInto('campaign')
      .values({
        ...{ newsletter_id: newsletterId, id: campaignId, kind: 'house', name },
        ...{ starts_at: startsAt, ends_at: endsAt, withdrawn_at: on ? null : now() },
      })
      .execute()
    const row = { newsletter_id: newsletterId, id: campaignId, words: JSON.stringify(words), target }
    await tx.insertInto('house_campaign').values(row).execute()
    return findHouse(tx, { newsletterId, campaignId })
  })

/** What is left out stays as it is. @throws AppError campaign_not_found, invalid when it ends before it starts */
export const changeHouse = (
  { db, now }: Clocked,
  key: Key,
  { name, words, target, startsAt, endsAt, on }: z.output<typeof updateHouseCampaign.body>,
): Promise<HouseCampaign> =>
  db.transaction().execute(async (tx) => {
    const before = await findHouse(tx, key)
    requireOrder({ startsAt: startsAt ?? before.startsAt, endsAt: endsAt ?? before.endsAt })
    await tx
      .updateTable('campaign')
      .set({
        version: sql`version + 1`,
        ...(name !== undefined && { name }),
        ...(startsAt !== undefined && { starts_at: startsAt }),
        ...(endsAt !== undefined && { ends_at: endsAt }),
        ...(on !== undefined && { withdrawn_at: on ? null : sql<Date>`coalesce(withdrawn_at, ${now()})` }),
      })
      .where('newsletter_id', '=', key.newsletterId)
      .where('id', '=', key.campaignId)
      .where('kind', '=', 'house')
      .execute()
    if (words || target)
      await tx
        .updateTable('house_campaign')
        .set({ ...(words && { words: JSON.stringify(words) }), ...(target && { target }) })
        .where('newsletter_id', '=', key.newsletterId)
        .where('id', '=', key.campaignId)
        .execute()
    return findHouse(tx, key)
  })

function requireOrder({ startsAt, endsAt }: Pick<HouseCampaign, 'startsAt' | 'endsAt'>): void {
  if (startsAt && endsAt && new Date(endsAt) <= new Date(startsAt))
    throw new AppError('invalid', { fields: { endsAt: 'before_start' } })
}

/** Those that can stand in a publication in this language, the one that was shown the longest ago first. With `lock` until the transaction ends. */
export async function houseAds(
  db: Db,
  newsletterId: string,
  { language, at, lock }: { language: Language; at: Date; lock: boolean },
): Promise<HouseAd[]> {
  const rows = await campaignsWhere(
    db,
    newsletterId,
    sql`and h.words ? ${language} and c.withdrawn_at is null and (c.starts_at is null or c.starts_at <= ${at})
      and (c.ends_at is null or c.ends_at > ${at})
      order by h.shown_at nulls first, c.created_at, h.id ${lock ? sql`for no key update of h` : sql``}`,
  )
  return rows.flatMap(({ id, words, target }) => {
    const said = words[language]
    return said ? [{ id, target, ...said }] : []
  })
}

/** Notes that these stood in a publication. */
export const noteShown = (tx: Db, newsletterId: string, { ids, at }: { ids: readonly string[]; at: Date }) =>
  sql`
    update house_campaign set shown = shown + 1, shown_at = ${at}
    where newsletter_id = ${newsletterId} and id = any(${ids}::text[])`.execute(tx)
