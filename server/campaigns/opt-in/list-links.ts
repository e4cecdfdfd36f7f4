import type { Readable } from 'node:stream'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { harmless, streamCsv, utc, withValues } from '../../database/csv.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { optInAddress } from './address.ts'
import { type Campaign, lockCampaign } from './queries.ts'

const MOST_LINKS = 50

type Deps = Pick<Context, 'config' | 'signer' | 'now'> & { db: Kysely<DB> }
type OfCampaign = Pick<Campaign, 'newsletterId' | 'id'>

const tokenOf = ({ signer }: Pick<Context, 'signer'>, { newsletterId, id }: OfCampaign, linkId: number): string =>
  signer.sign('opt-in list', `${newsletterId}.${id}.${linkId}`)

const linksOf = (db: Kysely<DB>, { newsletterId, id }: OfCampaign) =>
  db.selectFrom('opt_in_list_link').where('newsletter_id', '=', newsletterId).where('campaign_id', '=', id)

/** The addresses at which a sponsor gets the list, newest first. */
export async function listLinksOf({ db, config, signer }: Deps, campaign: OfCampaign) {
  const rows = await linksOf(db, campaign).selectAll().orderBy('id', 'desc').execute()
  return rows.map(({ id, created_at, expires_at, revoked_at }) => ({
    id,
    url: `${optInAddress(config, campaign.id)}/list/${tokenOf({ signer }, campaign, id)}`,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
    revokedAt: revoked_at?.toISOString() ?? null,
  }))
}

/** Whether a sponsor can fetch the list now, could once, or never had an address for it. */
export async function sharingOf(
  { db, now }: Pick<Context, 'db' | 'now'>,
  campaign: OfCampaign,
): Promise<'never' | 'shared' | 'closed'> {
  const rows = await linksOf(db, campaign).select(['expires_at', 'revoked_at']).execute()
  if (rows.length === 0) return 'never'
  return rows.some((row) => isOpen(row, now())) ? 'shared' : 'closed'
}

const isOpen = (link: { expires_at: Date; revoked_at: Date | null }, now: Date): boolean =>
  link.revoked_at === null && link.expires_at > now

/** @throws AppError campaign_not_found, no_sponsor, too_many_list_links */
export function makeListLink({ db, now }: Deps, { newsletterId, id }: OfCampaign, days: number): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const campaign = await lockCampaign(tx, { newsletterId, campaignId: id })
    if (!campaign) throw new AppError('campaign_not_found')
    if (campaign.beneficiary !== 'sponsor') throw new AppError('no_sponsor')
    const { rows } = await sql<{ links: number }>`
      select count(*)::integer as links from opt_in_list_link where newsletter_id = ${newsletterId} and campaign_id = ${id}
        and revoked_at is null and expires_at > ${now()}::timestamptz`.execute(tx)
    if ((rows[0]?.links ?? 0) >= MOST_LINKS)
      throw new AppError('too_many_list_links', { params: { maximum: MOST_LINKS } })
    const expires_at = new Date(now().getTime() + days * 24 * 3_600_000)
    await tx
      .insertInto('opt_in_list_link')
      .values({ newsletter_id: newsletterId, campaign_id: id, created_at: now(), expires_at })
      .execute()
  })
}

/** @throws AppError list_link_not_found */
export async function revokeListLink(
  { db, now }: Deps,
  { newsletterId, id }: OfCampaign,
  linkId: number,
): Promise<void> {
  const { rows } = await sql`
    update opt_in_list_link set revoked_at = coalesce(revoked_at, ${now()}::timestamptz)
    where newsletter_id = ${newsletterId} and campaign_id = ${id} and id = ${linkId} returning id`.execute(db)
  if (rows.length === 0) throw new AppError('list_link_not_found')
}

/** What a token opens: the campaign's ids and until when, or null when it opens nothing any more. */
export async function openListLink(
  { db, signer, now }: Pick<Context, 'db' | 'signer' | 'now'>,
  campaignId: string,
  token: string,
): Promise<{ newsletterId: string; expiresAt: Date; isOpen: boolean } | null> {
  const [newsletterId = '', id = '', linkId = ''] = signer.open('opt-in list', token)?.split('.') ?? []
  if (id !== campaignId || id === '') return null
  const links = linksOf(db, { newsletterId, id }).select(['expires_at', 'revoked_at'])
  const row = await links.where('id', '=', Number(linkId)).executeTakeFirst()
  if (!row) return null
  return { newsletterId, expiresAt: row.expires_at, isOpen: isOpen(row, now()) }
}

type Streaming = Pick<Context, 'db' | 'pool'>

const csvOf = ({ db, pool }: Streaming, query: RawBuilder<unknown>, sheet?: Language): Promise<Readable> =>
  streamCsv({ pool }, withValues(query.compile(db)), sheet)

/** Yeses that were passed on, with whom they are of. */
const passedOn = ({ newsletterId, id }: OfCampaign) => sql`
  opt_in o join subscriber s on s.newsletter_id = o.newsletter_id and s.id = o.subscriber_id
  where o.newsletter_id = ${newsletterId} and o.campaign_id = ${id} and o.passed_at is not null`

/** Those who confirmed and did not take it back, each once: the address and nothing else, as they were told when they said yes. */
export const streamConfirmed = (context: Streaming, campaign: OfCampaign, sheet?: Language): Promise<Readable> =>
  csvOf(
    context,
    sql`select ${sql.raw(`${harmless('s.email')} as email`)}
      from ${passedOn(campaign)} and o.undone_at is null order by o.confirmed_at, o.id`,
    sheet,
  )

/** Those who took it back, by the SHA-256 of their address: whoever has the address knows it again, and nobody learns it. */
export const streamUndone = (context: Streaming, campaign: OfCampaign, sheet?: Language): Promise<Readable> =>
  csvOf(
    context,
    sql`select encode(sha256(convert_to(lower(s.email), 'UTF8')), 'hex') as sha256, ${sql.raw(`${utc('o.undone_at')} as withdrawn_at`)}
      from ${passedOn(campaign)} and o.undone_at is not null order by o.undone_at, o.id`,
    sheet,
  )

/** Every yes with where it came from, for the owner. */
export const streamOptIns = (
  context: Streaming,
  { newsletterId, id }: OfCampaign,
  sheet?: Language,
): Promise<Readable> =>
  csvOf(
    context,
    sql`select ${sql.raw(`${harmless('s.email')} as email, case when o.undone_at is null then 'confirmed' else 'undone' end as state,
        o.short_link_id as link, ${harmless('l.name')} as place, l.publication_id as publication, o.version as words_version,
        o.language, ${utc('o.confirmed_at')} as confirmed_at, ${utc('o.undone_at')} as undone_at, ${utc('o.passed_at')} as passed_at`)}
      from opt_in o
      left join subscriber s on s.newsletter_id = o.newsletter_id and s.id = o.subscriber_id
      left join short_link l on l.newsletter_id = o.newsletter_id and l.id = o.short_link_id
      where o.newsletter_id = ${newsletterId} and o.campaign_id = ${id} order by o.confirmed_at, o.id`,
    sheet,
  )
