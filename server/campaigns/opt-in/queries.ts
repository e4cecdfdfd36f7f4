import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { containing } from '../../database/containing.ts'
import type { Language } from '../../languages.ts'
import type { OptInState, OptInWords } from './contract.ts'
import { stateAt } from './state.ts'

export type Words = Partial<Record<Language, OptInWords>>

/** An opt-in campaign as it is stored, with the words of its version. */
export interface Campaign {
  newsletterId: string
  id: string
  name: string
  version: number
  startsAt: Date | null
  endsAt: Date | null
  withdrawnAt: Date | null
  createdAt: Date
  beneficiary: 'newsletter' | 'other_newsletter' | 'sponsor'
  tagId: number | null
  toNewsletterId: string | null
  /** Of the other newsletter; null when there is none, or it was deleted. */
  toNewsletterName: string | null
  acceptedAt: Date | null
  /** The version whose words it agreed to last, also when others took their place since. */
  acceptedVersion: number | null
  /** When those who may answer for it were mailed. */
  askedAt: Date | null
  /** Since when the other newsletter does not want it. */
  declinedAt: Date | null
  sponsorName: string
  sponsorAddress: string
  sponsorPrivacy: string
  cap: number | null
  taken: number
  accent: string | null
  shortLinkId: string
  words: Words
}

const campaigns = sql`
  select c.newsletter_id as "newsletterId", c.id, c.name, c.version, c.starts_at as "startsAt", c.ends_at as "endsAt",
    c.withdrawn_at as "withdrawnAt", c.created_at as "createdAt", o.beneficiary, o.tag_id as "tagId",
    o.to_newsletter_id as "toNewsletterId", n.name as "toNewsletterName", o.accepted_at as "acceptedAt",
    o.accepted_version as "acceptedVersion", o.asked_at as "askedAt", o.declined_at as "declinedAt",
    o.sponsor_name as "sponsorName", o.sponsor_address as "sponsorAddress", o.sponsor_privacy as "sponsorPrivacy",
    o.cap, o.taken, o.accent, o.short_link_id as "shortLinkId",
    coalesce((select json_object_agg(w.language, json_build_object('question', w.question, 'offer', w.offer, 'yes', w.yes,
      'afterYes', w.after_yes)) from campaign_words w
      where w.newsletter_id = c.newsletter_id and w.campaign_id = c.id and w.version = c.version), '{}'::json) as words
  from campaign c join opt_in_campaign o on o.newsletter_id = c.newsletter_id and o.id = c.id
  left join newsletter n on n.id = o.to_newsletter_id and n.deleted_at is null`

/** Newest first. */
export async function listCampaigns(db: Db, newsletterId: string): Promise<Campaign[]> {
  const { rows } = await sql<Campaign>`${campaigns} where c.newsletter_id = ${newsletterId}
    order by c.created_at desc, c.id`.execute(db)
  return rows
}

/** Those with a part of their name, newest first. */
export const findCampaignsByName = (
  db: Db,
  newsletterId: string,
  { search, limit }: { search: string; limit: number },
) =>
  db
    .selectFrom('campaign')
    .select(['id', 'name'])
    .where('newsletter_id', '=', newsletterId)
    .where('kind', '=', 'opt-in')
    .where(sql<boolean>`name ~* ${containing(search)}`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function findCampaign(db: Db, newsletterId: string, id: string): Promise<Campaign | null> {
  const { rows } = await sql<Campaign>`${campaigns} where c.newsletter_id = ${newsletterId} and c.id = ${id}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** The campaign whose page has this address, whatever newsletter it is of. */
export async function findPublicCampaign(db: Db, id: string): Promise<Campaign | null> {
  if (!/^[1-9A-HJ-NP-Za-km-z]{6,20}$/.test(id)) return null
  const { rows } = await sql<Campaign>`${campaigns} where c.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Campaigns of other newsletters that want to give this one subscribers. */
export async function listOffers(db: Db, toNewsletterId: string): Promise<Campaign[]> {
  const { rows } = await sql<Campaign>`${campaigns}
    where o.to_newsletter_id = ${toNewsletterId} and o.beneficiary = 'other_newsletter' and c.withdrawn_at is null
    order by c.created_at desc, c.id`.execute(db)
  return rows
}

/** The campaign until the transaction ends: yeses and changes of one campaign wait for one another. */
export async function lockCampaign(
  tx: Db,
  { newsletterId, campaignId }: { newsletterId: string; campaignId: string },
): Promise<Campaign | null> {
  await sql`select from opt_in_campaign where newsletter_id = ${newsletterId} and id = ${campaignId} for no key update`.execute(
    tx,
  )
  // A statement of its own, so that it sees what whoever held the lock wrote.
  return findCampaign(tx, newsletterId, campaignId)
}

export const stateOf = (campaign: Campaign, now: Date): OptInState => {
  const { beneficiary, toNewsletterName, acceptedAt, sponsorName, words } = campaign
  const agreed =
    beneficiary === 'newsletter' ||
    (beneficiary === 'sponsor' ? sponsorName !== '' : toNewsletterName !== null && acceptedAt !== null)
  return stateAt({ ...campaign, worded: Object.keys(words).length > 0, agreed }, now)
}

/** Whether another newsletter is asked for its yes. Nobody is asked about a draft, nor about what is over. */
export function waitsForAnswer(campaign: Campaign, now: Date): boolean {
  const { beneficiary, acceptedAt, declinedAt, words } = campaign
  if (beneficiary !== 'other_newsletter' || acceptedAt || declinedAt || Object.keys(words).length === 0) return false
  const state = stateOf(campaign, now)
  return state === 'waiting' || state === 'scheduled'
}

/** Whether readers are asked the same, in the same languages. */
export const sameWords = (some: Words, others: Words): boolean => written(some) === written(others)

/** The words of all languages, as one text to compare. */
export const written = (words: Words): string =>
  JSON.stringify(
    Object.entries(words)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([language, { question, offer, yes, afterYes }]) => [language, question, offer, yes, afterYes]),
  )

/** A yes of somebody, which may have been taken back. */
export interface OptIn {
  id: string
  undoneAt: Date | null
  subscribed: boolean
  tagged: boolean
}

export async function findOptIn(
  db: Db,
  { newsletterId, campaignId, subscriberId }: { newsletterId: string; campaignId: string; subscriberId: string },
): Promise<OptIn | null> {
  const query = db
    .selectFrom('opt_in')
    .select(['id', 'undone_at as undoneAt', 'subscribed', 'tagged'])
    .where('newsletter_id', '=', newsletterId)
    .where('campaign_id', '=', campaignId)
    .where('subscriber_id', '=', subscriberId)
  return (await query.executeTakeFirst()) ?? null
}

/** The words of a version, which may not be the last one. */
export async function findWords(
  db: Db,
  { newsletterId, campaignId, version }: { newsletterId: string; campaignId: string; version: number },
): Promise<Words> {
  const query = db
    .selectFrom('campaign_words')
    .select(['language', 'question', 'offer', 'yes', 'after_yes as afterYes'])
    .where('newsletter_id', '=', newsletterId)
    .where('campaign_id', '=', campaignId)
  const rows = await query.where('version', '=', version).execute()
  return Object.fromEntries(rows.map(({ language, ...words }) => [language, words]))
}
