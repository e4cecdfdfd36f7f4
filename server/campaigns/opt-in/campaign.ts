import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { publicId } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { requireRoomInNewsletter } from '../../identity/limits-by-standing.ts'
import { enqueue } from '../../jobs/queue.ts'
import { isLanguage } from '../../languages.ts'
import { insertLink } from '../../links/queries.ts'
import { brandStyle } from '../../newsletters/branding.ts'
import { day, night } from '../../page/brand-style.ts'
import { contrast } from '../../page/color.ts'
import { optInAddress } from './address.ts'
import { agreementTo, beneficiaryOf, type Changing } from './beneficiary.ts'
import { type listOptInCampaigns, type OptInCampaign, optInLimits, type updateOptInCampaign } from './contract.ts'
import { listLinksOf } from './list-links.ts'
import { type Campaign, findCampaign, listCampaigns, lockCampaign, stateOf, written } from './queries.ts'
import { readDays, readResults, readYeses } from './results.ts'
import { wordsIn } from './wording.ts'

type Shown = z.input<typeof OptInCampaign>
type Change = z.output<typeof updateOptInCampaign.body>
type Deps = Pick<Context, 'config' | 'signer' | 'now'> & { db: Kysely<DB> }

/** @throws AppError campaign_not_found */
export async function requireCampaign(db: Db, newsletterId: string, campaignId: string): Promise<Campaign> {
  const campaign = await findCampaign(db, newsletterId, campaignId)
  if (!campaign) throw new AppError('campaign_not_found')
  return campaign
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

const rowOf = (config: Deps['config'], campaign: Campaign, now: Date) => ({
  id: campaign.id,
  name: campaign.name,
  version: campaign.version,
  state: stateOf(campaign, now),
  startsAt: iso(campaign.startsAt),
  endsAt: iso(campaign.endsAt),
  withdrawnAt: iso(campaign.withdrawnAt),
  createdAt: campaign.createdAt.toISOString(),
  cap: campaign.cap,
  taken: campaign.taken,
  url: optInAddress(config, campaign.id),
})

export async function listShown(
  { db, config, now }: Deps,
  newsletterId: string,
): Promise<z.input<typeof listOptInCampaigns.reply>> {
  const [campaigns, yeses] = await Promise.all([listCampaigns(db, newsletterId), readYeses(db, newsletterId)])
  return {
    rows: campaigns.map((campaign) => ({
      ...rowOf(config, campaign, now()),
      counts: yeses.get(campaign.id) ?? { yes: 0, confirmed: 0 },
    })),
  }
}

/** A campaign as members see it. @throws AppError campaign_not_found */
export async function showCampaign(context: Deps, newsletter: NewsletterRow, campaignId: string): Promise<Shown> {
  const { db, config, signer, now } = context
  const campaign = await requireCampaign(db, newsletter.id, campaignId)
  const [results, days, listLinks] = await Promise.all([
    readResults(context, campaign),
    readDays(db, campaign, newsletter.timezone),
    listLinksOf(context, campaign),
  ])
  const { beneficiary: kind, toNewsletterId, toNewsletterName, acceptedAt, sponsorName, accent } = campaign
  const style = brandStyle(accent ?? newsletter.accent, newsletter.pairing)
  return {
    ...rowOf(config, campaign, now()),
    previewUrl: `${optInAddress(config, campaign.id)}?preview=${signer.sign('opt-in preview', campaign.id)}`,
    words: campaign.words,
    beneficiary: {
      kind,
      tagId: kind === 'newsletter' ? campaign.tagId : null,
      newsletter:
        kind === 'other_newsletter' && toNewsletterId !== null && toNewsletterName !== null
          ? {
              ...{ id: toNewsletterId, name: toNewsletterName, accepted: acceptedAt !== null },
              changed: acceptedAt === null && campaign.acceptedVersion !== null,
            }
          : null,
      sponsor:
        kind === 'sponsor'
          ? { name: sponsorName, address: campaign.sponsorAddress, privacy: campaign.sponsorPrivacy }
          : null,
    },
    accent,
    contrast: {
      day: round(contrast(style.accent, day.paper)),
      night: round(contrast(style.accentNight, night.paper)),
    },
    ...results,
    days,
    listLinks,
  }
}

const round = (ratio: number): number => Math.round(ratio * 10) / 10

/** @throws AppError too_many_campaigns, too_many_links, too_many_requests */
export async function beginCampaign({ db, config }: Deps, newsletterId: string, name: string): Promise<string> {
  const id = publicId()
  const linkId = publicId(8)
  await db.transaction().execute(async (tx) => {
    // Locks the newsletter's owner, so that two at a time are counted one after the other.
    await requireRoomInNewsletter(tx, newsletterId, 'links')
    const { rows } = await sql<{ campaigns: number }>`
      select count(*)::integer as campaigns from campaign where newsletter_id = ${newsletterId} and kind = 'opt-in'`.execute(
      tx,
    )
    const maximum = optInLimits.campaigns
    if ((rows[0]?.campaigns ?? 0) >= maximum) throw new AppError('too_many_campaigns', { params: { maximum } })
    await insertLink(tx, newsletterId, {
      ...{ id: linkId, name, target: optInAddress(config, id) },
      ...{ expiresAt: null, fallback: null },
    })
    await tx
      .insertInto('campaign')
      .values({ newsletter_id: newsletterId, id, kind: 'opt-in', name, version: 0 })
      .execute()
    await tx.insertInto('opt_in_campaign').values({ newsletter_id: newsletterId, id, short_link_id: linkId }).execute()
  })
  return id
}

/**
 * Changes a campaign. When a reader sees something else by it, it gets a new version; the words of each version stay. Whom a yes is for is
 * fixed with the first yes, because nobody agreed to somebody else. Another newsletter for which it is agrees to its words, and is asked by mail.
 *
 * @throws AppError campaign_not_found, campaign_withdrawn, beneficiary_fixed, tag_not_found, newsletter_not_found, invalid
 */
export function changeCampaign({ db, now }: Deps, key: Changing, change: Change): Promise<void> {
  const { newsletterId, campaignId } = key
  return db.transaction().execute(async (tx) => {
    const before = await lockCampaign(tx, key)
    if (!before) throw new AppError('campaign_not_found')
    if (before.withdrawnAt) throw new AppError('campaign_withdrawn')
    const { name = before.name, cap = before.cap } = change
    const startsAt = change.startsAt === undefined ? before.startsAt : dateOf(change.startsAt)
    const endsAt = change.endsAt === undefined ? before.endsAt : dateOf(change.endsAt)
    if (startsAt && endsAt && endsAt <= startsAt) throw new AppError('invalid', { fields: { endsAt: 'before_start' } })
    // One that runs is closed by such an end; one that has not begun would never be open.
    const isBegun = startsAt !== null && startsAt <= now()
    if (endsAt && endsAt <= now() && !isBegun && endsAt.getTime() !== before.endsAt?.getTime())
      throw new AppError('invalid', { fields: { endsAt: 'day_past' } })
    const beneficiary = change.beneficiary
      ? await beneficiaryOf(tx, key, { change: change.beneficiary, before, now: now() })
      : {}
    const accent = change.accent === undefined ? before.accent : (change.accent?.toLowerCase() ?? null)
    const words = change.words ?? before.words
    const wanted = { ...before, ...beneficiary, accent, words }
    const isOther = seenBy(wanted) !== seenBy(before)
    // Before its first words no reader saw it. Words that are taken away are another version, which has none.
    const version = before.version + (isOther && (before.version > 0 || wordsIn({ words })) ? 1 : 0)
    const at = now()
    const agreement = await agreementTo(
      tx,
      { ...wanted, version, startsAt, endsAt },
      { before, userId: key.userId, at },
    )
    const seen = { ...wanted, ...agreement }
    await tx
      .updateTable('campaign')
      .set({ name, version, starts_at: startsAt, ends_at: endsAt })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', campaignId)
      .execute()
    await tx
      .updateTable('opt_in_campaign')
      .set({
        ...{ cap, accent, beneficiary: seen.beneficiary, tag_id: seen.tagId, to_newsletter_id: seen.toNewsletterId },
        ...{
          accepted_at: seen.acceptedAt,
          accepted_version: seen.acceptedVersion,
          asked_at: seen.askedAt,
          declined_at: seen.declinedAt,
          sponsor_name: seen.sponsorName,
          sponsor_address: seen.sponsorAddress,
        },
        sponsor_privacy: seen.sponsorPrivacy,
      })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', campaignId)
      .execute()
    if (isOther) await keepWords(tx, { newsletterId, campaignId, version, words })
    if (seen.askedAt === at) await enqueue(tx, 'tell_of_offer', { newsletterId, campaignId })
  })
}

const dateOf = (at: string | null): Date | null => (at === null ? null : new Date(at))

/** What a reader sees, as one text to compare. */
const seenBy = ({
  words,
  accent,
  beneficiary,
  toNewsletterId,
  sponsorName,
  sponsorAddress,
  sponsorPrivacy,
}: Campaign) =>
  JSON.stringify([
    written(words),
    accent,
    beneficiary,
    ...[toNewsletterId, sponsorName, sponsorAddress, sponsorPrivacy],
  ])

async function keepWords(
  tx: Db,
  { newsletterId, campaignId, version, words }: Omit<Changing, 'userId'> & Pick<Campaign, 'version' | 'words'>,
): Promise<void> {
  const rows = Object.entries(words).flatMap(([language, { question, offer, yes, afterYes }]) =>
    isLanguage(language) ? [{ language, question, offer, yes, after_yes: afterYes }] : [],
  )
  if (rows.length === 0) return
  await tx
    .insertInto('campaign_words')
    .values(rows.map((row) => ({ newsletter_id: newsletterId, campaign_id: campaignId, version, ...row })))
    .execute()
}

/** @throws AppError campaign_not_found */
export async function withdrawCampaign({ db, now }: Deps, newsletterId: string, campaignId: string): Promise<void> {
  await requireCampaign(db, newsletterId, campaignId)
  await db
    .updateTable('campaign')
    .set({ withdrawn_at: now() })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', campaignId)
    .where('kind', '=', 'opt-in')
    .where('withdrawn_at', 'is', null)
    .execute()
}
